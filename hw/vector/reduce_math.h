// Reductions of the vector unit on one repeat.
//
// Sums add neighbours, then neighbouring sums, and so on; every sum is rounded to the type. Of
// equal values the one with the smallest index wins; a NaN beats every number [inferred]. Elements
// that are not enabled count as 0 (sums), -inf (maximum) or +inf (minimum) [inferred]; a repeat,
// block or pair without an enabled element has no result.
#pragma once

#include "hw/isa/vector_instruction.h"
#include "hw/isa/vector_shape.h"

#include <cstdint>

namespace aicore {

/// Reduces groups of `group` neighbours of the `count` elements at `in` to one result each, written
/// one after another to `out`. Returns the groups that have a result.
LaneMask reduce_groups(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                       int group, std::uint8_t* out);

/// The result of vcmax or vcmin for a whole repeat with an enabled element, in the order of the
/// instruction: value, index in the repeat, or both; repeat_result_bytes() bytes.
void reduce_extreme(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                    std::uint8_t* out);

} // namespace aicore
