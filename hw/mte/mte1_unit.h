// MTE1: the loads from L1 into L0A, L0B, the index buffer of sparse B, and the BiasTable.
//
// It knows no instruction: the walk of each (hw/isa/load_walk.h) gives steps, and a step is read
// from L1 at the pace of the destination's link, transformed and written. The link's latency is the
// start-up of an instruction and hides behind a busy predecessor.
#pragma once

#include "hw/isa/load_walk.h"
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

    Mte1Unit(const sc_core::sc_module_name& name, const Mte1Config& config, const Links& links,
             PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> l1_isock;
    // As wide as what L1 delivers; the rate is the link's: 256 B a cycle to L0A, 128 B to L0B.
    InitiatorPort<2048> l0a_isock;
    InitiatorPort<2048> l0b_isock;
    InitiatorPort<256> index_isock; ///< 32 B a cycle
    InitiatorPort<256> bt_isock;    ///< 32 B a cycle

private:
    Cycles startup(const Operation& operation) const override;
    void start(const Entry& entry) override;
    void resume() override { finish_step(); }
    void reset() override;

    Link& link_of(const Operation& operation) const;
    void begin_step();
    Cycles reserve_link();
    void request_pieces(Cycles pace);
    void fill_pads();
    void finish_step();
    void write(const LoadStep::Output& output, const std::uint8_t* data);

    Mte1Config config_;
    Links links_;

    // The instruction under way.
    LoadWalk walk_;
    Link* link_ = nullptr;
    Cycles extra_fractal_cycles_; ///< that its path adds to a fractal of stated pace
    std::uint32_t pad_word_ = 0;  ///< four bytes of what stands around a feature map

    // Its step.
    LoadStep step_;
    int pending_ = 0; ///< pieces that L1 has not answered
    alignas(64) std::array<std::uint8_t, LoadStep::kRawBytes> raw_{};
    alignas(64) std::array<std::uint8_t, LoadStep::kRawBytes> transformed_{};
};

} // namespace aicore
