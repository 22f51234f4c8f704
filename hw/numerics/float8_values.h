// Tables of the values of 8-bit floating-point codes, and rows decoded by one.
#pragma once

#include <array>
#include <cstdint>

namespace aicore {

/// The value of every code, exact in float32. Every NaN is 0x7FC00000.
using Float8Values = std::array<float, 256>;

/// value x 2^exponent, exact as long as the result is a normal float32.
constexpr float scale_by_power(float value, int exponent) {
    for (; exponent > 0; --exponent) value *= 2.0f;
    for (; exponent < 0; ++exponent) value *= 0.5f;
    return value;
}

/// out[i] = values[codes[i]]
inline void decode_float8(const Float8Values& values, const std::uint8_t* codes, int count,
                          float* out) {
    for (int i = 0; i < count; ++i) out[i] = values[codes[i]];
}

} // namespace aicore
