// MTE3: block copies out of the core, from L1 (cube core) or UB (vector core) to GM.
//
// Line by line: read from the buffer at the pace of the link, then written to GM as a posted write.
// No more than `outstanding_writes` lines are on their way; GM takes its time with those that L2
// does not hold. An instruction is complete when GM has taken its last line.
#pragma once

#include "hw/isa/block_walk.h"
#include "hw/mte/write_window.h"
#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "hw/pipe/posted_writes.h"
#include "tlm/initiator_port.h"

#include <optional>

namespace aicore {

class Mte3Unit : public Engine {
public:
    /// `to_gm`: links.l1_to_gm or links.ub_to_gm.
    Mte3Unit(const sc_core::sc_module_name& name, const Mte3Config& config, Link& to_gm,
             PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> buffer_isock; ///< L1 or UB
    InitiatorPort<4096> gm_isock;

private:
    Cycles startup(const Operation&) const override { return to_gm_.latency(); }
    void start(const Entry& entry) override;
    void resume() override;
    void reset() override;

    void request_burst();
    void on_data(PostedWrite& write);
    void on_written(PostedWrite& write, const sc_core::sc_time& delay);

    Link& to_gm_;
    PostedWrites writes_;
    WriteWindow window_;
    bool is_waiting_ = false; ///< for a place in the window
    std::uint64_t number_ = 0;
    AtomicAccess atomic_; ///< of the instruction under way
    std::optional<CopyLineWalk> lines_;
    CopyLine line_; ///< under way
};

} // namespace aicore
