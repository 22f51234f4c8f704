// MTE3: L1 -> GM block copies.
//
// Line by line: read from L1 at the pace of the link, then written to GM as a posted write. An
// instruction is complete when GM has taken its last line.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "hw/pipe/posted_writes.h"
#include "tlm/initiator_port.h"

#include <optional>

namespace aicore {

class Mte3Unit : public Engine {
public:
    Mte3Unit(const sc_core::sc_module_name& name, const PipeConfig& config, Link& l1_to_gm,
             PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> l1_isock;
    InitiatorPort<4096> gm_isock;

private:
    Cycles startup(const Operation&) const override { return l1_to_gm_.latency(); }
    void start(const Entry& entry) override;
    void reset() override;

    bool prepare_burst();
    void request_burst();
    void on_data(PostedWrite& write);
    void on_written(PostedWrite& write, const sc_core::sc_time& delay);

    Link& l1_to_gm_;
    PostedWrites writes_;
    std::uint64_t number_ = 0;
    DataCopy copy_;
    std::int64_t block_ = 0;
    std::optional<BurstSplitter> lines_; ///< of the current block, in GM
    std::uint64_t gm_block_ = 0;
    std::uint64_t l1_block_ = 0;
    Burst line_; ///< under way
};

} // namespace aicore
