#include "hw/mte/aiv_mte2_unit.h"

#include <algorithm>
#include <cstring>

namespace aicore {

AivMte2Unit::AivMte2Unit(const sc_core::sc_module_name& name, const AivMte2Config& config,
                         PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : GmLoadEngine(name, config.pipe, config.outstanding_bursts, pool, hub, flags),
      ub_isock("ub_isock", pool, [this](void* chunk, const sc_core::sc_time& delay) {
          on_written(*static_cast<Chunk*>(chunk), delay);
      }) {}

void AivMte2Unit::begin(const Operation& operation) {
    if (const auto* pad = std::get_if<DataCopyPad>(&operation)) {
        lines_.emplace(*pad);
        filler_bytes_ = pad->elem_bytes;
        fills_with_first_ = !pad->is_pad;
        padding_value_ = pad->padding_value;
    } else {
        lines_.emplace(std::get<DataCopy>(operation)); // whole blocks: nothing to fill
    }
}

bool AivMte2Unit::next_chunk(Chunk& chunk) {
    CopyLine line;
    if (!lines_->next(line)) return false;
    chunk.shape.rows = 1;
    chunk.shape.row_bytes = static_cast<int>(line.bytes);
    chunk.shape.src_addr = line.src;
    chunk.shape.dst_addr = static_cast<std::uint32_t>(line.dst - line.lead);
    chunk.fill.lead = line.lead;
    chunk.fill.trail = line.trail;
    chunk.fill.element_bytes = filler_bytes_;
    chunk.fill.with_first = fills_with_first_;
    chunk.fill.value = padding_value_;
    chunk.fill.offset = line.offset;
    return true;
}

void AivMte2Unit::write_chunk(Chunk& chunk) {
    const Fill& fill = chunk.fill;
    const auto bytes = static_cast<std::size_t>(chunk.shape.row_bytes);
    const auto element = static_cast<std::size_t>(fill.element_bytes);
    if (!fill.with_first) {
        filler_ = fill.value;
    } else if (fill.offset < element) {
        // The first element may lie in two lines, and a block may be shorter than one.
        if (fill.offset == 0) filler_ = 0;
        std::memcpy(reinterpret_cast<std::uint8_t*>(&filler_) + fill.offset, chunk.rows.data(),
                    std::min(element - fill.offset, bytes));
    }
    std::uint8_t* out = chunk.panels.data();
    // Elements of the padding are counted from the start of the block, of the tail from its own.
    for (std::size_t i = 0; i < fill.lead; ++i) out[i] = filler_byte(i % element);
    std::memcpy(out + fill.lead, chunk.rows.data(), bytes);
    std::uint8_t* tail = out + fill.lead + bytes;
    for (std::size_t i = 0; i < fill.trail; ++i) tail[i] = filler_byte(i % element);

    begin_write(chunk);
    Access access = Access::write(chunk.shape.dst_addr, out, fill.lead + bytes + fill.trail);
    access.tag = &chunk;
    ub_isock.start(access);
}

std::uint8_t AivMte2Unit::filler_byte(std::size_t index) const {
    return static_cast<std::uint8_t>(filler_ >> (8 * index));
}

void AivMte2Unit::reset() {
    GmLoadEngine::reset();
    ub_isock.reset();
}

} // namespace aicore
