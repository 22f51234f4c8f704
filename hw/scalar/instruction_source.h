// Where the scalar unit gets its instructions from.
#pragma once

#include "hw/isa/instruction.h"

namespace aicore {

/// A stream of instructions, pulled by the scalar unit one at a time when it is ready to dispatch.
/// A program file is one source, a workload generator another. The stream is finite, and
/// `rewind` restarts it from its first instruction (reset in the middle of a run).
class InstructionSource {
public:
    virtual ~InstructionSource() = default;

    /// Fills in the next instruction; false at the end of the stream.
    virtual bool next(Instruction& instruction) = 0;
    virtual void rewind() = 0;
};

} // namespace aicore
