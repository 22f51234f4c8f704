#include "hw/numerics/hifloat8.h"

#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace aicore {

namespace {

constexpr int kLargestExponent = 15;
constexpr int kSmallestNormalExponent = -15;
constexpr int kDenormalOffset = 23; // code = exponent + offset
constexpr int kTailBits = 14;

constexpr float decode(std::uint32_t code) {
    if (code == kHif8Nan) return std::numeric_limits<float>::quiet_NaN();
    const std::uint32_t magnitude = code & 0x7Fu;
    float value = 0.0f;
    if (magnitude == kHif8Infinity) {
        value = std::numeric_limits<float>::infinity();
    } else if (magnitude >= 0x20u) {
        // Two prefix bits say how many exponent bits follow the sign of the exponent.
        const int exponent_bits = static_cast<int>(magnitude >> 5);
        const int fraction_bits = 4 - exponent_bits;
        const auto low = static_cast<int>(magnitude & 0xFu);
        const int fraction = low & ((1 << fraction_bits) - 1);
        const int size = (1 << exponent_bits) + (low >> fraction_bits);
        const int exponent = (magnitude & 0x10u) != 0 ? -size : size;
        value = scale_by_power(static_cast<float>((1 << fraction_bits) + fraction),
                               exponent - fraction_bits);
    } else if (magnitude >= 0x08u) {
        const int exponent = magnitude < 0x10u ? 0 : magnitude < 0x18u ? 1 : -1;
        value = scale_by_power(static_cast<float>(8u + (magnitude & 7u)), exponent - 3);
    } else if (magnitude > 0) {
        value = scale_by_power(1.0f, static_cast<int>(magnitude) - kDenormalOffset);
    }
    return (code & 0x80u) != 0 ? -value : value;
}

constexpr Float8Values tabulate() {
    Float8Values values{};
    for (std::uint32_t code = 0; code < values.size(); ++code) values[code] = decode(code);
    return values;
}

constexpr Float8Values kHif8Values = tabulate();

/// Fraction bits at an exponent. -1 below the denormals: there a value of half the smallest one may
/// still round up.
int fraction_bits_at(int exponent) {
    if (exponent < kSmallestNormalExponent) return exponent + kDenormalOffset > 0 ? 0 : -1;
    const int size = std::abs(exponent);
    return size < 4 ? 3 : size < 8 ? 2 : 1;
}

/// Code of a magnitude up to 2^16: 1.fraction x 2^exponent, or a denormal with fraction 0.
std::uint32_t encode(int exponent, std::uint32_t fraction) {
    if (exponent < kSmallestNormalExponent) {
        return static_cast<std::uint32_t>(exponent + kDenormalOffset);
    }
    if (exponent > kLargestExponent) return kHif8Infinity;
    const auto size = static_cast<std::uint32_t>(std::abs(exponent));
    const std::uint32_t negative = exponent < 0 ? 1u : 0u;
    if (size == 0) return 0x08u | fraction;
    if (size == 1) return 0x10u | negative << 3 | fraction;
    if (size < 4) return 0x20u | negative << 4 | (size - 2u) << 3 | fraction;
    if (size < 8) return 0x40u | negative << 4 | (size - 4u) << 2 | fraction;
    return 0x60u | negative << 4 | (size - 8u) << 1 | fraction;
}

std::uint32_t round_magnitude(std::uint32_t bits, Rounding rounding) {
    const int exponent = static_cast<int>(bits >> 23) - 127;
    if (exponent > kLargestExponent) return kHif8Infinity;
    if (exponent < -kDenormalOffset) return 0;
    const std::uint32_t significand = (bits & 0x7FFFFFu) | 0x800000u;
    const int fraction_bits = fraction_bits_at(exponent);
    const int dropped = 23 - fraction_bits;
    const std::uint32_t tail = (significand >> (dropped - kTailBits)) & ((1u << kTailBits) - 1u);
    const std::uint32_t threshold = rounding == Rounding::hybrid && fraction_bits < 3
                                        ? bits & ((1u << kTailBits) - 1u)
                                        : 1u << (kTailBits - 1);
    const std::uint32_t kept = (significand >> dropped) + (tail >= threshold ? 1u : 0u);
    if (kept == 0) return 0;
    if (fraction_bits < 0) return encode(exponent + 1, 0);
    const std::uint32_t one = 1u << fraction_bits;
    return kept == 2 * one ? encode(exponent + 1, 0) : encode(exponent, kept - one);
}

} // namespace

const Float8Values& hif8_values() { return kHif8Values; }

std::uint8_t f32_to_hif8(float value, Rounding rounding, FloatOverflow overflow) {
    if (rounding != Rounding::nearest_away && rounding != Rounding::hybrid) {
        throw std::invalid_argument("hifloat8 rounds to nearest (ties away) or by hybrid rounding");
    }
    const bool saturate = overflow == FloatOverflow::saturate;
    const std::uint32_t bits = f32_to_bits(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return saturate ? std::uint8_t{0} : kHif8Nan;
    std::uint32_t code = round_magnitude(magnitude, rounding);
    if (code == 0) return 0;
    if (code == kHif8Infinity && saturate) code = kHif8Largest;
    return static_cast<std::uint8_t>((bits >> 24 & 0x80u) | code);
}

} // namespace aicore
