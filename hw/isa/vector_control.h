// The core state of the vector instructions: who changes it, and how an instruction takes it along.
#pragma once

#include "hw/isa/instruction.h"

namespace aicore {

/// Executes SetVectorMask, SetMaskMode and SetDeqScale; false for any other instruction.
bool apply_vector_state(const Operation& operation, VectorControl& control);

/// Copies `control` into an instruction that depends on it. Done at dispatch, so that a change of
/// the state never reaches an instruction that waits in a queue.
void stamp_vector_control(Operation& operation, const VectorControl& control);

} // namespace aicore
