// Elements of A and B for the reference product, decoded from the definition of their format: not
// with the code of the model.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace aicore::tb {

struct Int4 {}; ///< two's complement, element 2i in the low half of byte i
struct E4m3 {}; ///< fp8_e4m3: NaN is all ones, no infinities
struct E5m2 {}; ///< fp8_e5m2: as IEEE 754
struct Hif8 {}; ///< hifloat8

// Sums of integers wrap: unsigned arithmetic has the same bits as int32 and no undefined overflow.
template <typename T>
using SumOf = std::conditional_t<std::is_same_v<T, std::int8_t> || std::is_same_v<T, Int4>,
                                 std::uint32_t, float>;

/// (1.fraction) x 2^exponent or, for a field of 0, (0.fraction) x 2^(1 - bias).
inline float small_float(int field, int fraction, int fraction_bits, int bias) {
    const int significand = fraction + (field == 0 ? 0 : 1 << fraction_bits);
    const int exponent = (field == 0 ? 1 : field) - bias - fraction_bits;
    return std::ldexp(static_cast<float>(significand), exponent);
}

inline float e4m3_value(int code) {
    const int magnitude = code & 0x7F;
    if (magnitude == 0x7F) return std::numeric_limits<float>::quiet_NaN();
    const float value = small_float(magnitude >> 3, magnitude & 7, 3, 7);
    return code > 0x7F ? -value : value;
}

inline float e5m2_value(int code) {
    const int magnitude = code & 0x7F;
    if (magnitude > 0x7C) return std::numeric_limits<float>::quiet_NaN();
    const float value = magnitude == 0x7C ? std::numeric_limits<float>::infinity()
                                          : small_float(magnitude >> 2, magnitude & 3, 2, 15);
    return code > 0x7F ? -value : value;
}

/// Reads the dot field from the left: it says how many bits the exponent has.
inline float hif8_value(int code) {
    const int magnitude = code & 0x7F;
    if (magnitude == 0) return code == 0 ? 0.0F : std::numeric_limits<float>::quiet_NaN();
    float value = 0;
    if (magnitude == 0x6F) {
        value = std::numeric_limits<float>::infinity();
    } else if (magnitude < 8) { // 0000mmm
        value = std::ldexp(1.0F, magnitude - 23);
    } else if (magnitude < 16) { // 0001mmm
        value = 1.0F + static_cast<float>(magnitude & 7) / 8;
    } else {
        // Exponent bits behind the leading one: 001 none, 01 one, 10 two, 11 three.
        const int dot_bits = magnitude < 32 ? 3 : 2;
        const int exponent_bits = magnitude < 32 ? 0 : magnitude < 64 ? 1 : magnitude < 96 ? 2 : 3;
        const int fraction_bits = 7 - dot_bits - 1 - exponent_bits;
        const int rest = magnitude & ((1 << (7 - dot_bits)) - 1);
        const bool small = (rest >> (6 - dot_bits)) != 0;
        const int tail = rest & ((1 << (6 - dot_bits)) - 1);
        const int size = (1 << exponent_bits) + (tail >> fraction_bits);
        const int fraction = tail & ((1 << fraction_bits) - 1);
        const float significand =
            1.0F + static_cast<float>(fraction) / static_cast<float>(1 << fraction_bits);
        value = std::ldexp(significand, small ? -size : size);
    }
    return code > 0x7F ? -value : value;
}

/// Keeps `fraction_bits` of a float32: to nearest, ties to even; denormals become zero.
inline float round_to_hf32(float value, int fraction_bits) {
    if (!std::isfinite(value) || value == 0) return value;
    if (std::fabs(value) < std::numeric_limits<float>::min()) return std::copysign(0.0F, value);
    int exponent = 0;
    const double fraction = std::frexp(static_cast<double>(value), &exponent); // 0.5 .. 1
    const double kept = std::nearbyint(std::ldexp(fraction, fraction_bits + 1));
    return static_cast<float>(std::ldexp(kept, exponent - fraction_bits - 1));
}

/// Element `index` in the type of the sums. `hf32_fraction_bits`: of float only, 0 keeps all.
template <typename T>
SumOf<T> operand(const std::vector<std::uint8_t>& bytes, std::int64_t index,
                 int hf32_fraction_bits) {
    const auto at = static_cast<std::size_t>(index);
    if constexpr (std::is_same_v<T, Int4>) {
        const int nibble = bytes[at / 2] >> (at % 2 * 4) & 15;
        return static_cast<std::uint32_t>(nibble < 8 ? nibble : nibble - 16);
    } else if constexpr (std::is_same_v<T, E4m3>) {
        return e4m3_value(bytes[at]);
    } else if constexpr (std::is_same_v<T, E5m2>) {
        return e5m2_value(bytes[at]);
    } else if constexpr (std::is_same_v<T, Hif8>) {
        return hif8_value(bytes[at]);
    } else {
        T value;
        std::memcpy(&value, bytes.data() + at * sizeof(T), sizeof(T));
        if constexpr (std::is_same_v<T, std::int8_t>) {
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
        } else if constexpr (std::is_same_v<T, float>) {
            return hf32_fraction_bits == 0 ? value : round_to_hf32(value, hf32_fraction_bits);
        } else {
            return static_cast<float>(value);
        }
    }
}

} // namespace aicore::tb
