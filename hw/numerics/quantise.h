// FixPipe's arithmetic on one row of up to 16 columns: the pre stage and the post stage.
//
// Pre stage: x is a word of L0C as float32 (int32 rounds to nearest even).
//   y = x * M1 for x >= 0 and x * M2 for x < 0, rounded to float32. M1 is the scale of the
//   parameter, 1 in the modes without one. M2 is M1 without ReLU, 0 with the normal form (every
//   x <= 0 gives +0), and else the slope itself, which is not multiplied by the scale.
//   Integer result: clip y to the extended range, round to nearest even, add the offset, saturate.
//   8 and 4 bits: extended range [-256, 255]; int16: no offset. NaN counts as 0 [inferred].
//   Floating-point result: convert y, to nearest even if the mode's name says nothing else.
//   Clipping: no result exceeds the limit; of an integer, its integer part [inferred].
//   SHIFTS322S16: x >> N, saturated to int16. none: the word itself, with ReLU.
// Post stage [inferred]: u is a float16 or int16, exact as float32; the integer rule above with the
//   scale M3 and an unlimited y.
// What the texts leave open beyond these points is chosen by QuantSwitches.
//
// Results are the same bits on every machine and instruction set. Every pointer needs the alignment
// of its element only; a row may lie in place of its source when its elements are not wider.
#pragma once

#include "hw/numerics/data_type.h"
#include "hw/numerics/fp8.h"
#include "hw/numerics/half.h"
#include "hw/numerics/quant_mode.h"
#include "hw/numerics/quant_parameter.h"

#include <cstdint>

namespace aicore {

inline constexpr int kQuantColumns = 16; ///< columns of one row of an L0C fractal

/// The pre stage of one instruction.
struct QuantStage {
    QuantPreMode mode = QuantPreMode::none;
    DataType source = DataType::float32; ///< what lies in L0C: float32 or int32
    ReluMode relu = ReluMode::none;
    bool clip = false;          ///< clipping ReLU
    std::uint16_t clip_max = 0; ///< its limit, a float16
    /// CTRL[48], for results in float32, float16 (but DEQF16, which saturates), bfloat16 (but
    /// F322BF16, see Bf16Cast), fp8 and hifloat8.
    FloatOverflow overflow = FloatOverflow::inf_nan;
    SaturatedNan fp8_nan = SaturatedNan::zero; ///< CTRL[50], for saturating fp8_e4m3 results
    int arch = 2201;
    QuantSwitches switches;
};

/// The post stage of one instruction; mode none has no arithmetic and is not allowed here.
struct PostStage {
    QuantPostMode mode = QuantPostMode::QF162B8_POST;
    ReluMode relu = ReluMode::none;
    bool clip = false;
    std::uint16_t clip_max = 0;
    QuantSwitches switches;
};

/// Parameters of up to 16 neighbouring columns in the form that the arithmetic takes.
struct QuantColumns {
    alignas(64) float positive[kQuantColumns] = {}; ///< M1 or M3
    alignas(64) float negative[kQuantColumns] = {}; ///< M2 or M4
    alignas(64) std::int32_t shift[kQuantColumns] = {};
    alignas(64) std::int32_t narrow[kQuantColumns] = {}; ///< -1: narrow to int16 first, 0: do not
    alignas(64) std::int32_t offset[kQuantColumns] = {};
    alignas(64) std::int32_t low[kQuantColumns] = {}; ///< limits of an integer result
    alignas(64) std::int32_t high[kQuantColumns] = {};
    bool any_narrow = false;
};

/// What becomes of a float16 or bfloat16 result of the pre stage that is too large.
FloatOverflow half_overflow(const QuantStage& stage);

/// Decodes the parameters once for all rows of the columns.
///
/// @param parameters `count` words in a vector mode, one in a scalar mode, else unused
/// @param slopes     `count` words for prelu, one for leaky, else unused; slope in bits 31:13
/// @param count      1..16 columns
/// @throws std::invalid_argument when the mode is not available on the architecture, or the source
///         type, the ReLU form or the clipping does not go with it; for a count out of range
QuantColumns decode_columns(const QuantStage& stage, const std::uint64_t* parameters,
                            const std::uint32_t* slopes, int count);
QuantColumns decode_columns(const PostStage& stage, const std::uint64_t* parameters,
                            const std::uint32_t* slopes, int count);

/// Takes `count` (1..16) words of L0C through the pre stage. `out` receives
/// row_bytes(info(stage.mode).result, count) bytes.
void quantise_row(const QuantStage& stage, const QuantColumns& columns, const std::uint32_t* words,
                  int count, std::uint8_t* out);

/// Takes `count` (1..16) float16 or int16 values through the post stage. `out` receives
/// row_bytes(info(stage.mode).result, count) bytes.
void requantise_row(const PostStage& stage, const QuantColumns& columns,
                    const std::uint16_t* values, int count, std::uint8_t* out);

} // namespace aicore
