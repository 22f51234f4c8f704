// Flags between cores: 16 counters in each core, and who has to set for them to count.
//
// CrossCoreSetFlag is collected until every participant of its mode has set the id; then the
// counter of each recipient goes up by one (vendor's page on CrossCoreSetFlag):
//   mode 0   all cores of one kind in the grid            each of them
//   mode 1   the vector cores of one AI Core              each of them
//   mode 2   the cube core of an AI Core                  each of its vector cores
//            all vector cores of an AI Core               its cube core
// CrossCoreWaitFlag takes one from the counter. The grid is what runs a program. A count is seen
// `latency` after the edge of the last set, in whatever order the cores' processes run: what
// happens at an edge is applied when all of them have run, waits first.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/cross_core_ids.h"
#include "hw/isa/instruction.h"
#include "tlm/cycle_clock.h"
#include "tlm/update_phase.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace aicore {

class CrossCoreFlags : public sc_core::sc_module {
public:
    static constexpr int kModes = 3;

    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    /// Where a core stands.
    struct Place {
        std::string name; ///< "aiv1"
        bool is_cube = false;
        int ai_core = 0;
    };
    /// Who touched a counter last, for reports.
    struct History {
        Cycles at{-1}; ///< -1: never
        int core = -1;
        std::uint64_t instruction = 0; ///< number of the set in its core
        SourcePlace place;
    };

    /// Notified when no count is on its way any more.
    const sc_core::sc_event& drained() const { return drained_ev_; }
    bool is_drained() const { return sets_.empty() && arrivals_.empty(); }

    /// Told about each change of a counter: counted by `set`, seen from the next edge on, or taken
    /// at this one (null).
    std::function<void(Cycles, int core, int id, int count, const History* set)> on_change;
    /// Told when the counter of `core` would exceed 15: a fatal exception on silicon.
    std::function<void(int core, const std::string& message)> on_overflow;

    /// The cores of `count` AI Cores from `first` on, AI Core by AI Core, the cube core first.
    static std::vector<Place> places_of(const ChipConfig& chip, int first, int count);

    SC_HAS_PROCESS(CrossCoreFlags);
    CrossCoreFlags(const sc_core::sc_module_name& name, Cycles latency, std::vector<Place> cores);

    /// Cores that take part in the grid; all do at first. When nothing runs.
    void set_grid(const std::vector<bool>& in_grid);

    /// CrossCoreSetFlag of core `core` takes effect at this edge.
    void set(int core, int mode, int id, std::uint64_t instruction, SourcePlace place);
    /// CrossCoreWaitFlag: takes one from the counter; false when it is 0.
    bool take(int core, int id);
    /// Notifies `wake` at the first edge at which the counter is not 0; take() has just failed.
    void wake_when_counted(int core, int id, sc_core::sc_event& wake);

    int count(int core, int id) const { return at(core, id).count; }
    /// Sets of this core for this id, in any or in one mode, that wait for other participants.
    int collected(int core, int id) const;
    int collected(int core, int id, int mode) const {
        return at(core, id).sets[static_cast<std::size_t>(mode)];
    }
    /// Cores of the grid that must set for a set of `core` in `mode` to count, `core` among them.
    std::vector<int> participants(int core, int mode) const;
    /// Cores of the grid whose counters go up then.
    std::vector<int> recipients(int core, int mode) const;
    const History& last_counted(int core, int id) const { return at(core, id).counted; }
    const std::vector<Place>& cores() const { return cores_; }

    /// For reports: core `core` has come to its next SyncAll.
    void come_to_sync_all(int core) { ++sync_alls_[static_cast<std::size_t>(core)]; }
    /// Cores of the grid, or its vector cores, that have come to fewer SyncAlls than `core`.
    std::vector<int> absent_from_sync_all(int core, bool aiv_only) const;

private:
    struct Counter {
        int count = 0;
        History counted;
        std::array<int, kModes> sets{}; ///< by this core, not used up yet
        sc_core::sc_event* waiter = nullptr;
    };
    struct Set {
        int core = 0, mode = 0, id = 0;
        std::uint64_t instruction = 0;
        SourcePlace place;
    };
    struct Arrival {
        Cycles at;
        std::vector<int> recipients;
        int id = 0;
        History from;
    };

    Counter& at(int core, int id) {
        return counters_[static_cast<std::size_t>(core * kCrossCoreIds + id)];
    }
    const Counter& at(int core, int id) const {
        return counters_[static_cast<std::size_t>(core * kCrossCoreIds + id)];
    }
    void change(Cycles now, int core, int id, int difference, const History* set);
    void commit();
    void collect(const Set& set, Cycles now);
    template <typename Predicate>
    std::vector<int> select(Predicate predicate) const;
    void on_arrival();
    void arrive(Cycles now);
    void on_reset();

    Cycles latency_;
    std::vector<Place> cores_;
    std::vector<bool> in_grid_;
    std::vector<Counter> counters_;
    std::vector<int> sync_alls_;   ///< that each core has come to
    std::vector<Set> sets_;        ///< of the current edge
    std::deque<Arrival> arrivals_; ///< on their way, in order
    UpdatePhase commit_{[this] { commit(); }};
    sc_core::sc_event arrival_ev_{"arrival"};
    sc_core::sc_event drained_ev_{"drained"};
};

} // namespace aicore
