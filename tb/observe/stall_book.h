// Stalls of one pipe that were announced and are not yet accounted for.
#pragma once

#include "hw/pipe/observer.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace aicore::tb {

/// Announced stalls may reach into the future, and a run may end before they do. The book keeps
/// them until the time they lie in has passed. A cycle is lost once: where stalls overlap, it
/// counts for the one that began first.
class StallBook {
public:
    void add(Cycles from, Cycles until, WaitReason reason) {
        if (from < until) stalls_.push_back({from, until, reason});
    }

    /// Calls lost(reason, cycles) for each stall inside [from, until), then forgets all before
    /// `until`.
    template <typename Lost>
    void take(Cycles from, Cycles until, Lost lost) {
        std::sort(stalls_.begin(), stalls_.end());
        Cycles covered = from;
        for (Stall& stall : stalls_) {
            const Cycles first = std::max(stall.from, covered);
            const Cycles last = std::min(stall.until, until);
            if (first < last) {
                lost(stall.reason, last - first);
                covered = last;
            }
            stall.from = std::max(stall.from, until);
        }
        stalls_.erase(std::remove_if(stalls_.begin(), stalls_.end(),
                                     [](const Stall& stall) { return stall.from >= stall.until; }),
                      stalls_.end());
    }

    void clear() { stalls_.clear(); }

private:
    struct Stall {
        Cycles from, until;
        WaitReason reason;

        friend bool operator<(const Stall& a, const Stall& b) {
            return std::tie(a.from, a.until, a.reason) < std::tie(b.from, b.until, b.reason);
        }
    };

    std::vector<Stall> stalls_;
};

} // namespace aicore::tb
