// How reports name instructions and their places in the program file.
#pragma once

#include "hw/core/core.h"
#include "hw/isa/instruction.h"
#include "tlm/units.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aicore::tb {

/// Text of a place in the program file, as "kloop.yaml:14:7". Not called for line 0 (a generator).
using PlaceText = std::function<std::string(SourcePlace)>;

/// " (kloop.yaml:14:7)"; empty without a place.
std::string place_suffix(SourcePlace place, const PlaceText& place_text);

/// "instruction 12 (kloop.yaml:14:7)": its position in the program; `number` is that of its
/// dispatch.
std::string instruction_text(const Core& core, std::uint64_t number, SourcePlace place,
                             const PlaceText& place_text);

/// "last set in cycle 7 by instruction 12 (kloop.yaml:14:7)" or "never set", from the history of a
/// flag of `core`.
template <typename History>
std::string last_change(const Core& core, const std::string& verb, const History& history,
                        const PlaceText& place_text) {
    if (history.at < Cycles(0)) return "never " + verb;
    return "last " + verb + " in cycle " + std::to_string(history.at.count()) + " by " +
           instruction_text(core, history.instruction, history.place, place_text);
}

/// "3, 8-15, 20-31 and 5 more" for rising numbers.
std::string ranges_text(const std::vector<int>& numbers);

} // namespace aicore::tb
