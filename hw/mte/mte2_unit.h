// MTE2 of the cube core: GM -> L1, as block copies, as fractals (load2d) and with the ND to NZ
// conversion; and fractals GM -> L0A and L0B.
//
// A chunk is one piece of a GM line for a copy; a fractal for a load2d; up to 16 rows of up to 512
// bytes for nd2nz, which leave as fractals.
#pragma once

#include "hw/isa/block_walk.h"
#include "hw/mte/gm_load_engine.h"

#include <optional>

namespace aicore {

class Mte2Unit : public GmLoadEngine {
public:
    Mte2Unit(const sc_core::sc_module_name& name, const Mte2Config& config, PayloadPool& pool,
             ObserverHub& hub, EventFlags& flags);

    InitiatorPort<4096> gm_l0_isock; ///< reads whose data go to L0A and L0B
    InitiatorPort<2048> l1_isock;
    InitiatorPort<2048> l0a_isock;
    InitiatorPort<2048> l0b_isock;

private:
    void begin(const Operation& operation) override;
    bool next_chunk(Chunk& chunk) override;
    void request(Chunk& chunk, Access& access) override;
    void write_chunk(Chunk& chunk) override;
    void reset() override;

    bool next_fractal_chunk(const Load2d& load, Chunk& chunk);
    void write_piece(Chunk& chunk, std::uint64_t address, std::uint8_t* data, std::size_t bytes);

    Mte2Config config_;
    Operation operation_;
    std::optional<Nd2NzWalk> nd2nz_;
    std::optional<CopyLineWalk> copy_;
    std::int64_t fractal_ = 0; ///< of a load2d
};

} // namespace aicore
