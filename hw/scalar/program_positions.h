// Where instructions stand in their program, from the numbers that they were dispatched with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aicore {

/// Numbers count what a core dispatches since its reset, in all launches and with the steps of each
/// SyncAll. Positions count the instructions of one launch, from 1; the steps of a SyncAll have its
/// position. Grows by two entries with each SyncAll.
class ProgramPositions {
public:
    void clear() { spans_.clear(); }
    /// `first` and the numbers behind it have the positions `position`, `position` + 1, ...
    void count_from(std::uint64_t first, std::uint64_t position) {
        spans_.push_back({first, position, 1});
    }
    /// `first` and the numbers behind it all have this position.
    void stay_from(std::uint64_t first, std::uint64_t position) {
        spans_.push_back({first, position, 0});
    }

    /// 0 for a number that is before the first one.
    std::uint64_t of(std::uint64_t number) const {
        const auto behind =
            std::upper_bound(spans_.begin(), spans_.end(), number,
                             [](std::uint64_t one, const Span& span) { return one < span.first; });
        if (behind == spans_.begin()) return 0;
        const Span& span = *(behind - 1);
        return span.position + (number - span.first) * span.step;
    }

private:
    struct Span {
        std::uint64_t first, position, step;
    };

    std::vector<Span> spans_; ///< in the order of their numbers
};

} // namespace aicore
