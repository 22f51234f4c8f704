// The cube: executes Mmad, one 16 x 16 output block after another.
//
// A block takes K fractals, one cycle each or more, as its type says. At its first cycle the cube
// reads its operands and, when accumulating, the old value; the result lands in L0C `drain_cycles`
// after its last fractal. An Mmad that follows too closely on a small tile therefore reads the old
// accumulator, as on silicon. With unit flags a block waits until its flags are 0, and hands over
// when it lands.
#pragma once

#include "hw/cube/cube_math.h"
#include "hw/cube/cube_timing.h"
#include "hw/cube/panel_buffer.h"
#include "hw/mem/l0c_unit_flags.h"
#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "tlm/initiator_port.h"

#include <array>

namespace aicore {

class CubeUnit : public Engine {
public:
    struct Links {
        Link& l0a_to_cube;
        Link& l0b_to_cube;
        Link& bt_to_cube;
        Link& l0c_to_cube;
        Link& cube_to_l0c;
    };

    CubeUnit(const sc_core::sc_module_name& name, const Platform& platform, const Links& links,
             L0cUnitFlags& unit_flags, PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<4096> l0a_isock;
    InitiatorPort<4096> l0b_isock;
    InitiatorPort<1024> index_isock; ///< indices of a sparse B
    InitiatorPort<512> bt_isock;
    InitiatorPort<8192> l0c_isock;

private:
    Cycles startup(const Operation&) const override { return front_cycles(config_); }
    void start(const Entry& entry) override;
    void resume() override;
    void reset() override;

    void step();
    bool wait_for_unit_flags(std::uint32_t c_addr);
    const void* read_a(int mi, int rows);
    const void* read_b(int ni);
    std::optional<Rounding> hf32_rounding() const;
    void read_piece(InitiatorPort<4096>& port, std::uint32_t address, PanelBuffer& panel,
                    std::size_t piece);
    void read_indices(std::uint32_t b_address, PanelBuffer& panel, std::size_t piece);
    void read_accumulator(std::uint32_t c_addr, int ni, int rows);
    void write_accumulator(std::uint32_t c_addr, int rows, int columns, Cycles due);

    CubeConfig config_;
    int hf32_fraction_bits_;
    Rounding hf32_trans_rounding_;
    Links links_;
    L0cUnitFlags& unit_flags_;

    // The Mmad in the array.
    Mmad mmad_;
    MmadShape shape_;
    std::uint64_t number_ = 0;
    SourcePlace place_;
    int step_ = 0;

    // Panels by the fractal at which they start in L0A and L0B.
    std::vector<PanelBuffer> a_panels_;
    std::vector<PanelBuffer> b_panels_;
    alignas(64) std::array<std::uint32_t, 16 * 16> block_{};
    std::array<std::uint8_t, kL0cRowBytes> column_enable_{};
};

} // namespace aicore
