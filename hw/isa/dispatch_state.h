// Core state that instructions obey: the CTRL register, the vector mask and its relatives, the
// operation of writes to GM.
//
// Programs change it with instructions of their own; the scalar unit executes those and stamps the
// state onto each instruction that depends on it when it dispatches the instruction, so that a
// change never reaches one that waits in a queue.
#pragma once

#include "hw/isa/instruction.h"

namespace aicore {

struct DispatchState {
    CtrlState ctrl;
    VectorControl vector;
    SetAtomic atomic;
};

/// Executes an instruction that changes the state; false for any other one.
bool change_state(const Operation& operation, DispatchState& state);

/// Copies what `operation` depends on into it.
void stamp_state(Operation& operation, const DispatchState& state);

} // namespace aicore
