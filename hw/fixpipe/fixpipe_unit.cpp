#include "hw/fixpipe/fixpipe_unit.h"

#include <algorithm>

namespace aicore {

FixpipeUnit::FixpipeUnit(const sc_core::sc_module_name& name, const FixpipeConfig& config,
                         const NumericsConfig& numerics, const FbSlices& fb_slices,
                         const Links& links, L0cUnitFlags& unit_flags, PayloadPool& pool,
                         ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::FIX, config.pipe, hub, flags),
      l0c_isock("l0c_isock", pool, [this](void*, const sc_core::sc_time&) { on_fractal(); }),
      l1_isock("l1_isock", pool,
               [this](void* tag, const sc_core::sc_time& delay) { on_l1_response(tag, delay); }),
      gm_isock("gm_isock", pool,
               [this](void* write, const sc_core::sc_time& delay) {
                   on_written(*static_cast<PostedWrite*>(write), delay);
               }),
      fb_write_isock("fb_write_isock", pool), fb_read_isock("fb_read_isock", pool), config_(config),
      numerics_(numerics), fb_slices_(fb_slices), links_(links), unit_flags_(unit_flags) {}

const Link& FixpipeUnit::link_of(const Operation& operation) const {
    const auto* fixpipe = std::get_if<Fixpipe>(&operation);
    if (fixpipe == nullptr) return links_.l1_to_fb;
    return fixpipe->dst == Buffer::L1 ? links_.l0c_to_l1 : links_.l0c_to_gm;
}

Cycles FixpipeUnit::startup(const Operation& operation) const {
    if (std::holds_alternative<ClearUnitFlags>(operation)) return Cycles(0);
    const Cycles latency = link_of(operation).latency();
    // A part of the latency comes after the last L0C read: the write of the last fractal.
    return std::holds_alternative<Fixpipe>(operation) ? latency - config_.write_drain_cycles
                                                      : latency;
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
    stage_ = quant_stage(fixpipe_, numerics_);
    columns_of_ = -1;
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
    const FractalIndex index = fractal_at(fixpipe_traversal(fixpipe_), shape_.m1, shape_.n1, step_);
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
    const std::int64_t written =
        std::int64_t(rows) * fixpipe_columns(fixpipe_, ni_) * size_of(fixpipe_.dst_type);
    Access access = Access::read(address, reinterpret_cast<std::uint8_t*>(fractal_.data()),
                                 static_cast<std::size_t>(bytes));
    access.pace =
        output_link().reserve(now, Bytes(written), std::int64_t(rows) * kFractalRows).until - now;
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
        const int first =
            static_cast<int>(fixpipe_src(fixpipe_, matrix_, mi_, ni_)) / kUnitFlagBlockBytes;
        unit_flags_.write_at(now, first, kL0cFractalBytes / kUnitFlagBlockBytes, false, number_,
                             place_);
    }
    write_fractal();
    if (next_fractal()) return read_fractal();
    end_stream(std::max(now + config_.write_drain_cycles,
                        issued_ + output_link().config().min_instruction_cycles));
}

// ---- converted rows to the destination ---------------------------------------------------------

void FixpipeUnit::write_fractal() {
    load_columns();
    if (fixpipe_.layout == FixpipeLayout::NZ2ND) {
        write_rows_nd();
    } else if (fixpipe_merges(fixpipe_)) {
        write_merged();
    } else if (fixpipe_.channel_split) {
        write_split();
    } else {
        write_rows_nz();
    }
}

/// Parameters of the panel: the one word of the instruction, or its columns' words in the table.
void FixpipeUnit::load_columns() {
    const QuantParameterKind kind = aicore::info(fixpipe_.quant_pre).parameter;
    if (kind == QuantParameterKind::none || columns_of_ == ni_) return;
    std::array<std::uint64_t, kQuantColumns> words{fixpipe_.quant_scalar};
    const int count = fixpipe_columns(fixpipe_, ni_);
    if (kind == QuantParameterKind::vector) {
        const std::uint64_t address =
            fixpipe_.quant_table_addr + static_cast<std::uint64_t>(ni_) * sizeof words;
        fb_read_isock.start(Access::read(address, reinterpret_cast<std::uint8_t*>(words.data()),
                                         static_cast<std::size_t>(count) * sizeof words[0]));
    }
    columns_ = decode_columns(stage_, words.data(), nullptr, count);
    columns_of_ = ni_;
}

void FixpipeUnit::convert(std::uint32_t* words, int count, std::uint8_t* out) {
    convert_words(fixpipe_, stage_, columns_, words, count, out);
}

void FixpipeUnit::write_rows_nz() {
    const int rows = fixpipe_rows(fixpipe_, mi_);
    convert(fractal_.data(), rows * kFractalRows, converted_.data());
    post_lines(fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, 0), converted_.data(),
               rows * kFractalRows * size_of(fixpipe_.dst_type));
}

void FixpipeUnit::write_rows_nd() {
    const auto emit = [this](std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
        post(address, data, bytes);
    };
    const int columns = fixpipe_columns(fixpipe_, ni_);
    const auto bytes = static_cast<std::uint32_t>(columns * size_of(fixpipe_.dst_type));
    for (int row = 0; row < fixpipe_rows(fixpipe_, mi_); ++row) {
        convert(fractal_.data() + row * kFractalRows, columns, converted_.data());
        lines_.append(row, fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, row), converted_.data(),
                      bytes, emit);
        if (ni_ == shape_.n1 - 1) lines_.flush(row, emit);
    }
}

/// Channel merge: the halves of a row arrive one after the other and leave together.
void FixpipeUnit::write_merged() {
    const int rows = fixpipe_rows(fixpipe_, mi_);
    convert(fractal_.data(), rows * kFractalRows, converted_.data());
    if (fixpipe_is_lone_panel(fixpipe_, ni_)) {
        return post_lines(fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, 0), converted_.data(),
                          rows * kFractalRows);
    }
    for (int row = 0; row < rows; ++row) {
        std::copy_n(converted_.begin() + row * kFractalRows, kFractalRows,
                    merged_.begin() + row * kBlockBytes + ni_ % 2 * kFractalRows);
    }
    if (ni_ % 2 == 1) {
        post_lines(fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_ - 1, 0), merged_.data(),
                   rows * kBlockBytes);
    }
}

/// Channel split: columns 0..7 and 8..15 go to panels of their own.
void FixpipeUnit::write_split() {
    const int rows = fixpipe_rows(fixpipe_, mi_);
    convert(fractal_.data(), rows * kFractalRows, converted_.data());
    for (int half = 0; half < 2; ++half) {
        for (int row = 0; row < rows; ++row) {
            std::copy_n(converted_.begin() + row * kL0cRowBytes + half * kBlockBytes, kBlockBytes,
                        merged_.begin() + row * kBlockBytes);
        }
        post_lines(fixpipe_dst_row(fixpipe_, matrix_, mi_, ni_, 0, half), merged_.data(),
                   rows * kBlockBytes);
    }
}

void FixpipeUnit::post_lines(std::uint64_t address, const std::uint8_t* data, int bytes) {
    BurstSplitter lines(address, static_cast<std::uint64_t>(bytes));
    Burst line;
    while (lines.next(line)) post(line.addr, data + (line.addr - address), line.bytes);
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
    fb_write_isock.start(
        Access::write(fb_slices_.place(output.addr), table_piece_.data(), output.bytes));
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
