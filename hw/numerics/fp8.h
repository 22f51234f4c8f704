// The 8-bit formats fp8 e4m3fn (bias 7, no infinities, NaN 0x7F and 0xFF, largest value 448) and
// fp8 e5m2 (bias 15, laid out as IEEE 754 formats are, largest value 57344).
#pragma once

#include "hw/numerics/float8_values.h"
#include "hw/numerics/half.h"

#include <cstdint>

namespace aicore {

/// What becomes of a NaN in a saturating conversion to fp8 (bit 50 of CTRL, arch 3510).
enum class SaturatedNan : std::uint8_t { zero, keep };

// A NaN result has these codes, as the 16-bit formats have one canonical NaN each; the vendor does
// not say which one the hardware makes (inferred).
inline constexpr std::uint8_t kCanonicalNanE4m3 = 0x7F;
inline constexpr std::uint8_t kCanonicalNanE5m2 = 0x7E;

const Float8Values& e4m3_values();
const Float8Values& e5m2_values();

/// float32 to e4m3fn, to nearest even (the only rounding it has), with denormals.
///
/// saturate: +-448 for what is beyond and for infinities, NaN as `nan` says. inf_nan: what still
/// exceeds 448 after rounding, infinities and NaN become NaN; `nan` has no influence. (Vendor
/// documents: FixPipe and Cast of arch 3510.)
std::uint8_t f32_to_e4m3(float value, FloatOverflow overflow, SaturatedNan nan);

/// float32 to e5m2, to nearest even, with denormals.
///
/// saturate: +-57344 for what is beyond and for infinities, NaN as `nan` says. inf_nan: infinities
/// and NaN are kept, what rounds beyond 57344 becomes infinity (inferred; the vendor's Cast names
/// infinite inputs only).
std::uint8_t f32_to_e5m2(float value, FloatOverflow overflow, SaturatedNan nan);

} // namespace aicore
