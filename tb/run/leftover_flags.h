// What a program leaves behind in the flags of its cores.
#pragma once

#include "hw/core/core.h"
#include "tb/run/instruction_text.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// One line each: event flags that are still set, counters of cross-core flags that are not 0 or
/// wait for other participants, unit flags of L0C that are still 1. On silicon they survive into
/// the next program.
std::vector<std::string> leftover_flags(const Core& core, const PlaceText& place_text);

/// "MTE2->MTE1 id 3".
std::string name_of(const EventFlags::Name& flag);

} // namespace aicore::tb
