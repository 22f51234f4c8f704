// What FixPipe's quantisation of a sum must give, computed without any part of the model.
#pragma once

#include "hw/isa/types.h"

#include <cstdint>
#include <vector>

namespace aicore::tb {

/// Sums of a product, row by row, through the pre stage: y = x * scale in float32, with ReLU 0 for
/// x <= 0, then rounded to nearest even and saturated in `type`, which is float16, int8, uint8 or
/// int16. int8 and uint8 clip y to [-256, 255] first.
///
/// `words`: one parameter, or one for each of the `columns`; bits 31:13 are the scale, bit 46 the
/// sign of an 8-bit result, the others must be 0 (no offset, no shift). Throws
/// std::invalid_argument otherwise.
std::vector<std::uint8_t> quantise_sums(const std::vector<float>& sums, std::int64_t columns,
                                        const std::vector<std::uint64_t>& words, bool relu,
                                        DataType type);

} // namespace aicore::tb
