// Comparisons and selections of the vector unit on one repeat.
#pragma once

#include "hw/isa/vector_instruction.h"
#include "hw/isa/vector_shape.h"

#include <cstdint>

namespace aicore {

/// The bits of a comparison of `count` elements; src1 is null for a comparison with the scalar.
/// With a NaN only `ne` holds. Throws std::invalid_argument for a type that is not compared.
LaneMask compare_lanes(const VectorOp& op, const std::uint8_t* src0, const std::uint8_t* src1,
                       int count);

/// Element i of src0 where bit i is 1, of src1 (null: the scalar) where it is 0; bits are copied.
void select_lanes(const VectorOp& op, const LaneMask& bits, const std::uint8_t* src0,
                  const std::uint8_t* src1, int count, std::uint8_t* out);

} // namespace aicore
