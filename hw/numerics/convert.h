// Row conversions: the stored form of float32 results, and FixPipe's cast and ReLU.
//
// Vectorised; the bits equal those of the scalar functions of half.h on every machine. Pointers
// need the alignment of their element only; a count of 0 does nothing.
#pragma once

#include "hw/numerics/half.h"

#include <cstdint>

namespace aicore {

/// Brings float32 results to the form that is stored, in place. inf_nan: every NaN becomes
/// 0x7FC00000, all else stays. saturate: infinities become +-3.4028235e38, NaN becomes +0.
void finish_block(float* words, int count, FloatOverflow overflow);

/// float32 to float16, to nearest even. inf_nan: NaN becomes 0x7E00. saturate: +-65504, NaN to 0.
void convert_f32_to_f16(const float* in, int count, FloatOverflow overflow, std::uint16_t* out);

/// float32 to bfloat16, to nearest even. inf_nan: NaN becomes 0x7FC0. saturate: +-0x7F7F, NaN to 0.
void convert_f32_to_bf16(const float* in, int count, FloatOverflow overflow, std::uint16_t* out);

/// ReLU in place: max(0, x). All that is not above zero becomes +0, -0 too; a NaN keeps its bits.
void relu_f32(float* words, int count);

/// ReLU of int32 in place.
void relu_s32(std::int32_t* words, int count);

} // namespace aicore
