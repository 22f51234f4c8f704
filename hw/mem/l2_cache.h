// Tags of the L2 cache: which lines of global memory it holds. Pure bookkeeping, no time, no data.
//
// Set-associative, least recently used line out, write-back. A written line is allocated without
// being fetched [inferred: writers store whole lines, a byte mask covers the rest].
#pragma once

#include "hw/config/platform.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aicore {

class L2Cache {
public:
    using Line = std::uint64_t; ///< address / line size

    struct Result {
        bool hit = false;
        std::optional<Line> written_back; ///< a dirty line that had to make room
    };

    explicit L2Cache(const L2Config& config);

    bool holds(Line line) const;
    /// Uses `line`, which is allocated when it is not there.
    Result use(Line line, bool write);
    /// Uses `line` if it is there, and allocates nothing. Returns from when on its data are there;
    /// nothing when it is not held.
    std::optional<Cycles> use_if_held(Line line);
    /// The data of `line`, which was used last, arrive at `at`.
    void fill_at(Line line, Cycles at) { set_of(line).front().filled_at = at; }
    void clear();

private:
    struct Way {
        Line line = 0;
        bool dirty = false;
        Cycles filled_at;
    };
    using Set = std::vector<Way>; ///< in order of use, the last used first

    std::size_t set_index(Line line) const;
    Set& set_of(Line line) { return sets_[set_index(line)]; }
    static bool promote(Set& ways, Line line, bool write);

    std::size_t ways_;
    std::vector<Set> sets_;
};

} // namespace aicore
