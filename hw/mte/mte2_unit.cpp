#include "hw/mte/mte2_unit.h"

#include "hw/isa/load2d_walk.h"

#include <algorithm>
#include <cstring>

namespace aicore {

Mte2Unit::Mte2Unit(const sc_core::sc_module_name& name, const Mte2Config& config, PayloadPool& pool,
                   ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE2, config.pipe, hub, flags),
      gm_isock("gm_isock", pool,
               [this](void* chunk, const sc_core::sc_time&) {
                   on_gm_data(*static_cast<Chunk*>(chunk));
               }),
      gm_l0_isock("gm_l0_isock", pool,
                  [this](void* chunk, const sc_core::sc_time&) {
                      on_gm_data(*static_cast<Chunk*>(chunk));
                  }),
      l1_isock("l1_isock", pool,
               [this](void* chunk, const sc_core::sc_time& delay) {
                   on_written(*static_cast<Chunk*>(chunk), delay);
               }),
      l0a_isock("l0a_isock", pool), l0b_isock("l0b_isock", pool), config_(config),
      credits_(config.outstanding_bursts) {
    SC_METHOD(on_landed);
    sensitive << landed_ev_;
    dont_initialize();
}

void Mte2Unit::start(const Entry& entry) {
    number_ = entry.number;
    operation_ = entry.instruction.operation;
    nd2nz_.reset();
    copy_.reset();
    block_ = 0;
    if (const auto* nd2nz = std::get_if<Nd2Nz>(&operation_)) nd2nz_.emplace(*nd2nz);
    Chunk& chunk = take_chunk();
    if (!next_chunk(chunk)) {
        free_.push_back(&chunk);
        return end_stream(clk->now());
    }
    filling_ = &chunk;
    pump();
}

// ---- what to fetch -----------------------------------------------------------------------------

bool Mte2Unit::next_chunk(Chunk& chunk) {
    chunk.number = number_;
    chunk.convert = nd2nz_.has_value();
    chunk.requested = false;
    chunk.bursts = chunk.arrivals = chunk.writes = 0;
    chunk.landed = Cycles(0);
    row_ = 0;
    row_offset_ = 0;
    chunk.dst = Buffer::L1;
    if (nd2nz_) return nd2nz_->next(chunk.shape);
    const auto* load = std::get_if<Load2d>(&operation_);
    return load != nullptr ? next_fractal_chunk(*load, chunk) : next_copy_chunk(chunk);
}

bool Mte2Unit::next_fractal_chunk(const Load2d& load, Chunk& chunk) {
    if (block_ == load.repeat) return false;
    chunk.dst = load.dst;
    chunk.shape = {};
    chunk.shape.rows = 1;
    chunk.shape.row_bytes = kFractalBytes;
    chunk.shape.src_addr = load2d_src(load, block_);
    chunk.shape.dst_addr = static_cast<std::uint32_t>(load2d_dst(load, block_));
    ++block_;
    return true;
}

bool Mte2Unit::next_copy_chunk(Chunk& chunk) {
    const auto& copy = std::get<DataCopy>(operation_);
    const std::int64_t block_bytes = copy.block_len * kBlockBytes;
    Burst burst;
    while (!copy_ || !copy_->next(burst)) {
        if (block_ == copy.block_count || block_bytes == 0) return false;
        block_src_ = copy.src_addr + static_cast<std::uint64_t>(
                                         block_ * (block_bytes + copy.src_gap * kBlockBytes));
        copy_.emplace(block_src_, static_cast<std::uint64_t>(block_bytes));
        ++block_;
    }
    const std::uint64_t block_dst =
        copy.dst_addr +
        static_cast<std::uint64_t>((block_ - 1) * (block_bytes + copy.dst_gap * kBlockBytes));
    chunk.shape = {};
    chunk.shape.rows = 1;
    chunk.shape.row_bytes = static_cast<int>(burst.bytes);
    chunk.shape.src_addr = burst.addr;
    chunk.shape.dst_addr = static_cast<std::uint32_t>(block_dst + (burst.addr - block_src_));
    return true;
}

// ---- GM reads ----------------------------------------------------------------------------------

void Mte2Unit::pump() {
    while (filling_ != nullptr && credits_ > 0) {
        request_row_pieces();
        if (row_ < filling_->shape.rows) return; // out of credits in the middle of a chunk
        filling_->requested = true;
        Chunk& chunk = take_chunk();
        if (next_chunk(chunk)) {
            filling_ = &chunk;
        } else {
            free_.push_back(&chunk);
            filling_ = nullptr;
            end_stream(clk->now());
        }
    }
}

void Mte2Unit::request_row_pieces() {
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
        if (chunk.convert) access.pace = config_.nd2nz_row_cycles;
        access.tag = &chunk;
        chunk.dst == Buffer::L1 ? gm_isock.start(access) : gm_l0_isock.start(access);

        row_offset_ += burst.bytes;
        if (row_offset_ == row_bytes) {
            row_offset_ = 0;
            ++row_;
        }
    }
}

void Mte2Unit::on_gm_data(Chunk& chunk) {
    set_blocked(WaitReason::none);
    --reads_;
    ++chunk.arrivals;
    if (chunk.requested && chunk.arrivals == chunk.bursts) write_chunk(chunk);
}

// ---- writes ------------------------------------------------------------------------------------

void Mte2Unit::write_chunk(Chunk& chunk) {
    const Nd2NzChunk& shape = chunk.shape;
    if (!chunk.convert) {
        return write_piece(chunk, shape.dst_addr, chunk.rows.data(),
                           static_cast<std::size_t>(shape.row_bytes));
    }
    const auto rows = static_cast<std::size_t>(shape.rows);
    const std::size_t panel_bytes = rows * kBlockBytes;
    const auto row_bytes = static_cast<std::size_t>(shape.row_bytes);
    for (int panel = 0; panel < shape.panels; ++panel) {
        std::uint8_t* fractal = chunk.panels.data() + static_cast<std::size_t>(panel) * panel_bytes;
        const std::size_t offset = static_cast<std::size_t>(panel) * kBlockBytes;
        for (std::size_t row = 0; row < rows; ++row) {
            std::uint8_t* block = fractal + row * kBlockBytes;
            const std::uint8_t* source = chunk.rows.data() + row * kNd2NzChunkBytes + offset;
            if (offset + kBlockBytes <= row_bytes) {
                std::memcpy(block, source, kBlockBytes);
            } else {
                std::memcpy(block, source, row_bytes - offset);
                std::memset(block + (row_bytes - offset), 0, kBlockBytes - (row_bytes - offset));
            }
        }
        const std::uint32_t dst =
            shape.dst_addr + static_cast<std::uint32_t>(panel) * shape.dst_panel_pitch;
        if (shape.dst_row_pitch == kBlockBytes) {
            write_piece(chunk, dst, fractal, panel_bytes); // the rows of a fractal without gaps
        } else {
            for (std::size_t row = 0; row < rows; ++row) {
                write_piece(chunk, dst + static_cast<std::uint32_t>(row) * shape.dst_row_pitch,
                            fractal + row * kBlockBytes, kBlockBytes);
            }
        }
    }
}

void Mte2Unit::write_piece(Chunk& chunk, std::uint64_t address, std::uint8_t* data,
                           std::size_t bytes) {
    ++chunk.writes;
    Access access = Access::write(address, data, bytes);
    access.tag = &chunk;
    if (chunk.dst == Buffer::L1) {
        l1_isock.start(access);
        return;
    }
    const auto delay = chunk.dst == Buffer::L0A ? l0a_isock.start(access) : l0b_isock.start(access);
    on_written(chunk, *delay);
}

void Mte2Unit::on_written(Chunk& chunk, const sc_core::sc_time& delay) {
    chunk.landed = std::max(chunk.landed, edge_after(delay));
    if (--chunk.writes > 0) return;
    // Chunks are written in order, but one may land before its predecessor (other banks).
    const auto later =
        std::upper_bound(landing_.begin(), landing_.end(), chunk.landed,
                         [](Cycles at, const Chunk* other) { return at < other->landed; });
    landing_.insert(later, &chunk);
    landed_ev_.notify(clk->until(landing_.front()->landed));
}

void Mte2Unit::on_landed() {
    if (!rst_n.read()) return;
    const Cycles now = clk->now();
    while (!landing_.empty() && landing_.front()->landed <= now) {
        Chunk& chunk = *landing_.front();
        landing_.erase(landing_.begin());
        retire(chunk);
    }
    if (!landing_.empty()) landed_ev_.notify(clk->until(landing_.front()->landed));
}

void Mte2Unit::retire(Chunk& chunk) {
    const std::uint64_t number = chunk.number;
    credits_ += chunk.bursts;
    free_.push_back(&chunk);
    pump(); // may begin new parts of the same instruction
    end_part(number);
}

Mte2Unit::Chunk& Mte2Unit::take_chunk() {
    if (free_.empty()) {
        chunks_.push_back(std::make_unique<Chunk>());
        free_.push_back(chunks_.back().get());
    }
    Chunk& chunk = *free_.back();
    free_.pop_back();
    return chunk;
}

void Mte2Unit::reset() {
    filling_ = nullptr;
    credits_ = config_.outstanding_bursts;
    reads_ = 0;
    landing_.clear();
    landed_ev_.cancel();
    free_.clear();
    for (const auto& chunk : chunks_) free_.push_back(chunk.get());
    gm_isock.reset();
    gm_l0_isock.reset();
    l1_isock.reset();
}

} // namespace aicore
