#include "hw/mte/mte2_unit.h"

#include "hw/isa/load2d_walk.h"

#include <cstring>

namespace aicore {

Mte2Unit::Mte2Unit(const sc_core::sc_module_name& name, const Mte2Config& config, PayloadPool& pool,
                   ObserverHub& hub, EventFlags& flags)
    : GmLoadEngine(name, config.pipe, config.outstanding_bursts, pool, hub, flags),
      gm_l0_isock("gm_l0_isock", pool,
                  [this](void* chunk, const sc_core::sc_time&) {
                      on_gm_data(*static_cast<Chunk*>(chunk));
                  }),
      l1_isock("l1_isock", pool,
               [this](void* chunk, const sc_core::sc_time& delay) {
                   on_written(*static_cast<Chunk*>(chunk), delay);
               }),
      l0a_isock("l0a_isock", pool), l0b_isock("l0b_isock", pool), config_(config) {}

// ---- what to fetch -----------------------------------------------------------------------------

void Mte2Unit::begin(const Operation& operation) {
    operation_ = operation;
    nd2nz_.reset();
    copy_.reset();
    fractal_ = 0;
    if (const auto* nd2nz = std::get_if<Nd2Nz>(&operation_)) nd2nz_.emplace(*nd2nz);
    if (const auto* copy = std::get_if<DataCopy>(&operation_)) copy_.emplace(*copy);
}

bool Mte2Unit::next_chunk(Chunk& chunk) {
    chunk.dst = Buffer::L1;
    chunk.convert = nd2nz_.has_value();
    if (nd2nz_) {
        chunk.pace = config_.nd2nz_row_cycles;
        return nd2nz_->next(chunk.shape);
    }
    if (!copy_) return next_fractal_chunk(std::get<Load2d>(operation_), chunk);
    CopyLine line;
    if (!copy_->next(line)) return false;
    chunk.shape.rows = 1;
    chunk.shape.row_bytes = static_cast<int>(line.bytes);
    chunk.shape.src_addr = line.src;
    chunk.shape.dst_addr = static_cast<std::uint32_t>(line.dst);
    return true;
}

bool Mte2Unit::next_fractal_chunk(const Load2d& load, Chunk& chunk) {
    if (fractal_ == load.repeat) return false;
    chunk.dst = load.dst;
    chunk.shape.rows = 1;
    chunk.shape.row_bytes = kFractalBytes;
    chunk.shape.src_addr = load2d_src(load, fractal_);
    chunk.shape.dst_addr = static_cast<std::uint32_t>(load2d_dst(load, fractal_));
    ++fractal_;
    return true;
}

void Mte2Unit::request(Chunk& chunk, Access& access) {
    chunk.dst == Buffer::L1 ? gm_isock.start(access) : gm_l0_isock.start(access);
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
    begin_write(chunk);
    Access access = Access::write(address, data, bytes);
    access.tag = &chunk;
    if (chunk.dst == Buffer::L1) {
        l1_isock.start(access);
        return;
    }
    const auto delay = chunk.dst == Buffer::L0A ? l0a_isock.start(access) : l0b_isock.start(access);
    on_written(chunk, *delay);
}

void Mte2Unit::reset() {
    GmLoadEngine::reset();
    gm_l0_isock.reset();
    l1_isock.reset();
}

} // namespace aicore
