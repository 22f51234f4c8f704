// Counts what pipes and links did: a table for people, JSON for programs.
#pragma once

#include "hw/mem/memory_traffic.h"
#include "hw/pipe/observer.h"
#include "tb/observe/stall_book.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace aicore::tb {

/// What the statistics file says about the run as a whole.
struct RunSummary {
    Cycles cycles; ///< length of the run
    int clock_mhz = 0;
    std::int64_t checked = 0;       ///< elements compared with their expected values
    std::int64_t mismatches = 0;    ///< of them, outside the tolerance
    double max_abs_error = 0.0;     ///< largest difference found
    std::vector<Cycles> launches{}; ///< length of each; one is not told apart
    MemoryTraffic memory{};
};

/// Cycles of one pipe. busy + waiting (all reasons) + idle is the length of the run.
struct PipeCounts {
    Cycles busy; ///< executing, without the stalls
    Cycles idle;
    std::array<Cycles, kWaitReasons> waiting{}; ///< by reason: waiting to start, and stalled
    std::int64_t instructions = 0;              ///< done

    Cycles waiting_total() const;
};

/// Traffic of one link.
struct LinkCounts {
    Bytes bytes;
    Cycles busy; ///< cycles in which at least one transfer occupies the link
    Cycles span; ///< first cycle of the first transfer to the end of the last one
};

/// Observer that counts. Cheap enough to be on in every run: no allocation per event.
class Statistics : public Observer {
public:
    /// `hub`: pipes and links, all registered by now; it must outlive this object.
    explicit Statistics(const ObserverHub& hub);

    void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) override;
    void on_activity(Cycles, const PipeInfo&, PipeActivity, WaitReason) override;
    void on_stall(Cycles, const PipeInfo&, WaitReason, Cycles) override;
    void on_transfer(const LinkInfo&, Cycles from, Cycles until, Bytes) override;
    void on_ub_conflict(Cycles, const PipeInfo&, const char* loser, const char* winner) override;

    /// The core is reset in cycle `at`: what was under way is gone, cycles count from 0 again. The
    /// counts go on.
    void on_reset(Cycles at) override;

    /// Ends the count at cycle `end`. What was announced beyond it does not count as time; bytes
    /// count in full.
    void finish(Cycles end);

    /// By PipeInfo::index and LinkInfo::index, valid after finish().
    const PipeCounts& pipe(int index) const;
    const LinkCounts& link(int index) const;

    /// Cycles in which bursts of UB's ports waited for one another: "aiv0: vector_src1 waits for
    /// vector_src0".
    std::map<std::string, std::int64_t> ub_conflicts() const;

    /// The statistics file, schema "aicore-stats/1". Reasons without a cycle and cores without a
    /// program are left out.
    nlohmann::ordered_json to_json(const RunSummary& run) const;

private:
    struct PipeState {
        PipeCounts counts;
        PipeActivity activity = PipeActivity::idle;
        WaitReason reason = WaitReason::none;
        Cycles since;
        StallBook stalls;
    };
    struct Span {
        Cycles from, until;
    };
    struct LinkState {
        LinkCounts counts;
        std::vector<Span> open; ///< disjoint, in order; may end in the future
        bool used = false;
        Cycles first;
    };

    static void settle(PipeState& pipe, Cycles cycle);
    void cut(Cycles end);

    const ObserverHub& hub_;
    std::vector<PipeState> pipes_;
    std::vector<LinkState> links_;
    /// Cycles in which bursts of a port of UB waited for another port. The names of the ports are
    /// the same objects in every call, so that they are compared as pointers.
    struct UbConflict {
        const char* loser;
        const char* winner;
        std::int64_t cycles;
    };
    std::vector<std::vector<UbConflict>> ub_conflicts_; ///< by CoreInfo::index
    Cycles base_; ///< cycles before the last reset; all times inside count them
    Cycles now_;
};

} // namespace aicore::tb
