// Conversions with a chosen rounding, one element at a time. convert.h has the rows that FixPipe
// needs, to nearest even.
//
// Every function throws std::invalid_argument for Rounding::hybrid.
#pragma once

#include "hw/numerics/half.h"
#include "hw/numerics/rounding.h"

#include <cstdint>

namespace aicore {

/// What becomes of an integer result out of range.
///
/// Bit 53 of CTRL selects it for integer computations: 0 wrap, 1 saturate. Casts of arch 3510 obey
/// bit 59 instead, if bit 60 is set, with the opposite sense: 0 saturate, 1 wrap. Casts of arch
/// 2201 saturate unless told otherwise, and integer results of FixPipe always saturate. (Vendor
/// documents: CTRL register, Cast, FixPipe.)
enum class IntegerOverflow : std::uint8_t {
    wrap,     ///< the low bits of the rounded value, in two's complement
    saturate, ///< the nearest value in range
};

/// float32 to float16. NaN and infinities as f32_to_f16 of half.h, overflow as encode of
/// float_format.h.
std::uint16_t cast_f32_to_f16(float value, Rounding rounding, FloatOverflow overflow);

/// float32 to bfloat16, likewise.
std::uint16_t cast_f32_to_bf16(float value, Rounding rounding, FloatOverflow overflow);

// float32 to an integer type. A NaN becomes 0 and an infinity the nearest end of the range, with
// wrap too (vendor document of the register-based Cast of arch 3510; taken over for arch 2201).
// float16 and bfloat16 sources: widen first, which is exact.

std::int32_t cast_f32_to_s32(float value, Rounding rounding, IntegerOverflow overflow);
std::int16_t cast_f32_to_s16(float value, Rounding rounding, IntegerOverflow overflow);
std::int8_t cast_f32_to_s8(float value, Rounding rounding, IntegerOverflow overflow);

/// Negative values saturate to 0; wrapped, -1 is 255.
std::uint8_t cast_f32_to_u8(float value, Rounding rounding, IntegerOverflow overflow);

/// @return -8..7; pack_int4 of int4.h makes bytes
std::int8_t cast_f32_to_s4(float value, Rounding rounding, IntegerOverflow overflow);

/// int32 to float32.
float cast_s32_to_f32(std::int32_t value, Rounding rounding);

/// int32 to float16, rounded once. The vendor's Cast of integers to floats always saturates.
std::uint16_t cast_s32_to_f16(std::int32_t value, Rounding rounding, FloatOverflow overflow);

} // namespace aicore
