// The blocks of L0C whose unit flags an instruction looks at, in its order.
#pragma once

#include "hw/isa/instruction.h"

#include <cstddef>
#include <vector>

namespace aicore::tb {

/// A fractal of L0C as a unit-flag instruction meets it: blocks [first, last].
struct FlagFractal {
    int first = 0, last = 0;
    int row = 0, panel = 0;
};

/// The fractals of an Mmad or a Fixpipe with unit flags; empty for other instructions.
std::vector<FlagFractal> flag_fractals(const Operation& operation, const FixpipeReadings& readings);

/// Index, from `from` on, of the fractal that covers `block`; fractals.size() when none does.
std::size_t find_block(const std::vector<FlagFractal>& fractals, std::size_t from, int block);

/// The instruction will leave the unit flag of `block` at `value`; it has passed the first `passed`
/// of its fractals.
bool turns_to(const Operation& operation, const FixpipeReadings& readings, std::size_t passed,
              int block, bool value);

} // namespace aicore::tb
