// Binary floating-point formats in general: rounding an exact value to a code.
#pragma once

#include "hw/numerics/half.h"
#include "hw/numerics/rounding.h"

#include <cstdint>

namespace aicore {

/// A format with a sign bit, a biased exponent and a fraction, with denormals. Codes below are
/// without the sign.
struct FloatFormat {
    int exponent_bits;
    int fraction_bits;
    std::uint32_t largest;  ///< code of the largest finite value
    std::uint32_t overflow; ///< code of a result beyond: infinity, or NaN where there is none

    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint32_t sign_bit() const { return 1u << (exponent_bits + fraction_bits); }
};

inline constexpr FloatFormat kFloat16{5, 10, 0x7BFF, 0x7C00};
inline constexpr FloatFormat kBfloat16{8, 7, 0x7F7F, 0x7F80};
inline constexpr FloatFormat kFloat32{8, 23, 0x7F7FFFFF, 0x7F800000};
inline constexpr FloatFormat kFp8E4m3{4, 3, 0x7E, 0x7F}; ///< the "fn" variant, without infinities
inline constexpr FloatFormat kFp8E5m2{5, 2, 0x7B, 0x7C};

/// A finite value: (-1)^negative x significand x 2^exponent.
struct ExactValue {
    std::uint64_t significand;
    int exponent;
    bool negative;
};

/// `value` must be finite.
ExactValue exact_value(float value);
ExactValue exact_value(std::int32_t value);

/// Rounds to the nearest codes of a format once, denormals included, and keeps the sign, that of a
/// zero too.
///
/// A result beyond the largest finite value: saturate gives the largest; inf_nan follows IEEE 754,
/// that is `overflow` of the format if the rounding is to nearest or away from zero for this sign,
/// else the largest. The vendor documents directed rounding of representable values only, so the
/// latter is inferred, and that `odd` ends at the largest (its last bit is odd) as well.
/// @return code with sign
/// @throws std::invalid_argument for Rounding::hybrid
std::uint32_t encode(const ExactValue& value, const FloatFormat& format, Rounding rounding,
                     FloatOverflow overflow);

} // namespace aicore
