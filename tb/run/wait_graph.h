// Who waits for whom in the cores of a run that stands still.
//
// Reads the state of the pipes after a run: nothing here changes the cores. What could end a wait
// is looked for in the queues, among the set_flags that left their queue and wait for the
// instructions before them, and in the rest of the programs, which the scalar units have not
// dispatched; for a flag between cores in every core whose set would count.
#pragma once

#include "tb/run/outlook.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace aicore::tb {

/// A core of the run.
struct RunCore {
    const Core* core = nullptr;
    /// The source of the run, from which the instructions that were not dispatched are pulled; null
    /// when they can't be told.
    InstructionSource* rest = nullptr;
};

/// A wait for an event flag.
struct FlagWait {
    EventFlags::Name flag;
    /// Flags of other pipes with the same id that are 1 and that no wait_flag is left for.
    std::vector<EventFlags::Name> mistaken;
};

/// A wait for a flag from other cores.
struct CrossCoreWait {
    /// A participant of a set that would count for the waiting core.
    struct Participant {
        int core = 0; ///< index in CrossCoreFlags
        bool has_set = false;
    };

    int id = 0;
    /// Of the sets that have begun, with one participant at least that has not set.
    std::vector<Participant> participants;
    std::vector<int> mistaken; ///< other ids that are counted and that no wait is left for
};

/// A wait for unit flags, at the fractal that the instruction has come to.
struct UnitFlagWait {
    int block = 0;      ///< the first one that stands in the way
    bool wanted = true; ///< value that the instruction waits for
    int fractal_row = 0, panel = 0;
    std::vector<int> missing; ///< blocks, of those still ahead, that have the other value
    int ahead = 0;            ///< blocks of that fractal and those behind it
};

/// A pipe of one of the cores: index of the core in the list that was analysed.
struct PipeRef {
    std::size_t core = 0;
    Pipe pipe = Pipe::S;

    friend bool operator==(const PipeRef& a, const PipeRef& b) {
        return a.core == b.core && a.pipe == b.pipe;
    }
};

/// A pipe that can't go on.
struct BlockedPipe {
    const PipeInfo* info = nullptr;
    WaitReason reason = WaitReason::none; ///< none: it works, or stands still without a reason
    std::optional<Instruction> instruction;
    std::uint64_t number = 0; ///< of the dispatch, in its core
    std::variant<std::monostate, FlagWait, CrossCoreWait, UnitFlagWait> wait;
    std::vector<Remedy> remedies;
    std::vector<PipeRef> waits_for; ///< pipes that would have to go on first
};

struct CoreWaits {
    std::vector<BlockedPipe> pipes; ///< in the order of the core's pipes
    /// Event flags that are 1 and that no wait_flag is left for; empty when that is not known.
    std::vector<EventFlags::Name> unclaimed;
};

struct WaitGraph {
    std::vector<CoreWaits> cores; ///< in the order of the list
    /// Pipes that wait for one another, each for the next one and the last one for the first.
    std::vector<std::vector<PipeRef>> circles;
    bool all_known = true; ///< the rest of every program was looked at to its end
};

/// `cores`: all cores with a program. `readings`: those of the platform.
WaitGraph analyse_waits(const std::vector<RunCore>& cores, const FixpipeReadings& readings);

} // namespace aicore::tb
