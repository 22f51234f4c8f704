#include "hw/numerics/float_format.h"

#include <hwy/base.h>

#include <algorithm>

namespace aicore {

namespace {

bool grows_beyond_largest(Rounding rounding, bool negative) {
    switch (rounding) {
    case Rounding::nearest_even:
    case Rounding::nearest_away: return true;
    case Rounding::floor: return negative;
    case Rounding::ceil: return !negative;
    case Rounding::trunc:
    case Rounding::odd: return false;
    case Rounding::hybrid: break;
    }
    reject_hybrid();
}

} // namespace

ExactValue exact_value(float value) {
    const std::uint32_t bits = f32_to_bits(value);
    const std::uint32_t exponent = (bits >> 23) & 0xFFu;
    const std::uint32_t fraction = bits & 0x7FFFFFu;
    const bool negative = bits >> 31 != 0;
    if (exponent == 0) return {fraction, -149, negative};
    return {fraction | 0x800000u, static_cast<int>(exponent) - 150, negative};
}

ExactValue exact_value(std::int32_t value) {
    const std::int64_t wide = value;
    return {static_cast<std::uint64_t>(wide < 0 ? -wide : wide), 0, wide < 0};
}

std::uint32_t encode(const ExactValue& value, const FloatFormat& format, Rounding rounding,
                     FloatOverflow overflow) {
    if (rounding == Rounding::hybrid) reject_hybrid();
    const std::uint32_t sign = value.negative ? format.sign_bit() : 0u;
    if (value.significand == 0) return sign;
    const int leading =
        63 - static_cast<int>(hwy::Num0BitsAboveMS1Bit_Nonzero64(value.significand));
    const int lowest = 1 - format.bias(); // exponent of the denormals and of the first normals
    const int exponent = std::max(leading + value.exponent, lowest);
    const int dropped = exponent - format.fraction_bits - value.exponent;
    const std::uint64_t kept =
        dropped <= 0 ? value.significand << -dropped
                     : round_off(value.significand, dropped, value.negative, rounding);
    // The leading one of `kept`, if any, adds the missing one to the exponent field, and so does a
    // carry of the rounding.
    const std::uint32_t code =
        (static_cast<std::uint32_t>(exponent - lowest) << format.fraction_bits) +
        static_cast<std::uint32_t>(kept);
    if (code <= format.largest) return sign | code;
    if (overflow == FloatOverflow::saturate || !grows_beyond_largest(rounding, value.negative)) {
        return sign | format.largest;
    }
    return sign | format.overflow;
}

} // namespace aicore
