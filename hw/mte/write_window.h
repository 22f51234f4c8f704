// How many lines an engine may have on their way to GM: places that are taken and come back. Pure
// bookkeeping.
#pragma once

#include "tlm/units.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace aicore {

class WriteWindow {
public:
    explicit WriteWindow(int places) : places_(places) {}

    /// Takes a place; false when there is none. One that came back before `now` can be taken: it
    /// makes no difference which of the two happens first in a cycle.
    bool take(Cycles now) {
        while (!returning_.empty() && returning_.front() < now) {
            std::pop_heap(returning_.begin(), returning_.end(), std::greater<>());
            returning_.pop_back();
            --taken_;
        }
        if (taken_ == places_) return false;
        ++taken_;
        return true;
    }
    /// A place that was taken comes back at `at`.
    void give_back(Cycles at) {
        returning_.push_back(at);
        std::push_heap(returning_.begin(), returning_.end(), std::greater<>());
    }
    /// From when on a place can be taken; nothing while no return is known.
    std::optional<Cycles> next_free() const {
        return returning_.empty() ? std::nullopt : std::optional(returning_.front() + Cycles(1));
    }
    void reset() {
        taken_ = 0;
        returning_.clear();
    }

private:
    int places_;
    int taken_ = 0;                 ///< those that are coming back among them
    std::vector<Cycles> returning_; ///< heap, earliest on top
};

} // namespace aicore
