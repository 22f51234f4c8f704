#include "hw/fixpipe/fixpipe_unit.h"

#include <algorithm>

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
      unit_flags_(unit_flags), layout_([this](std::uint64_t address, const std::uint8_t* data,
                                              int bytes) { post(address, data, bytes); }) {
    if (links.l0c_to_ub == nullptr) return;
    for (std::size_t i = 0; i < ub_isock.size(); ++i) {
        ub_isock[i] = std::make_unique<InitiatorPort<2048>>(
            ("ub" + std::to_string(i) + "_isock").c_str(), pool,
            [this](void* write, const sc_core::sc_time& delay) {
                on_written(*static_cast<PostedWrite*>(write), delay);
            });
    }
}

const Link& FixpipeUnit::link_of(const Operation& operation) const {
    const auto* fixpipe = std::get_if<Fixpipe>(&operation);
    if (fixpipe == nullptr) return links_.l1_to_fb;
    return output_link_of(*fixpipe);
}

Link& FixpipeUnit::output_link_of(const Fixpipe& fixpipe) const {
    switch (fixpipe.dst) {
    case Buffer::L1: return links_.l0c_to_l1;
    case Buffer::UB: return *links_.l0c_to_ub;
    default: return links_.l0c_to_gm;
    }
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
    stages_ = fixpipe_stages(fixpipe_, numerics_, arch_);
    layout_.begin(fixpipe_);
    columns_of_ = -1;
    at_ = {};
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
        ++at_.matrix;
    }
    if (at_.matrix == shape_.matrices) return false;
    const FractalIndex index = fractal_at(fixpipe_traversal(fixpipe_), shape_.m1, shape_.n1, step_);
    at_.mi = index.mi;
    at_.ni = index.ni;
    ++step_;
    return true;
}

void FixpipeUnit::read_fractal() {
    const std::uint32_t address = fixpipe_src(fixpipe_, at_.matrix, at_.mi, at_.ni);
    const int rows = fixpipe_rows(fixpipe_, at_.mi);
    const int bytes = rows * kL0cRowBytes;
    if (fixpipe_.unit_flag != UnitFlagMode::off) {
        // The cube works on whole fractals, so the flags of both halves count even in a tail.
        const int first = static_cast<int>(address) / kUnitFlagBlockBytes;
        const int last = (static_cast<int>(address) + kL0cFractalBytes - 1) / kUnitFlagBlockBytes;
        if (!wait_for_unit_flags(first, last - first + 1)) return;
    }
    const Cycles now = clk->now();
    const std::int64_t written =
        std::int64_t(rows) * fixpipe_row_bytes(fixpipe_, fixpipe_columns(fixpipe_, at_.ni));
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
        const int first = static_cast<int>(fixpipe_src(fixpipe_, at_.matrix, at_.mi, at_.ni)) /
                          kUnitFlagBlockBytes;
        unit_flags_.write_at(now, first, kL0cFractalBytes / kUnitFlagBlockBytes, false, number_,
                             place_);
    }
    write_fractal();
    if (next_fractal()) return read_fractal();
    end_stream(std::max(now + config_.write_drain_cycles,
                        issued_ + output_link().config().min_instruction_cycles));
}

// ---- through the stages to the destination -----------------------------------------------------

void FixpipeUnit::write_fractal() {
    load_columns();
    convert_fractal(stages_, columns_, fractal_.data(), fixpipe_rows(fixpipe_, at_.mi),
                    converted_.data());
    layout_.put(at_, converted_.data());
}

/// Parameters of the panel: the words of the instruction, or the entries of its columns.
void FixpipeUnit::load_columns() {
    const int panel = stages_.per_column ? at_.ni : 0;
    if (stages_.is_plain || columns_of_ == panel) return;
    columns_of_ = panel;
    const int columns = stages_.per_column ? fixpipe_columns(fixpipe_, at_.ni) : kQuantColumns;
    const auto count = static_cast<std::size_t>(columns);
    PanelWords words;
    words.quant_pre[0] = fixpipe_.quant_scalar;
    words.relu_pre[0] = fixpipe_.relu_pre_alpha;
    words.quant_post[0] = fixpipe_.quant_post_scalar;
    words.relu_post[0] = fixpipe_.relu_post_alpha;
    if (aicore::info(fixpipe_.quant_pre).parameter == QuantParameterKind::vector) {
        read_table(kFbQuantPre, fixpipe_.quant_table_addr, words.quant_pre.data(), count);
    }
    if (fixpipe_.relu_pre == ReluMode::prelu) {
        read_table(kFbReluPre, fixpipe_.relu_pre_table_addr, words.relu_pre.data(), count);
    }
    if (aicore::info(fixpipe_.quant_post).parameter == QuantParameterKind::vector) {
        read_table(kFbQuantPost, fixpipe_.quant_post_table_addr, words.quant_post.data(), count);
    }
    if (fixpipe_.relu_post == ReluMode::prelu) {
        read_table(kFbReluPost, fixpipe_.relu_post_table_addr, words.relu_post.data(), count);
    }
    columns_ = decode_panel(stages_, words, columns);
}

/// The `count` entries of the panel's columns, of the table at byte `table` of a slice.
template <typename Word>
void FixpipeUnit::read_table(FbSlice slice, std::uint32_t table, Word* entries, std::size_t count) {
    const std::size_t first = static_cast<std::size_t>(at_.ni) * kFractalRows * sizeof(Word);
    fb_read_isock.start(Access::read(fb_slices_.place(slice, table) + first,
                                     reinterpret_cast<std::uint8_t*>(entries),
                                     count * sizeof(Word)));
}

void FixpipeUnit::post(std::uint64_t address, const std::uint8_t* data, int bytes) {
    PostedWrite& write = writes_.take(number_);
    std::copy_n(data, bytes, write.data.begin());
    begin_part(number_);
    Access access = Access::write(address, write.data.data(), static_cast<std::size_t>(bytes));
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
    layout_.reset();
    l0c_isock.reset();
    l1_isock.reset();
    gm_isock.reset();
    if (links_.l0c_to_ub == nullptr) return;
    links_.l0c_to_ub->reset();
    links_.l0c_to_ub_dual->reset();
    for (const auto& isock : ub_isock) isock->reset();
}

} // namespace aicore
