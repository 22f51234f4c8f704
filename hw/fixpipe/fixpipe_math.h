// Arithmetic of FixPipe on one row of an L0C fractal: pure.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/numerics/half.h"

#include <cstdint>

namespace aicore {

/// Takes `count` words of L0C through the pre stage (ReLU, conversion) and writes them in the
/// destination's type. `words` is changed in place; `out` holds count * size_of(dst_type) bytes.
void convert_row(const Fixpipe& fixpipe, FloatOverflow overflow, std::uint32_t* words, int count, std::uint8_t* out);

} // namespace aicore
