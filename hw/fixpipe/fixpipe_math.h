// Arithmetic of FixPipe on the rows of an L0C fractal: pure.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/instruction.h"
#include "hw/numerics/quantise.h"

#include <cstdint>

namespace aicore {

/// The pre stage of `fixpipe` as hw/numerics/quantise.h takes it.
QuantStage quant_stage(const Fixpipe& fixpipe, const NumericsConfig& numerics);

/// Takes `count` words of L0C, neighbours in a row or whole rows of 16, through the pre stage and
/// writes them in the destination's type. `words` is changed in place; `out` holds
/// count * size_of(dst_type) bytes. `columns` are the decoded parameters of the fractal's panel;
/// only the modes with a parameter read them.
void convert_words(const Fixpipe& fixpipe, const QuantStage& stage, const QuantColumns& columns,
                   std::uint32_t* words, int count, std::uint8_t* out);

} // namespace aicore
