// Pace of the vector instructions: pure timing.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/instruction.h"

namespace aicore {

/// Cuts a pace that is no whole number of cycles into repeats that are: n of them take the pace
/// times n, rounded up. A repeat begins when the one before it has ended, so that cycles which it
/// lost to a bank conflict stay lost; only the fraction by which its end was rounded up is given
/// back to the repeats behind it.
class RepeatPace {
public:
    RepeatPace() = default;
    /// At least one cycle, so that every repeat takes one.
    explicit RepeatPace(CycleHundredths cycles_per_repeat);

    /// Cycles of the next repeat when nothing is in its way.
    Cycles next();

private:
    CycleHundredths per_repeat_;
    CycleHundredths ahead_; ///< [0, 1) cycle: what the repeats so far were rounded up
};

/// Pace of the instruction's repeats (vmrgsort4: of four entries) when no bank of UB is in the way:
/// platform.yaml, engines.vector.cycles_per_repeat.
RepeatPace repeat_pace(const VectorConfig& config, const Operation& operation);

} // namespace aicore
