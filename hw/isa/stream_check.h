// Legality of the instructions of one core in their order.
#pragma once

#include "hw/isa/dispatch_state.h"
#include "hw/isa/legality.h"

namespace aicore {

/// What find_violation() says about each instruction with the core state that those before it
/// leave behind.
class StreamCheck {
public:
    /// `state`: of the core before the first instruction.
    StreamCheck(const IsaLimits& limits, const DispatchState& state)
        : limits_(limits), state_(state) {}

    /// First broken rule of the next instruction, or nothing.
    std::optional<Violation> next(Operation operation) {
        change_state(operation, state_);
        stamp_state(operation, state_);
        return find_violation(operation, limits_);
    }

private:
    IsaLimits limits_;
    DispatchState state_;
};

} // namespace aicore
