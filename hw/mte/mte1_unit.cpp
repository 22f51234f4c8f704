#include "hw/mte/mte1_unit.h"

#include "hw/mte/load_transform.h"

#include <cstring>

namespace aicore {

namespace {

/// Where an instruction writes.
struct DestinationOf {
    Buffer operator()(const Load2d& load) const { return load.dst; }
    Buffer operator()(const Load2dV2& load) const { return load.dst; }
    Buffer operator()(const LoadTranspose& load) const { return load.dst; }
    Buffer operator()(const LoadSparse&) const { return Buffer::L0B; }
    Buffer operator()(const Load3d& load) const { return load.dst; }
    template <typename Other>
    Buffer operator()(const Other&) const {
        return Buffer::BT;
    }
};

std::uint32_t repeated(std::uint32_t value, int bits) {
    for (; bits < 32; bits *= 2) value |= value << bits;
    return value;
}

} // namespace

Mte1Unit::Mte1Unit(const sc_core::sc_module_name& name, const Mte1Config& config,
                   const Links& links, PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE1, config.pipe, hub, flags),
      l1_isock("l1_isock", pool,
               [this](void*, const sc_core::sc_time&) {
                   if (--pending_ == 0) finish_step();
               }),
      l0a_isock("l0a_isock", pool), l0b_isock("l0b_isock", pool), index_isock("index_isock", pool),
      bt_isock("bt_isock", pool), config_(config), links_(links), walk_(Load2dWalk(Load2d{})) {}

Link& Mte1Unit::link_of(const Operation& operation) const {
    switch (std::visit(DestinationOf{}, operation)) {
    case Buffer::L0A: return links_.l1_to_l0a;
    case Buffer::L0B: return links_.l1_to_l0b;
    default: return links_.l1_to_bt;
    }
}

Cycles Mte1Unit::startup(const Operation& operation) const {
    if (std::holds_alternative<Load3d>(operation)) return config_.load3d_latency_cycles;
    if (std::holds_alternative<LoadTranspose>(operation)) {
        return config_.load_transpose_latency_cycles;
    }
    if (std::holds_alternative<LoadSparse>(operation)) return config_.load_sparse_latency_cycles;
    return link_of(operation).latency();
}

void Mte1Unit::start(const Entry& entry) {
    const Operation& operation = entry.instruction.operation;
    walk_ = load_walk(operation);
    link_ = &link_of(operation);
    extra_fractal_cycles_ = Cycles(0);
    if (const auto* load = std::get_if<Load3d>(&operation)) {
        if (load->dst == Buffer::L0B) extra_fractal_cycles_ = config_.load3d_l0b_extra_cycles;
        pad_word_ = repeated(load->pad_value, load->elem_bits);
    }
    begin_step();
}

void Mte1Unit::begin_step() {
    if (!next_step(walk_, step_)) return end_stream(clk->now());
    const Cycles pace = reserve_link();
    fill_pads();
    request_pieces(pace);
    if (pending_ == 0) wake_at(clk->now() + pace); // nothing but padding
}

/// The time that the link takes for the step.
Cycles Mte1Unit::reserve_link() {
    Cycles pace = step_.pace;
    if (pace > Cycles(0)) pace += extra_fractal_cycles_ * step_.fractals;
    const Cycles now = clk->now();
    return link_->reserve(now, step_.charged, 0, pace).until - now;
}

void Mte1Unit::request_pieces(Cycles pace) {
    for (int i = 0; i < step_.piece_count; ++i) {
        const LoadStep::Piece& piece = step_.pieces[static_cast<std::size_t>(i)];
        if (piece.source != LoadStep::Source::l1) continue;
        Access access = Access::read(piece.src, raw_.data() + piece.offset, piece.bytes);
        // One piece keeps the pace for all: the others move beside it, as fast as their banks.
        if (pending_++ == 0) access.pace = pace;
        l1_isock.start(access);
    }
}

void Mte1Unit::fill_pads() {
    for (int i = 0; i < step_.piece_count; ++i) {
        const LoadStep::Piece& piece = step_.pieces[static_cast<std::size_t>(i)];
        if (piece.source == LoadStep::Source::l1) continue;
        const std::uint32_t word = piece.source == LoadStep::Source::pad ? pad_word_ : 0;
        for (std::size_t byte = 0; byte < piece.bytes; byte += sizeof word) {
            std::memcpy(raw_.data() + piece.offset + byte, &word, sizeof word);
        }
    }
}

void Mte1Unit::finish_step() {
    const std::uint8_t* data =
        apply_load_transform(step_.transform, raw_.data(), step_.raw_bytes, transformed_.data());
    for (int i = 0; i < step_.output_count; ++i) {
        const LoadStep::Output& output = step_.outputs[static_cast<std::size_t>(i)];
        write(output, data + output.offset);
    }
    begin_step();
}

void Mte1Unit::write(const LoadStep::Output& output, const std::uint8_t* data) {
    // A write only reads its data.
    Access access = Access::write(output.addr, const_cast<std::uint8_t*>(data), output.bytes);
    switch (output.buffer) {
    case Buffer::L0A: l0a_isock.start(access); return;
    case Buffer::L0B: l0b_isock.start(access); return;
    case Buffer::L0B_IDX: index_isock.start(access); return;
    default: bt_isock.start(access); return;
    }
}

void Mte1Unit::reset() {
    for (Link* link : {&links_.l1_to_l0a, &links_.l1_to_l0b, &links_.l1_to_bt}) link->reset();
    pending_ = 0;
    l1_isock.reset();
}

} // namespace aicore
