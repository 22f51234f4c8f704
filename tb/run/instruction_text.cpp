#include "tb/run/instruction_text.h"

#include <sstream>

namespace aicore::tb {
namespace {

/// Ranges that are listed before the rest is only counted.
constexpr std::size_t kListedRanges = 8;

} // namespace

std::string place_suffix(SourcePlace place, const PlaceText& place_text) {
    return place.line == 0 ? std::string() : " (" + place_text(place) + ")";
}

std::string instruction_text(const Core& core, std::uint64_t number, SourcePlace place,
                             const PlaceText& place_text) {
    return "instruction " + std::to_string(core.scalar().position_of(number)) +
           place_suffix(place, place_text);
}

std::string ranges_text(const std::vector<int>& numbers) {
    std::ostringstream text;
    std::size_t listed = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        if (listed++ == kListedRanges) {
            text << " and " << numbers.size() - i << " more";
            break;
        }
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text << (i == 0 ? "" : ", ") << numbers[i];
        if (end > i + 1) text << '-' << numbers[end - 1];
        i = end;
    }
    return text.str();
}

} // namespace aicore::tb
