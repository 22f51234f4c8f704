#include "hw/mte/mte1_unit.h"

#include "hw/isa/load2d_walk.h"
#include "hw/numerics/fractal.h"

#include <algorithm>

namespace aicore {

Mte1Unit::Mte1Unit(const sc_core::sc_module_name& name, const PipeConfig& config, const Links& links,
                   PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE1, config, hub, flags),
      l1_isock("l1_isock", pool, [this](void*, const sc_core::sc_time&) { on_data(); }),
      l0a_isock("l0a_isock", pool), l0b_isock("l0b_isock", pool), bt_isock("bt_isock", pool), links_(links) {}

Link& Mte1Unit::link_of(const Operation& operation) const {
    if (const auto* load = std::get_if<Load2d>(&operation)) {
        return load->dst == Buffer::L0A ? links_.l1_to_l0a : links_.l1_to_l0b;
    }
    return links_.l1_to_bt;
}

Cycles Mte1Unit::startup(const Operation& operation) const { return link_of(operation).latency(); }

void Mte1Unit::start(const Entry& entry) {
    operation_ = entry.instruction.operation;
    index_ = 0;
    offset_ = 0;
    if (prepare_burst()) return request_burst();
    end_stream(clk->now());
}

bool Mte1Unit::prepare_burst() {
    if (const auto* load = std::get_if<Load2d>(&operation_)) {
        if (index_ == load->repeat) return false;
        src_ = load2d_src(*load, index_);
        dst_ = load2d_dst(*load, index_);
        bytes_ = kFractalBytes;
        ++index_;
        return true;
    }
    constexpr std::int64_t kBtUnit = 64;
    const auto& copy = std::get<L1ToBt>(operation_);
    const std::int64_t block_bytes = copy.block_len * kBtUnit;
    if (index_ == copy.block_count || block_bytes == 0) return false;
    src_ = copy.src_addr + static_cast<std::uint64_t>(index_ * (block_bytes + copy.src_gap * kBlockBytes) + offset_);
    dst_ = copy.dst_addr + static_cast<std::uint64_t>(index_ * (block_bytes + copy.dst_gap * kBtUnit) + offset_);
    bytes_ = std::min<std::int64_t>(block_bytes - offset_, kFractalBytes);
    offset_ += bytes_;
    if (offset_ == block_bytes) {
        offset_ = 0;
        ++index_;
    }
    return true;
}

void Mte1Unit::request_burst() {
    const Cycles now = clk->now();
    Access access = Access::read(src_, data_.data(), static_cast<std::size_t>(bytes_));
    access.pace = link_of(operation_).reserve(now, Bytes(bytes_)).until - now;
    l1_isock.start(access);
}

void Mte1Unit::on_data() {
    const auto bytes = static_cast<std::size_t>(bytes_);
    const auto* load = std::get_if<Load2d>(&operation_);
    if (load == nullptr) {
        bt_isock.start(Access::write(dst_, data_.data(), bytes));
    } else {
        std::array<std::uint8_t, kFractalBytes> transposed;
        std::uint8_t* fractal = data_.data();
        if (load->transpose) {
            transpose_fractal_b16(data_.data(), transposed.data());
            fractal = transposed.data();
        }
        Access write = Access::write(dst_, fractal, bytes);
        load->dst == Buffer::L0A ? l0a_isock.start(write) : l0b_isock.start(write);
    }
    if (prepare_burst()) return request_burst();
    end_stream(clk->now());
}

void Mte1Unit::reset() {
    for (Link* link : {&links_.l1_to_l0a, &links_.l1_to_l0b, &links_.l1_to_bt}) link->reset();
    l1_isock.reset();
}

} // namespace aicore
