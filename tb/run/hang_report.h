// The report on cores that stand still: what each pipe waits for, and what could have ended it.
#pragma once

#include "tb/run/instruction_text.h"
#include "tb/run/simulation.h"
#include "tb/run/wait_graph.h"

#include <ostream>
#include <vector>

namespace aicore::tb {

/// Writes for each blocked pipe of the `cores` that are not done: the instruction with its place,
/// the reason, the flag or the blocks, who last changed them, and what could still change them and
/// where it stands; for each of these cores the flags left set; then the circles of pipes that wait
/// for one another, in one core or across them, when there are any.
///
/// `cores`: all cores with a program; their sources are pulled to tell "not dispatched" from
/// "nowhere in the program" (the next run rewinds them). `now` is the cycle in which the run ended,
/// `readings` are those of the platform.
void write_hang_report(std::ostream& out, const std::vector<RunCore>& cores, RunOutcome outcome,
                       Cycles now, const FixpipeReadings& readings, const PlaceText& place_text);

} // namespace aicore::tb
