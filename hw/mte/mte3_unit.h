// MTE3: block copies out of the core, from L1 (cube core) or UB (vector core) to GM.
//
// Line by line: read from the buffer at the pace of the link, then written to GM as a posted write.
// An instruction is complete when GM has taken its last line.
#pragma once

#include "hw/isa/block_walk.h"
#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "hw/pipe/posted_writes.h"
#include "tlm/initiator_port.h"

#include <optional>

namespace aicore {

class Mte3Unit : public Engine {
public:
    /// `to_gm`: links.l1_to_gm or links.ub_to_gm.
    Mte3Unit(const sc_core::sc_module_name& name, const PipeConfig& config, Link& to_gm,
             PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> buffer_isock; ///< L1 or UB
    InitiatorPort<4096> gm_isock;

private:
    Cycles startup(const Operation&) const override { return to_gm_.latency(); }
    void start(const Entry& entry) override;
    void reset() override;

    void request_burst();
    void on_data(PostedWrite& write);
    void on_written(PostedWrite& write, const sc_core::sc_time& delay);

    Link& to_gm_;
    PostedWrites writes_;
    std::uint64_t number_ = 0;
    std::optional<CopyLineWalk> lines_;
    CopyLine line_; ///< under way
};

} // namespace aicore
