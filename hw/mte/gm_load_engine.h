// What the MTE2 of both core kinds share: reading GM ahead and handing the data over in order.
//
// A chunk is what is assembled before it is written: its rows are cut into GM lines, requested
// ahead, up to `outstanding_bursts`, across instructions. When the last burst of a chunk has
// arrived, the derived engine writes it; an instruction is complete when its chunks have landed.
#pragma once

#include "hw/isa/nd2nz_walk.h"
#include "hw/pipe/engine.h"
#include "tlm/initiator_port.h"

#include <array>
#include <memory>
#include <vector>

namespace aicore {

class GmLoadEngine : public Engine {
public:
    SC_HAS_PROCESS(GmLoadEngine);

    InitiatorPort<4096> gm_isock;

protected:
    /// What is written around the bytes of a copied row.
    struct Fill {
        std::uint32_t lead = 0;  ///< [B] before
        std::uint32_t trail = 0; ///< [B] behind
        int element_bytes = 1;
        bool with_first = false;  ///< with the first element of the block, else with `value`
        std::uint64_t offset = 0; ///< [B] of the row in its block
        std::uint64_t value = 0;
    };

    /// Bytes on their way from GM into the core.
    struct Chunk {
        std::uint64_t number = 0; ///< instruction
        Nd2NzChunk shape;
        Fill fill;
        Buffer dst = Buffer::L1; ///< of the cube core's MTE2
        bool convert = false;    ///< there: rows become panels, not one row that is copied as it is
        Cycles pace;             ///< a burst takes the way from GM at least so long
        bool requested = false;  ///< all its bursts are
        int bursts = 0;          ///< GM reads under way or done, while it holds their credits
        int arrivals = 0;
        int writes = 0; ///< writes into the core's buffer under way
        Cycles landed;  ///< when the last of them is over
        std::array<std::uint8_t, kFractalRows * kNd2NzChunkBytes> rows;
        std::array<std::uint8_t, kFractalRows * kNd2NzChunkBytes> panels;
    };

    GmLoadEngine(const sc_core::sc_module_name& name, const PipeConfig& pipe,
                 int outstanding_bursts, PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    /// A new instruction: the next chunks are its own.
    virtual void begin(const Operation& operation) = 0;
    /// Fills in the shape of the next chunk, and its pace or fill where there is one; false after
    /// the last chunk.
    virtual bool next_chunk(Chunk& chunk) = 0;
    /// Asks GM for a burst. The response must come through on_gm_data.
    virtual void request(Chunk& chunk, Access& access);
    /// Every byte of the chunk is there: starts its writes, announced with begin_write.
    virtual void write_chunk(Chunk& chunk) = 0;
    void begin_write(Chunk& chunk) { ++chunk.writes; }
    void on_written(Chunk& chunk, const sc_core::sc_time& delay);
    void on_gm_data(Chunk& chunk);
    void reset() override;

private:
    Cycles startup(const Operation&) const override { return Cycles(0); }
    void start(const Entry& entry) override;

    bool prepare(Chunk& chunk);
    void pump();
    void request_row_pieces();
    void on_landed();
    void retire(Chunk& chunk);
    Chunk& take_chunk();

    int outstanding_bursts_;
    std::uint64_t number_ = 0; ///< instruction whose bursts are being requested
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
