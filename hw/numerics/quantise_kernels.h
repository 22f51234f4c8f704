// Inside of quantise.h: the vectorised steps on full rows of 16 columns.
#pragma once

#include "hw/numerics/quantise.h"

#include <cstdint>

namespace aicore::quantise {

/// What the steps need to know of a stage, the same for every column.
struct RowRules {
    bool int_source = false;
    ReluMode relu = ReluMode::none;
    bool narrow = false; ///< the narrow marks of the columns count
    bool limit = false;  ///< floating-point results do not exceed limit_max
    float limit_max = 0.0f;
    bool to_integer = false; ///< floating-point results are integers
    float clip_low = 0.0f;   ///< range before the rounding, at most +-2^21
    float clip_high = 0.0f;
    OffsetOrder order = OffsetOrder::round_then_add;
};

/// y of the header, for floating-point results. `scaled` is 64-byte aligned.
void scale_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               float* scaled);

/// Integer results, saturated. `results` is 64-byte aligned.
void round_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               std::int32_t* results);

/// x >> shift, saturated. `results` is 64-byte aligned.
void shift_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               std::int32_t* results);

/// The same bits as f32_to_e4m3 of fp8.h. `scaled` is 64-byte aligned.
void e4m3_row(const float* scaled, FloatOverflow overflow, SaturatedNan nan, std::uint8_t* codes);

} // namespace aicore::quantise
