// The unit flags of L0C: one signal for each 512-byte block.
//
// 0: the block is free for the cube, 1: it holds a result for FixPipe. The flags are registered: a
// change at an edge is seen from the next edge on. Who waits is woken for the edge at which the
// new value can be seen.
#pragma once

#include "hw/isa/instruction.h"
#include "tlm/cycle_clock.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace aicore {

class L0cUnitFlags : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// One signal per block, for waveforms and pins. Written by this module only.
    sc_core::sc_vector<sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS>> unit_flag;

    /// Who changed a flag last, for the hang report.
    struct History {
        Cycles at{-1}; ///< -1: never
        std::uint64_t instruction = 0;
        SourcePlace place;
    };

    /// Told about each change.
    std::function<void(Cycles, int block, bool value)> on_change;

    SC_HAS_PROCESS(L0cUnitFlags);
    L0cUnitFlags(const sc_core::sc_module_name& name, int blocks);

    int blocks() const { return static_cast<int>(unit_flag.size()); }
    bool read(int block) const { return unit_flag[static_cast<std::size_t>(block)].read(); }
    /// Reads as `value`, and no change is on its way. The cube asks for this: a block whose result
    /// has not landed still reads 0 but is not free.
    bool holds(int block, bool value) const {
        return read(block) == value && on_their_way_[static_cast<std::size_t>(block)] == 0;
    }
    /// Block that somebody waits to see at `value`: 0 the cube, 1 FixPipe.
    std::optional<int> awaited(bool value) const;
    const History& last_set(int block) const { return set_[static_cast<std::size_t>(block)]; }
    const History& last_cleared(int block) const {
        return cleared_[static_cast<std::size_t>(block)];
    }

    /// Changes blocks [first, first + count) in cycle `at`, now or later.
    void write_at(Cycles at, int first, int count, bool value, std::uint64_t instruction,
                  SourcePlace place);
    /// Clears every flag in this cycle (SetFixPipeConfig), after whatever else changes them in it.
    /// A result that lands later sets its flags again.
    void clear_all(std::uint64_t instruction, SourcePlace place);
    /// Notifies `wake` at the first edge at which `block` holds `value`.
    void wake_when(int block, bool value, sc_core::sc_event& wake);

private:
    struct Change {
        Cycles at;
        int first = 0;
        int count = 0;
        bool value = false;
        std::uint64_t instruction = 0;
        SourcePlace place;
    };
    struct Waiter {
        int block = 0;
        bool value = false;
        sc_core::sc_event* wake = nullptr;
    };

    void write(const Change& change);
    void track(const Change& change, int step);
    void on_due();
    void on_apply();
    void on_written();
    void on_reset();

    std::deque<Change> changes_;    ///< to come, in order of `at`
    std::vector<Change> landed_;    ///< of this edge, applied when every process has run
    std::optional<Change> clear_;   ///< SetFixPipeConfig at this edge
    std::vector<int> on_their_way_; ///< changes_ and landed_ of each block
    std::vector<char> values_;      ///< as written last
    std::vector<Waiter> waiters_;
    std::vector<History> set_, cleared_;
    sc_core::sc_event due_ev_{"due"};
    sc_core::sc_event apply_ev_{"apply"};
    sc_core::sc_event written_ev_{"written"};
};

} // namespace aicore
