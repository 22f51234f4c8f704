// Who waits for whom in a core that stands still.
//
// Reads the state of the pipes after a run: nothing here changes the core. What could end a wait is
// looked for in the queues, among the set_flags that left their queue and wait for the instructions
// before them, and in the rest of the program, which the scalar unit has not dispatched.
#pragma once

#include "hw/core/core.h"
#include "hw/mem/l0c_unit_flags.h"
#include "hw/scalar/instruction_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aicore::tb {

/// An instruction that could end a wait, and where it stands.
struct Remedy {
    enum class Where {
        in_flight,     ///< its pipe works on it
        deferred,      ///< a set_flag that waits for the instructions in flight
        queued,        ///< in the queue of its pipe
        not_dispatched ///< the scalar unit has not come to it
    };

    Where where = Where::not_dispatched;
    Pipe pipe = Pipe::S; ///< whose instruction it is
    Instruction instruction;
    std::size_t position = 0; ///< in the queue, from 1
    std::size_t queue_fill = 0;
};

/// A wait for an event flag.
struct FlagWait {
    EventFlags::Name flag;
    /// Flags of other pipes with the same id that are 1 and that no wait_flag is left for.
    std::vector<EventFlags::Name> mistaken;
};

/// A wait for unit flags, at the fractal that the instruction has come to.
struct UnitFlagWait {
    int block = 0;      ///< the first one that stands in the way
    bool wanted = true; ///< value that the instruction waits for
    int fractal_row = 0, panel = 0;
    std::vector<int> missing; ///< blocks, of those still ahead, that have the other value
    int ahead = 0;            ///< blocks of that fractal and those behind it
};

/// A pipe that can't go on.
struct BlockedPipe {
    const PipeInfo* info = nullptr;
    WaitReason reason = WaitReason::none; ///< none: it works, or stands still without a reason
    std::optional<Instruction> instruction;
    std::uint64_t number = 0; ///< of the instruction in its core
    std::variant<std::monostate, FlagWait, UnitFlagWait> wait;
    std::vector<Remedy> remedies;
    std::vector<Pipe> waits_for; ///< pipes that would have to go on first
};

struct WaitGraph {
    std::vector<BlockedPipe> pipes; ///< in the order of the core's pipes
    std::vector<Pipe> circle;       ///< pipes that wait for one another; empty when none do
    std::vector<EventFlags::Name> unclaimed; ///< flags that are 1 and that no wait_flag is left for
    bool all_known = true;                   ///< the rest of the program was looked at to its end
};

/// `rest`: the source of the run, from which the instructions that were not dispatched are pulled;
/// null when they can't be told (the graph then knows the queues only).
WaitGraph analyse_waits(const Core& core, InstructionSource* rest);

} // namespace aicore::tb
