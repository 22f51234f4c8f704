// How reports name instructions and their places in the program file.
#pragma once

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

/// "instruction 12 (kloop.yaml:14:7)".
std::string instruction_text(std::uint64_t number, SourcePlace place, const PlaceText& place_text);

/// "last set in cycle 7 by instruction 12 (kloop.yaml:14:7)" or "never set", from the history of a
/// flag.
template <typename History>
std::string last_change(const std::string& verb, const History& history,
                        const PlaceText& place_text) {
    if (history.at < Cycles(0)) return "never " + verb;
    return "last " + verb + " in cycle " + std::to_string(history.at.count()) + " by " +
           instruction_text(history.instruction, history.place, place_text);
}

/// "3, 8-15, 20-31 and 5 more" for rising numbers.
std::string ranges_text(const std::vector<int>& numbers);

} // namespace aicore::tb
