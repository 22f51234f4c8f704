// Conversions between element types on one repeat: vconv and vdeqs162b8.
//
// Results of integer types saturate, NaN gives 0 (hw/numerics/cast.h); those of floating types obey
// CTRL[48]. int32 to float16 multiplies with the float16 scale in DEQSCALE and rounds once
// [inferred: the vendor gives value / 2^17 * scale * 2^17]. vdeqs162b8 is the integer rule of
// FixPipe's quantisation: scale, round to nearest even, add the offset, saturate [inferred].
#pragma once

#include "hw/isa/vector_instruction.h"

#include <cstdint>

namespace aicore {

/// Converts `count` elements that lie one after another. vdeqs162b8 writes one byte for each.
/// Throws std::invalid_argument for types that no conversion has.
void convert_lanes(const VectorOp& op, const std::uint8_t* in, int count, std::uint8_t* out);

} // namespace aicore
