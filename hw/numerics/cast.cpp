#include "hw/numerics/cast.h"

#include "hw/numerics/float_format.h"

#include <algorithm>
#include <cmath>

namespace aicore {

namespace {

std::uint32_t cast_to_format(float value, const FloatFormat& format, std::uint32_t canonical_nan,
                             Rounding rounding, FloatOverflow overflow) {
    if (rounding == Rounding::hybrid) reject_hybrid();
    const bool saturate = overflow == FloatOverflow::saturate;
    if (std::isnan(value)) return saturate ? 0u : canonical_nan;
    if (std::isinf(value)) {
        return (std::signbit(value) ? format.sign_bit() : 0u) |
               (saturate ? format.largest : format.overflow);
    }
    return encode(exact_value(value), format, rounding, overflow);
}

// The rounded value. Above 2^62 another value of the same sign stands for it: both are out of every
// range, and both have zeros in the 32 low bits.
std::int64_t round_to_integer(float value, Rounding rounding) {
    constexpr int kLargestShift = 39;
    const ExactValue exact = exact_value(value);
    const auto magnitude = static_cast<std::int64_t>(
        exact.exponent >= 0
            ? exact.significand << std::min(exact.exponent, kLargestShift)
            : round_off(exact.significand, -exact.exponent, exact.negative, rounding));
    return exact.negative ? -magnitude : magnitude;
}

/// Two's complement result of 1..32 bits, sign-extended if it is signed.
std::int64_t cast_to_integer(float value, bool is_signed, int bits, Rounding rounding,
                             IntegerOverflow overflow) {
    if (rounding == Rounding::hybrid) reject_hybrid();
    if (std::isnan(value)) return 0;
    const std::int64_t values = std::int64_t{1} << bits;
    const std::int64_t lowest = is_signed ? -(values / 2) : 0;
    const std::int64_t highest = lowest + values - 1;
    if (std::isinf(value)) return value < 0.0f ? lowest : highest;
    const std::int64_t rounded = round_to_integer(value, rounding);
    if (overflow == IntegerOverflow::saturate) return std::clamp(rounded, lowest, highest);
    return ((rounded - lowest) & (values - 1)) + lowest;
}

} // namespace

std::uint16_t cast_f32_to_f16(float value, Rounding rounding, FloatOverflow overflow) {
    return static_cast<std::uint16_t>(
        cast_to_format(value, kFloat16, kCanonicalNanF16, rounding, overflow));
}

std::uint16_t cast_f32_to_bf16(float value, Rounding rounding, FloatOverflow overflow) {
    return static_cast<std::uint16_t>(
        cast_to_format(value, kBfloat16, kCanonicalNanBf16, rounding, overflow));
}

std::int32_t cast_f32_to_s32(float value, Rounding rounding, IntegerOverflow overflow) {
    return static_cast<std::int32_t>(cast_to_integer(value, true, 32, rounding, overflow));
}

std::int16_t cast_f32_to_s16(float value, Rounding rounding, IntegerOverflow overflow) {
    return static_cast<std::int16_t>(cast_to_integer(value, true, 16, rounding, overflow));
}

std::int8_t cast_f32_to_s8(float value, Rounding rounding, IntegerOverflow overflow) {
    return static_cast<std::int8_t>(cast_to_integer(value, true, 8, rounding, overflow));
}

std::uint8_t cast_f32_to_u8(float value, Rounding rounding, IntegerOverflow overflow) {
    return static_cast<std::uint8_t>(cast_to_integer(value, false, 8, rounding, overflow));
}

std::int8_t cast_f32_to_s4(float value, Rounding rounding, IntegerOverflow overflow) {
    return static_cast<std::int8_t>(cast_to_integer(value, true, 4, rounding, overflow));
}

float cast_s32_to_f32(std::int32_t value, Rounding rounding) {
    return f32_from_bits(encode(exact_value(value), kFloat32, rounding, FloatOverflow::saturate));
}

std::uint16_t cast_s32_to_f16(std::int32_t value, Rounding rounding, FloatOverflow overflow) {
    return static_cast<std::uint16_t>(encode(exact_value(value), kFloat16, rounding, overflow));
}

} // namespace aicore
