// Text of timeline events.
#pragma once

#include "hw/isa/instruction.h"
#include "tlm/units.h"

#include <string>
#include <string_view>

namespace aicore::tb {

/// Name of an instruction in the timeline: mnemonic and its sizes, no addresses, so that equal
/// work has an equal name: "mmad 128x256x64", "load2d L0A x16", "set_flag MTE1->M 3".
std::string short_name(const Operation& operation);

/// The text as a JSON string, with its quotes.
std::string json_string(std::string_view text);

/// Time of a cycle in picoseconds, rounded; ends and starts that meet in cycles meet here as well.
std::int64_t picoseconds_at(Cycles cycle, int clock_mhz);

/// A time in microseconds with all six decimals: "1.081081".
std::string microseconds(std::int64_t picoseconds);

} // namespace aicore::tb
