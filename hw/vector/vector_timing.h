// Pace of the vector instructions: pure timing.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/instruction.h"

namespace aicore {

/// Cycles from one repeat of the instruction to the next (vmrgsort4: four entries) when no bank of
/// UB is in the way: platform.yaml, engines.vector.cycles_per_repeat.
Cycles cycles_per_repeat(const VectorConfig& config, const Operation& operation);

} // namespace aicore
