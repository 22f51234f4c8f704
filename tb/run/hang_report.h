// The report on a core that stands still: what each pipe waits for, and what could have ended it.
#pragma once

#include "hw/core/core.h"
#include "hw/mem/l0c_unit_flags.h"
#include "tb/run/simulation.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace aicore::tb {

/// Text of a place in the program file, as "kloop.yaml:14:7". Not called for line 0 (a generator).
using PlaceText = std::function<std::string(SourcePlace)>;

/// Writes for each blocked pipe: the instruction with its place, the reason, the flag or the
/// blocks, who last changed them, and what could still change them and where it stands; then the
/// circle of pipes that wait for one another, when there is one, and the flags left set.
///
/// `now` is the cycle in which the run ended. `rest` is the source of the run: what the scalar unit
/// has not dispatched is pulled from it, so that the report can tell "not dispatched" from "nowhere
/// in the program"; the next run rewinds it. Null when the report shall leave it alone.
void write_hang_report(std::ostream& out, const Core& core, RunOutcome outcome, Cycles now,
                       const PlaceText& place_text, InstructionSource* rest = nullptr);

/// What a finished program has left behind, one line each: event flags that are still set, unit
/// flags of L0C that are still 1. On silicon they survive into the next program.
std::vector<std::string> leftover_warnings(const Core& core, const PlaceText& place_text);

} // namespace aicore::tb
