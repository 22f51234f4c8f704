// Elements of the vector unit's floating types: how they are read, rounded and stored.
#pragma once

#include "hw/numerics/half.h"
#include "hw/numerics/round_to_odd.h"

#include <cstdint>
#include <cstring>

namespace aicore {

template <typename T>
T load_raw(const std::uint8_t* bytes, int index) {
    T value;
    std::memcpy(&value, bytes + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
    return value;
}
template <typename T>
void store_raw(std::uint8_t* bytes, int index, T value) {
    std::memcpy(bytes + static_cast<std::size_t>(index) * sizeof(T), &value, sizeof(T));
}

/// float16. Sums, products, quotients and square roots of float16 values that are rounded to
/// float32 and then to float16 are rounded as if once: 24 >= 2 * 11 + 2 bits.
struct HalfElement {
    using Raw = std::uint16_t;
    static float load(const std::uint8_t* bytes, int index) {
        return f16_to_f32(load_raw<Raw>(bytes, index));
    }
    static float decode(std::uint32_t bits) { return f16_to_f32(static_cast<Raw>(bits)); }
    static Raw encode(float value, FloatOverflow overflow) { return f32_to_f16(value, overflow); }
    static Raw encode(double value, FloatOverflow overflow) {
        return f32_to_f16(to_odd_f32(value), overflow);
    }
    static float round(float value, FloatOverflow overflow) {
        return f16_to_f32(f32_to_f16(value, overflow));
    }
    /// a * b + c with one rounding: the double is exact but for sums whose rounding it can't
    /// change.
    static double multiply_add(float a, float b, float c) {
        return static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
    }
};

struct SingleElement {
    using Raw = std::uint32_t;
    static float load(const std::uint8_t* bytes, int index) {
        return f32_from_bits(load_raw<Raw>(bytes, index));
    }
    static float decode(std::uint32_t bits) { return f32_from_bits(bits); }
    static Raw encode(float value, FloatOverflow overflow) {
        return f32_to_bits(finish_f32(value, overflow));
    }
    static Raw encode(double value, FloatOverflow overflow) {
        return encode(static_cast<float>(value), overflow);
    }
    static float round(float value, FloatOverflow overflow) { return finish_f32(value, overflow); }
    static float multiply_add(float a, float b, float c) { return std::fma(a, b, c); }
};

/// Largest of two. A NaN wins and +0 is above -0 [inferred].
inline float max_of(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}
inline float min_of(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}
/// max(0, x): what is not above zero becomes +0; a NaN stays one.
inline float relu_of(float value) { return value > 0.0f || std::isnan(value) ? value : 0.0f; }

} // namespace aicore
