#include "hw/fixpipe/fixpipe_unit.h"

#include "hw/fixpipe/fixpipe_math.h"

#include <algorithm>

namespace aicore {

FixpipeUnit::FixpipeUnit(const sc_core::sc_module_name& name, const FixpipeConfig& config, FloatOverflow overflow,
                         const FbSlices& fb_slices, const Links& links, L0cUnitFlags& unit_flags, PayloadPool& pool, ObserverHub& hub,
                         EventFlags& flags)
    : Engine(name, Pipe::FIX, config.pipe, hub, flags), l0c_isock("l0c_isock", pool, [this](void*, const sc_core::sc_time&) { on_fractal(); }),
      l1_isock("l1_isock", pool, [this](void* tag, const sc_core::sc_time& delay) { on_l1_response(tag, delay); }),
      gm_isock("gm_isock", pool, [this](void* write, const sc_core::sc_time& delay) {
          on_written(*static_cast<PostedWrite*>(write), delay);
      }),
      fb_write_isock("fb_write_isock", pool), fb_read_isock("fb_read_isock", pool), config_(config), overflow_(overflow), fb_slices_(fb_slices), links_(links), unit_flags_(unit_flags) {}

const Link& FixpipeUnit::link_of(const Operation& operation) const {
    const auto* fixpipe = std::get_if<Fixpipe>(&operation);
    if (fixpipe == nullptr) return links_.l1_to_fb;
    return fixpipe->dst == Buffer::L1 ? links_.l0c_to_l1 : links_.l0c_to_gm;
}

Cycles FixpipeUnit::startup(const Operation& operation) const {
    if (std::holds_alternative<ClearUnitFlags>(operation)) return Cycles(0);
    const Cycles latency = link_of(operation).latency();
    // A part of the latency comes after the last L0C read: the write of the last fractal.
    return std::holds_alternative<Fixpipe>(operation) ? latency - config_.write_drain_cycles : latency;
}

void FixpipeUnit::start(const Entry& entry) {
    number_ = entry.number;
    place_ = entry.instruction.place;
    issued_ = entry.issued;
    const Operation& operation = entry.instruction.operation;
    if (const auto* table = std::get_if<L1ToFb>(&operation)) {
        table_.emplace(*table);
        return read_table_piece();
    }
    if (std::holds_alternative<ClearUnitFlags>(operation)) {
        unit_flags_.clear_all(number_, place_);
        return end_stream(clk->now());
    }
    fixpipe_ = std::get<Fixpipe>(operation);
    shape_ = fixpipe_shape(fixpipe_);
    matrix_ = 0;
    step_ = 0;
    if (!next_fractal()) return end_stream(clk->now());
    read_fractal();
}

// ---- fractals out of L0C -----------------------------------------------------------------------

bool FixpipeUnit::next_fractal() {
    const int fractals = shape_.m1 * shape_.n1;
    if (fractals == 0) return false;
    if (step_ == fractals) {
        step_ = 0;
        ++matrix_;
    }
    if (matrix_ == shape_.matrices) return false;
    const Traversal order = fixpipe_.layout == FixpipeLayout::NZ ? Traversal::column_major : Traversal::row_major;
    const FractalIndex index = fractal_at(order, shape_.m1, shape_.n1, step_);
    mi_ = index.mi;
    ni_ = index.ni;
    ++step_;
    return true;
}

void FixpipeUnit::read_fractal() {
    const std::uint32_t address = fixpipe_src(fixpipe_, matrix_, mi_, ni_);
    const int rows = fixpipe_rows(fixpipe_, mi_);
    const int bytes = rows * kL0cRowBytes;
    if (fixpipe_.unit_flag != UnitFlagMode::off) {
        // The cube works on whole fractals, so the flags of both halves count even in a tail.
        const int first = static_cast<int>(address) / kUnitFlagBlockBytes;
        const int last = (static_cast<int>(address) + kL0cFractalBytes - 1) / kUnitFlagBlockBytes;
        if (!wait_for_unit_flags(first, last - first + 1)) return;
    }
    const Cycles now = clk->now();
    const std::int64_t written = std::int64_t(rows) * fixpipe_columns(fixpipe_, ni_) * size_of(fixpipe_.dst_type);
    Access access = Access::read(address, reinterpret_cast<std::uint8_t*>(fractal_.data()), static_cast<std::size_t>(bytes));
    access.pace = output_link().reserve(now, Bytes(written), std::int64_t(rows) * kFractalRows).until - now;
    l0c_isock.start(access);
}

bool FixpipeUnit::wait_for_unit_flags(int first, int count) {
    for (int block = first; block < std::min(first + count, unit_flags_.blocks()); ++block) {
        if (unit_flags_.read(block)) continue;
        unit_flags_.wake_when(block, true, wake_event());
        set_blocked(WaitReason::unit_flag);
        return false;
    }
    set_blocked(WaitReason::none);
    return true;
}

void FixpipeUnit::on_fractal() {
    const Cycles now = clk->now();
    if (fixpipe_.unit_flag == UnitFlagMode::toggle) {
        const int first = static_cast<int>(fixpipe_src(fixpipe_, matrix_, mi_, ni_)) / kUnitFlagBlockBytes;
        unit_flags_.write_at(now, first, kL0cFractalBytes / kUnitFlagBlockBytes, false, number_, place_);
    }
    write_fractal();
    if (next_fractal()) return read_fractal();
    end_stream(std::max(now + config_.write_drain_cycles, issued_ + output_link().config().min_instruction_cycles));
}

// ---- converted rows to the destination ---------------------------------------------------------

void FixpipeUnit::write_fractal() {
    if (fixpipe_.layout == FixpipeLayout::NZ) {
        write_rows_nz();
    } else {
        write_rows_nd();
    }
}

void FixpipeUnit::write_rows_nz() {
    const int rows = fixpipe_rows(fixpipe_, mi_);
    convert_row(fixpipe_, overflow_, fractal_.data(), rows * kFractalRows, converted_.data());
    const std::uint64_t address = fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, 0);
    BurstSplitter lines(address, static_cast<std::uint64_t>(rows * kFractalRows * size_of(fixpipe_.dst_type)));
    Burst line;
    while (lines.next(line)) post(line.addr, converted_.data() + (line.addr - address), line.bytes);
}

void FixpipeUnit::write_rows_nd() {
    const auto emit = [this](std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
        post(address, data, bytes);
    };
    const int columns = fixpipe_columns(fixpipe_, ni_);
    const auto bytes = static_cast<std::uint32_t>(columns * size_of(fixpipe_.dst_type));
    for (int row = 0; row < fixpipe_rows(fixpipe_, mi_); ++row) {
        convert_row(fixpipe_, overflow_, fractal_.data() + row * kFractalRows, columns, converted_.data());
        lines_.append(row, fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, row), converted_.data(), bytes, emit);
        if (ni_ == shape_.n1 - 1) lines_.flush(row, emit);
    }
}

void FixpipeUnit::post(std::uint64_t address, const std::uint8_t* data, std::size_t bytes) {
    PostedWrite& write = writes_.take(number_);
    std::copy_n(data, bytes, write.data.begin());
    begin_part(number_);
    Access access = Access::write(address, write.data.data(), bytes);
    access.tag = &write;
    fixpipe_.dst == Buffer::L1 ? l1_isock.start(access) : gm_isock.start(access);
}

void FixpipeUnit::on_written(PostedWrite& write, const sc_core::sc_time& delay) {
    writes_.give_back(write);
    end_part(write.number, delay);
}

// ---- L1 -> Fixpipe buffer ----------------------------------------------------------------------

void FixpipeUnit::read_table_piece() {
    const Cycles now = clk->now();
    if (!table_->next(table_step_)) return end_stream(now);
    const LoadStep::Piece& piece = table_step_.pieces.front();
    Access access = Access::read(piece.src, table_piece_.data(), piece.bytes);
    access.pace = links_.l1_to_fb.reserve(now, table_step_.charged).until - now;
    l1_isock.start(access);
}

void FixpipeUnit::on_l1_response(void* tag, const sc_core::sc_time& delay) {
    if (tag != nullptr) return on_written(*static_cast<PostedWrite*>(tag), delay);
    const LoadStep::Output& output = table_step_.outputs.front();
    fb_write_isock.start(Access::write(fb_slices_.place(output.addr), table_piece_.data(), output.bytes));
    read_table_piece();
}

void FixpipeUnit::reset() {
    for (Link* link : {&links_.l0c_to_gm, &links_.l0c_to_l1, &links_.l1_to_fb}) link->reset();
    writes_.reset();
    lines_.clear();
    l0c_isock.reset();
    l1_isock.reset();
    gm_isock.reset();
}

} // namespace aicore
