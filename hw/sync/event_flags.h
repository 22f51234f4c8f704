// Event flags of a core: one bit for each (source pipe, destination pipe, id).
//
// Flags are registered: a SetFlag at an edge is seen by WaitFlag from the next edge on, in whatever
// order the pipes' processes run.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/instruction.h"
#include "hw/sync/cross_core_flags.h"
#include "tlm/cycle_clock.h"
#include "tlm/update_phase.h"

#include <functional>
#include <vector>

namespace aicore {

class EventFlags : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    struct Name {
        Pipe src = Pipe::S;
        Pipe dst = Pipe::S;
        int id = 0;
    };
    /// Who touched a flag last, for the hang report.
    struct History {
        Cycles at{-1}; ///< -1: never
        std::uint64_t instruction = 0;
        SourcePlace place;
    };

    /// Told about each change.
    std::function<void(Cycles, const Name&, bool value)> on_change;
    /// Told when SetFlag meets a flag that is set: undefined on silicon, here the flag stays 1.
    std::function<void(Cycles, const Name&, const History& first, const History& second)>
        on_double_set;

    SC_HAS_PROCESS(EventFlags);
    EventFlags(const sc_core::sc_module_name& name, const SyncConfig& config);

    bool read(const Name& flag) const { return at(flag).value; }
    void set(const Name& flag, std::uint64_t instruction, SourcePlace place);
    /// Consumes the flag (it reads 1); seen as 0 from the next edge on.
    void clear(const Name& flag, std::uint64_t instruction, SourcePlace place);
    /// Notifies `wake` at the first edge at which the flag reads 1.
    void wake_when_set(const Name& flag, sc_core::sc_event& wake);

    const History& last_set(const Name& flag) const { return at(flag).set; }
    const History& last_cleared(const Name& flag) const { return at(flag).cleared; }
    /// The way to other cores' flags. Before the simulation starts.
    void connect(CrossCoreFlags& flags, int core) {
        cross_core_ = &flags;
        core_ = core;
    }
    CrossCoreFlags& cross_core() const { return *cross_core_; }
    /// Index of this core there.
    int core() const { return core_; }

    /// Every flag that is 1, in order of source, destination and id.
    std::vector<Name> set_flags() const;

private:
    struct Flag {
        bool value = false;
        bool set_now = false;   ///< SetFlag at this edge
        bool clear_now = false; ///< WaitFlag at this edge
        History set, cleared, pending_set;
        sc_core::sc_event* waiter = nullptr;
    };

    std::size_t index(const Name& flag) const;
    Flag& at(const Name& flag) { return flags_[index(flag)]; }
    const Flag& at(const Name& flag) const { return flags_[index(flag)]; }
    void touch(const Name& flag);
    void commit();
    void on_reset();

    CrossCoreFlags* cross_core_ = nullptr;
    int core_ = 0;
    int ids_;
    std::vector<Flag> flags_;
    std::vector<Name> touched_; ///< flags that changed at this edge
    UpdatePhase commit_{[this] { commit(); }};
};

} // namespace aicore
