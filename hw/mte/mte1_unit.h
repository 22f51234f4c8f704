// MTE1: L1 -> L0A, L0B (load2d) and L1 -> BiasTable.
//
// One fractal at a time: read from L1 at the pace of the destination's link, then written. The
// link's latency is the start-up of an instruction and hides behind a busy predecessor.
#pragma once

#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "tlm/initiator_port.h"

#include <array>

namespace aicore {

class Mte1Unit : public Engine {
public:
    struct Links {
        Link& l1_to_l0a;
        Link& l1_to_l0b;
        Link& l1_to_bt;
    };

    Mte1Unit(const sc_core::sc_module_name& name, const PipeConfig& config, const Links& links, PayloadPool& pool,
             ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> l1_isock;
    // As wide as what L1 delivers; the rate is the link's: 256 B a cycle to L0A, 128 B to L0B.
    InitiatorPort<2048> l0a_isock;
    InitiatorPort<2048> l0b_isock;
    InitiatorPort<256> bt_isock; ///< 32 B a cycle

private:
    Cycles startup(const Operation& operation) const override;
    void start(const Entry& entry) override;
    void reset() override;

    Link& link_of(const Operation& operation) const;
    bool prepare_burst();
    void request_burst();
    void on_data();

    Links links_;
    Operation operation_;
    std::int64_t index_ = 0;  ///< fractal of a load2d, block of an L1 -> BT copy
    std::int64_t offset_ = 0; ///< byte inside that block

    // The burst under way.
    std::uint64_t src_ = 0;
    std::uint64_t dst_ = 0;
    std::int64_t bytes_ = 0;
    std::array<std::uint8_t, kFractalBytes> data_{};
};

} // namespace aicore
