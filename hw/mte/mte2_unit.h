// MTE2: GM -> L1, as block copies, as fractals (load2d) and with the ND to NZ conversion; and
// fractals GM -> L0A and L0B.
//
// A chunk is what is assembled before it is written: one piece of a GM line for a copy; a fractal
// for a load2d; up to 16 rows of up to 512 bytes for nd2nz, which leave as fractals. GM reads are
// requested ahead, up to `outstanding_bursts`, across instructions; a chunk is written to L1 when
// its last burst arrived.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/isa/nd2nz_walk.h"
#include "hw/pipe/engine.h"
#include "tlm/initiator_port.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace aicore {

class Mte2Unit : public Engine {
public:
    SC_HAS_PROCESS(Mte2Unit);
    Mte2Unit(const sc_core::sc_module_name& name, const Mte2Config& config, PayloadPool& pool,
             ObserverHub& hub, EventFlags& flags);

    InitiatorPort<4096> gm_isock;
    InitiatorPort<4096> gm_l0_isock; ///< reads whose data go to L0A and L0B
    InitiatorPort<2048> l1_isock;
    InitiatorPort<2048> l0a_isock;
    InitiatorPort<2048> l0b_isock;

private:
    /// Bytes on their way from GM to L1.
    struct Chunk {
        std::uint64_t number = 0; ///< instruction
        Nd2NzChunk shape;
        Buffer dst = Buffer::L1;
        bool convert = false;   ///< nd2nz: rows become panels; else one row that is copied as it is
        bool requested = false; ///< all its bursts are
        int bursts = 0;         ///< GM reads under way or done, while it holds their credits
        int arrivals = 0;
        int writes = 0; ///< L1 writes under way
        Cycles landed;  ///< when the last of them is over
        std::array<std::uint8_t, kFractalRows * kNd2NzChunkBytes> rows;
        std::array<std::uint8_t, kFractalRows * kNd2NzChunkBytes> panels;
    };

    Cycles startup(const Operation&) const override { return Cycles(0); }
    void start(const Entry& entry) override;
    void reset() override;

    bool next_chunk(Chunk& chunk);
    bool next_copy_chunk(Chunk& chunk);
    bool next_fractal_chunk(const Load2d& load, Chunk& chunk);
    void pump();
    void request_row_pieces();
    void on_gm_data(Chunk& chunk);
    void write_chunk(Chunk& chunk);
    void write_piece(Chunk& chunk, std::uint64_t address, std::uint8_t* data, std::size_t bytes);
    void on_written(Chunk& chunk, const sc_core::sc_time& delay);
    void on_landed();
    void retire(Chunk& chunk);
    Chunk& take_chunk();

    Mte2Config config_;
    std::uint64_t number_ = 0; ///< instruction whose bursts are being requested
    Operation operation_;
    std::optional<Nd2NzWalk> nd2nz_;
    std::optional<BurstSplitter> copy_; ///< of the current block
    std::int64_t block_ = 0;            ///< of a copy; fractal of a load2d
    std::uint64_t block_src_ = 0;

    Chunk* filling_ = nullptr; ///< chunk whose bursts are being requested
    int row_ = 0;
    std::uint32_t row_offset_ = 0;
    int credits_;   ///< GM reads that may still be requested
    int reads_ = 0; ///< GM reads that have not been answered

    std::vector<std::unique_ptr<Chunk>> chunks_; ///< all that were ever needed
    std::vector<Chunk*> free_;
    std::vector<Chunk*> landing_; ///< written, in order of landing
    sc_core::sc_event landed_ev_{"landed"};
};

} // namespace aicore
