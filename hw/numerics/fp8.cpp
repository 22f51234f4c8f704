#include "hw/numerics/fp8.h"

#include "hw/numerics/float_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aicore {

namespace {

constexpr float decode(const FloatFormat& format, std::uint32_t code) {
    const std::uint32_t magnitude = code & (format.sign_bit() - 1u);
    const std::uint32_t one = 1u << format.fraction_bits;
    const auto exponent = static_cast<int>(magnitude >> format.fraction_bits);
    std::uint32_t significand = magnitude % one;
    if (exponent > 0) significand += one;
    float value = scale_by_power(static_cast<float>(significand),
                                 std::max(exponent, 1) - format.bias() - format.fraction_bits);
    if (magnitude > format.largest) {
        const bool infinite = format.overflow == magnitude && significand == one;
        if (!infinite) return std::numeric_limits<float>::quiet_NaN();
        value = std::numeric_limits<float>::infinity();
    }
    return (code & format.sign_bit()) != 0 ? -value : value;
}

constexpr Float8Values tabulate(const FloatFormat& format) {
    Float8Values values{};
    for (std::uint32_t code = 0; code < values.size(); ++code) values[code] = decode(format, code);
    return values;
}

constexpr Float8Values kE4m3Values = tabulate(kFp8E4m3);
constexpr Float8Values kE5m2Values = tabulate(kFp8E5m2);

std::uint8_t encode_fp8(float value, const FloatFormat& format, std::uint8_t canonical_nan,
                        FloatOverflow overflow, SaturatedNan nan) {
    const bool saturate = overflow == FloatOverflow::saturate;
    if (std::isnan(value)) {
        return saturate && nan == SaturatedNan::zero ? std::uint8_t{0} : canonical_nan;
    }
    std::uint32_t code;
    if (std::isinf(value)) {
        code = (std::signbit(value) ? format.sign_bit() : 0u) |
               (saturate ? format.largest : format.overflow);
    } else {
        code = encode(exact_value(value), format, Rounding::nearest_even, overflow);
    }
    return static_cast<std::uint8_t>(code);
}

} // namespace

const Float8Values& e4m3_values() { return kE4m3Values; }
const Float8Values& e5m2_values() { return kE5m2Values; }

std::uint8_t f32_to_e4m3(float value, FloatOverflow overflow, SaturatedNan nan) {
    const std::uint8_t code = encode_fp8(value, kFp8E4m3, kCanonicalNanE4m3, overflow, nan);
    // Overflow is a NaN here: of both signs only the canonical one is made.
    return (code & 0x7Fu) == kCanonicalNanE4m3 ? kCanonicalNanE4m3 : code;
}

std::uint8_t f32_to_e5m2(float value, FloatOverflow overflow, SaturatedNan nan) {
    return encode_fp8(value, kFp8E5m2, kCanonicalNanE5m2, overflow, nan);
}

} // namespace aicore
