// What a core has still to execute: the instructions that its pipes hold, and the rest of its
// program, which the scalar unit has not dispatched.
#pragma once

#include "hw/core/core.h"
#include "hw/scalar/instruction_source.h"

#include <cstddef>
#include <functional>
#include <optional>
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
    std::size_t core = 0; ///< that executes it: index among those that are looked at
};

class Outlook {
public:
    /// `passed`: fractals with unit flags that an instruction in flight has behind it.
    using Predicate = std::function<bool(const Operation&, std::size_t passed)>;

    /// Pulls the rest of the program out of `rest`, at most `limit` instructions; null when it
    /// can't be told.
    Outlook(const Core& core, InstructionSource* rest, std::size_t limit,
            const FixpipeReadings& readings);

    /// The rest of the program was looked at to its end.
    bool all_known() const { return all_known_; }

    /// The first instruction of each pipe that is `wanted`, and the first one of those that are not
    /// dispatched.
    std::vector<Remedy> find(const Predicate& wanted) const;

private:
    std::optional<Remedy> find_in(const Engine& engine, const Predicate& wanted) const;
    std::size_t passed_fractals(const Engine& engine) const;

    const Core& core_;
    const FixpipeReadings& readings_;
    std::vector<Instruction> rest_;
    bool all_known_ = true;
};

} // namespace aicore::tb
