// The 8-bit format hifloat8 (arch 3510), whose exponent and fraction widths vary with the exponent.
//
// Code without the sign bit (s = 1: negative exponent; values as the vendor's data type document):
//   0000000   zero (with the sign bit set: NaN, the only one; there is no -0)
//   0000mmm   2^(m-23), denormals                  01sEmmm   |exponent| = 2 + E,  1 + m/8
//   0001mmm   exponent 0,  1 + m/8                 10sEEmm   |exponent| = 4 + EE,  1 + m/4
//   001smmm   |exponent| = 1,  1 + m/8             11sEEEm   |exponent| = 8 + EEE,  1 + m/2
// The place of 1.5 x 2^15 (0x6F) holds infinity, so the largest finite value is 2^15.
#pragma once

#include "hw/numerics/float8_values.h"
#include "hw/numerics/half.h"
#include "hw/numerics/rounding.h"

#include <cstdint>

namespace aicore {

inline constexpr std::uint8_t kHif8Nan = 0x80;
inline constexpr std::uint8_t kHif8Infinity = 0x6F;
inline constexpr std::uint8_t kHif8Largest = 0x6E;

const Float8Values& hif8_values();

/// float32 to hifloat8, by the pseudo-code of the vendor's Cast.
///
/// nearest_away: to nearest, ties away from zero. hybrid: the same for exponents -3..3; elsewhere
/// the 14 bits after the last kept one are compared with a threshold, the low 14 bits of the
/// fraction, and the magnitude grows if they are not less. "Not less" is literal: an exact value
/// with a zero threshold grows too (16 becomes 20), as in the vendor's own script.
/// Magnitudes below 2^-23 become 0, without sign. inf_nan: infinities and NaN are kept, what rounds
/// beyond 2^15 becomes infinity. saturate: +-2^15 instead, NaN becomes 0.
/// @throws std::invalid_argument for another rounding
std::uint8_t f32_to_hif8(float value, Rounding rounding, FloatOverflow overflow);

} // namespace aicore
