#include "hw/mte/gm_load_engine.h"

#include "hw/isa/burst_splitter.h"

#include <algorithm>

namespace aicore {

GmLoadEngine::GmLoadEngine(const sc_core::sc_module_name& name, const PipeConfig& pipe,
                           int outstanding_bursts, PayloadPool& pool, ObserverHub& hub,
                           EventFlags& flags)
    : Engine(name, Pipe::MTE2, pipe, hub, flags),
      gm_isock("gm_isock", pool,
               [this](void* chunk, const sc_core::sc_time&) {
                   on_gm_data(*static_cast<Chunk*>(chunk));
               }),
      outstanding_bursts_(outstanding_bursts), credits_(outstanding_bursts) {
    SC_METHOD(on_landed);
    sensitive << landed_ev_;
    dont_initialize();
}

void GmLoadEngine::start(const Entry& entry) {
    number_ = entry.number;
    begin(entry.instruction.operation);
    Chunk& chunk = take_chunk();
    if (!prepare(chunk)) {
        free_.push_back(&chunk);
        return end_stream(clk->now());
    }
    filling_ = &chunk;
    pump();
}

bool GmLoadEngine::prepare(Chunk& chunk) {
    chunk.number = number_;
    chunk.requested = false;
    chunk.bursts = chunk.arrivals = chunk.writes = 0;
    chunk.landed = chunk.pace = Cycles(0);
    chunk.shape = {};
    chunk.fill = {};
    row_ = 0;
    row_offset_ = 0;
    return next_chunk(chunk);
}

// ---- GM reads ----------------------------------------------------------------------------------

void GmLoadEngine::pump() {
    while (filling_ != nullptr && credits_ > 0) {
        request_row_pieces();
        if (row_ < filling_->shape.rows) return; // out of credits in the middle of a chunk
        filling_->requested = true;
        Chunk& chunk = take_chunk();
        if (prepare(chunk)) {
            filling_ = &chunk;
        } else {
            free_.push_back(&chunk);
            filling_ = nullptr;
            end_stream(clk->now());
        }
    }
}

void GmLoadEngine::request_row_pieces() {
    Chunk& chunk = *filling_;
    const auto row_bytes = static_cast<std::uint32_t>(chunk.shape.row_bytes);
    while (row_ < chunk.shape.rows && credits_ > 0) {
        const std::uint64_t address = chunk.shape.src_addr +
                                      static_cast<std::uint64_t>(row_) * chunk.shape.src_row_pitch +
                                      row_offset_;
        BurstSplitter splitter(address, row_bytes - row_offset_);
        Burst burst;
        splitter.next(burst);

        if (chunk.bursts == 0) begin_part(chunk.number);
        ++chunk.bursts;
        --credits_;
        if (reads_++ == 0) set_blocked(WaitReason::memory_latency);
        std::uint8_t* place = chunk.rows.data() + row_ * kNd2NzChunkBytes + row_offset_;
        Access access = Access::read(burst.addr, place, burst.bytes);
        access.pace = chunk.pace;
        access.tag = &chunk;
        request(chunk, access);

        row_offset_ += burst.bytes;
        if (row_offset_ == row_bytes) {
            row_offset_ = 0;
            ++row_;
        }
    }
}

void GmLoadEngine::request(Chunk&, Access& access) { gm_isock.start(access); }

void GmLoadEngine::on_gm_data(Chunk& chunk) {
    set_blocked(WaitReason::none);
    --reads_;
    ++chunk.arrivals;
    if (chunk.requested && chunk.arrivals == chunk.bursts) write_chunk(chunk);
}

// ---- writes into the core ----------------------------------------------------------------------

void GmLoadEngine::on_written(Chunk& chunk, const sc_core::sc_time& delay) {
    chunk.landed = std::max(chunk.landed, clk->edge_after(delay));
    if (--chunk.writes > 0) return;
    // Chunks are written in order, but one may land before its predecessor (other banks).
    const auto later =
        std::upper_bound(landing_.begin(), landing_.end(), chunk.landed,
                         [](Cycles at, const Chunk* other) { return at < other->landed; });
    landing_.insert(later, &chunk);
    landed_ev_.notify(clk->until(landing_.front()->landed));
}

void GmLoadEngine::on_landed() {
    if (!rst_n.read()) return;
    const Cycles now = clk->now();
    while (!landing_.empty() && landing_.front()->landed <= now) {
        Chunk& chunk = *landing_.front();
        landing_.erase(landing_.begin());
        retire(chunk);
    }
    if (!landing_.empty()) landed_ev_.notify(clk->until(landing_.front()->landed));
}

void GmLoadEngine::retire(Chunk& chunk) {
    const std::uint64_t number = chunk.number;
    credits_ += chunk.bursts;
    free_.push_back(&chunk);
    pump(); // may begin new parts of the same instruction
    end_part(number);
}

GmLoadEngine::Chunk& GmLoadEngine::take_chunk() {
    if (free_.empty()) {
        chunks_.push_back(std::make_unique<Chunk>());
        free_.push_back(chunks_.back().get());
    }
    Chunk& chunk = *free_.back();
    free_.pop_back();
    return chunk;
}

void GmLoadEngine::reset() {
    filling_ = nullptr;
    credits_ = outstanding_bursts_;
    reads_ = 0;
    landing_.clear();
    landed_ev_.cancel();
    free_.clear();
    for (const auto& chunk : chunks_) free_.push_back(chunk.get());
    gm_isock.reset();
}

} // namespace aicore
