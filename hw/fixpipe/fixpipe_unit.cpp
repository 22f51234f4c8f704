#include "hw/fixpipe/fixpipe_unit.h"

#include <algorithm>
#include <sstream>

namespace aicore {

FixpipeUnit::FixpipeUnit(const sc_core::sc_module_name& name, const FixpipeConfig& config,
                         const NumericsConfig& numerics, int arch, const FbSlices& fb_slices,
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
      numerics_(numerics), arch_(arch), fb_slices_(fb_slices), links_(links),
      unit_flags_(unit_flags), layouts_{FixpipeLayouter(
                                            [this](std::uint64_t address, const std::uint8_t* data,
                                                   int bytes) { post(0, address, data, bytes); }),
                                        FixpipeLayouter(
                                            [this](std::uint64_t address, const std::uint8_t* data,
                                                   int bytes) { post(1, address, data, bytes); })} {
    if (links.l0c_to_ub == nullptr) return;
    for (std::size_t i = 0; i < ub_isock.size(); ++i) {
        ub_isock[i] = std::make_unique<InitiatorPort<2048>>(
            ("ub" + std::to_string(i) + "_isock").c_str(), pool);
    }
}

const Link& FixpipeUnit::link_of(const Operation& operation) const {
    if (std::holds_alternative<L1ToFb>(operation)) return links_.l1_to_fb;
    const Fixpipe fixpipe = fixpipe_of(operation);
    return output_link_of(fixpipe.dst, fixpipe.dual_dst != DualDst::none);
}

Link& FixpipeUnit::output_link_of(Buffer dst, bool dual) const {
    switch (dst) {
    case Buffer::L1: return links_.l0c_to_l1;
    case Buffer::UB: return dual ? *links_.l0c_to_ub_dual : *links_.l0c_to_ub;
    default: return links_.l0c_to_gm;
    }
}

Fixpipe FixpipeUnit::fixpipe_of(const Operation& operation) const {
    return *as_fixpipe(operation, config_.layout);
}

Cycles FixpipeUnit::startup(const Operation& operation) const {
    if (std::holds_alternative<ClearUnitFlags>(operation)) return Cycles(0);
    const Cycles latency = link_of(operation).latency();
    if (std::holds_alternative<L1ToFb>(operation)) return latency;
    // A part of the latency comes after the last L0C read: the write of the last fractal.
    return latency - std::min(latency, write_drain(fixpipe_of(operation)));
}

/// A fractal of 32-bit results takes twice the beats into L1.
Cycles FixpipeUnit::write_drain(const Fixpipe& fixpipe) const {
    const bool words_to_l1 = fixpipe.dst == Buffer::L1 && bits_of(fixpipe.dst_type) == 32;
    return Cycles((words_to_l1 ? 2 : 1) * config_.write_drain_cycles.count());
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
    const Fixpipe fixpipe = fixpipe_of(operation);
    const bool dual = fixpipe.dual_dst != DualDst::none;
    part_count_ = dual ? 2 : 1;
    for (int i = 0; i < part_count_; ++i) {
        const auto part = static_cast<std::size_t>(i);
        parts_[part] = dual ? fixpipe_half(fixpipe, i) : fixpipe;
        layouts_[part].begin(parts_[part], config_.layout.c0_pad);
    }
    output_ = &output_link_of(fixpipe.dst, dual);
    shape_ = fixpipe_shape(parts_[0]);
    stages_ = fixpipe_stages(fixpipe, numerics_, arch_);
    std::fill(columns_.begin(), columns_.end(), std::nullopt);
    at_ = {};
    step_ = 0;
    row_ = 0;
    if (!next_fractal()) return end_stream(clk->now());
    read_fractal();
}

// ---- fractals out of L0C -----------------------------------------------------------------------

bool FixpipeUnit::next_fractal() {
    const int fractals = shape_.m1 * shape_.n1;
    if (fractals == 0) return false;
    if (step_ == fractals * part_count_) {
        step_ = 0;
        ++at_.matrix;
    }
    if (at_.matrix == shape_.matrices) return false;
    part_ = static_cast<std::size_t>(step_ % part_count_);
    const FractalIndex index =
        fractal_at(fixpipe_traversal(part()), shape_.m1, shape_.n1, step_ / part_count_);
    at_.mi = index.mi;
    at_.ni = index.ni;
    ++step_;
    return true;
}

void FixpipeUnit::read_fractal() {
    const Fixpipe& op = part();
    const bool one_row = reads_row_by_row();
    const auto address = static_cast<std::uint32_t>(fixpipe_src(op, at_.matrix, at_.mi, at_.ni) +
                                                    row_ * fixpipe_src_row_pitch(op));
    if (op.unit_flag != UnitFlagMode::off) {
        // The cube works on whole fractals, so the flags of both halves count even in a tail.
        const int first = static_cast<int>(address) / kUnitFlagBlockBytes;
        const int last = (static_cast<int>(address) + kL0cFractalBytes - 1) / kUnitFlagBlockBytes;
        if (!wait_for_unit_flags(first, last - first + 1)) return;
    }
    const Cycles now = clk->now();
    const int rows_written = one_row ? 1 : fixpipe_rows(op, at_.mi);
    const int rows_read = op.broadcast ? 1 : rows_written;
    const std::int64_t written =
        std::int64_t(rows_written) *
        fixpipe_row_bytes(op, op.c0_pad ? kFractalRows : fixpipe_columns(op, at_.ni));
    Access access = Access::read(
        address, reinterpret_cast<std::uint8_t*>(fractal_.data() + row_ * kFractalRows),
        static_cast<std::size_t>(rows_read) * kL0cRowBytes);
    access.pace = output_
                      ->reserve(now, Bytes(written), std::int64_t(rows_written) * kFractalRows,
                                one_row ? strided_cycles(written) : Cycles(0))
                      .until -
                  now;
    l0c_isock.start(access);
}

/// A row that is read by itself, with `bytes` of results.
Cycles FixpipeUnit::strided_cycles(std::int64_t bytes) const {
    const LinkConfig& link = output_->config();
    const std::int64_t slowdown = config_.nz2dn_stride_slowdown;
    const std::int64_t by_bytes = ceil_div(slowdown * bytes, link.bytes_per_cycle.count());
    if (link.elements_per_cycle == 0) return Cycles(by_bytes);
    return Cycles(std::max(by_bytes, ceil_div(slowdown * kFractalRows, link.elements_per_cycle)));
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
    if (reads_row_by_row()) {
        if (++row_ < fixpipe_rows(part(), at_.mi)) return read_fractal();
        row_ = 0;
    }
    if (part().unit_flag == UnitFlagMode::toggle) {
        const int first =
            static_cast<int>(fixpipe_src(part(), at_.matrix, at_.mi, at_.ni)) / kUnitFlagBlockBytes;
        unit_flags_.write_at(now, first, kL0cFractalBytes / kUnitFlagBlockBytes, false, number_,
                             place_);
    }
    write_fractal();
    if (next_fractal()) return read_fractal();
    end_stream(
        std::max(now + write_drain(part()), issued_ + output_->config().min_instruction_cycles));
}

// ---- through the stages to the destination -----------------------------------------------------

void FixpipeUnit::write_fractal() {
    const int rows = fixpipe_rows(part(), at_.mi);
    if (part().broadcast) {
        for (int row = 1; row < rows; ++row) {
            std::copy_n(fractal_.begin(), kFractalRows, fractal_.begin() + row * kFractalRows);
        }
    }
    convert_fractal(stages_, columns_of(stages_.per_column ? at_.ni : 0), fractal_.data(), rows,
                    converted_.data());
    layouts_[part_].put(at_, converted_.data());
}

/// Parameters of a panel: the words of the instruction, or the entries of its columns. Row by row
/// of fractals the panels come again and again, so that they are read and decoded once.
const PanelColumns& FixpipeUnit::columns_of(int panel) {
    const auto index = static_cast<std::size_t>(panel);
    if (columns_.size() <= index) columns_.resize(index + 1);
    std::optional<PanelColumns>& parameters = columns_[index];
    if (parameters) return *parameters;
    if (stages_.is_plain) return parameters.emplace();
    const int columns = stages_.per_column ? fixpipe_columns(part(), at_.ni) : kQuantColumns;
    const auto count = static_cast<std::size_t>(columns);
    PanelWords words;
    words.quant_pre[0] = part().quant_scalar;
    words.relu_pre[0] = part().relu_pre_alpha;
    words.quant_post[0] = part().quant_post_scalar;
    words.relu_post[0] = part().relu_post_alpha;
    if (aicore::info(part().quant_pre).parameter == QuantParameterKind::vector) {
        read_table(kFbQuantPre, part().quant_table_addr, words.quant_pre.data(), count);
    }
    if (part().relu_pre == ReluMode::prelu) {
        read_table(kFbReluPre, part().relu_pre_table_addr, words.relu_pre.data(), count);
    }
    if (aicore::info(part().quant_post).parameter == QuantParameterKind::vector) {
        read_table(kFbQuantPost, part().quant_post_table_addr, words.quant_post.data(), count);
    }
    if (part().relu_post == ReluMode::prelu) {
        read_table(kFbReluPost, part().relu_post_table_addr, words.relu_post.data(), count);
    }
    if (stages_.per_column && on_error) {
        if (const auto wrong = illegal_entry(part(), words, columns)) {
            std::ostringstream text;
            text << info().path << " in cycle " << clk->now() << ": fixpipe at line " << place_.line
                 << ", panel " << at_.ni << ": " << *wrong;
            on_error(text.str());
        }
    }
    return parameters.emplace(decode_panel(stages_, words, columns));
}

/// The `count` entries of the panel's columns, of the table at byte `table` of a slice.
template <typename Word>
void FixpipeUnit::read_table(FbSlice slice, std::uint32_t table, Word* entries, std::size_t count) {
    const std::size_t first = static_cast<std::size_t>(at_.ni) * kFractalRows * sizeof(Word);
    fb_read_isock.start(Access::read(fb_slices_.place(slice, table) + first,
                                     reinterpret_cast<std::uint8_t*>(entries),
                                     count * sizeof(Word)));
}

void FixpipeUnit::post(std::size_t part, std::uint64_t address, const std::uint8_t* data,
                       int bytes) {
    PostedWrite& write = writes_.take(number_);
    std::copy_n(data, bytes, write.data.begin());
    begin_part(number_);
    Access access = Access::write(address, write.data.data(), static_cast<std::size_t>(bytes));
    access.tag = &write;
    switch (parts_[part].dst) {
    case Buffer::L1: l1_isock.start(access); return;
    case Buffer::UB: {
        const Cycles lands = clk->now() + config_.write_drain_cycles;
        InitiatorPort<2048>& isock = *ub_isock[static_cast<std::size_t>(parts_[part].sub_block)];
        return on_written(write, *isock.start(access, clk->until(lands)));
    }
    default: gm_isock.start(access);
    }
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
    for (FixpipeLayouter& layout : layouts_) layout.reset();
    l0c_isock.reset();
    l1_isock.reset();
    gm_isock.reset();
    if (links_.l0c_to_ub == nullptr) return;
    links_.l0c_to_ub->reset();
    links_.l0c_to_ub_dual->reset();
    for (const auto& isock : ub_isock) isock->reset();
}

} // namespace aicore
