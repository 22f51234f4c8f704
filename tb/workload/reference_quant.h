// What FixPipe's quantisation of a sum must give, computed without any part of the model.
#pragma once

#include "hw/isa/types.h"
#include "hw/numerics/quant_mode.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aicore::tb {

/// Type of the result of a mode that quantise_sums computes (b8: int8); nothing for other modes.
std::optional<DataType> quantised_type(QuantPreMode mode);

/// What keeps quantise_sums from a result of `type` with the parameter `word`, as "bit 46 must be
/// set for int8"; nothing when it can.
std::optional<std::string> unknown_parameter(std::uint64_t word, DataType type);

/// Sums of a product, row by row, through the pre stage: y = x * scale in float32, with ReLU 0 for
/// x <= 0, then rounded to nearest even and saturated in `type`, which is float16, int8, uint8 or
/// int16. int8 and uint8 clip y to [-256, 255] first.
///
/// `words`: one parameter, or one for each of the `columns`; bits 31:13 are the scale, bit 46 the
/// sign of an 8-bit result; no offset, no shift. Throws std::invalid_argument when there are too
/// few or when unknown_parameter() finds fault with one.
std::vector<std::uint8_t> quantise_sums(const std::vector<float>& sums, std::int64_t columns,
                                        const std::vector<std::uint64_t>& words, bool relu,
                                        DataType type);

} // namespace aicore::tb
