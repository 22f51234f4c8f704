// int4: two's complement -8..7, two to a byte. Element 2i is the low nibble, 2i + 1 the high one.
#pragma once

#include <cstdint>

namespace aicore {

/// The sign-extended low nibble.
constexpr std::int8_t int4_low(std::uint8_t byte) {
    return static_cast<std::int8_t>(((byte & 0xF) ^ 8) - 8);
}

/// The sign-extended high nibble.
constexpr std::int8_t int4_high(std::uint8_t byte) {
    return static_cast<std::int8_t>(((byte >> 4) ^ 8) - 8);
}

/// The low nibbles of two values as one byte.
constexpr std::uint8_t pack_int4(std::int8_t low, std::int8_t high) {
    return static_cast<std::uint8_t>((low & 0xF) | (high & 0xF) << 4);
}

/// `count` values of -8..7 to (count + 1) / 2 bytes; the unused nibble of an odd count becomes 0.
void pack_int4_row(const std::int8_t* values, int count, std::uint8_t* bytes);

} // namespace aicore
