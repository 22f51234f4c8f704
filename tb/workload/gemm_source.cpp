#include "tb/workload/gemm_source.h"

#include <algorithm>

namespace aicore::tb {
namespace {

constexpr int kFirstAEvent = 0; // L1 slots of A: events 0 and 1
constexpr int kFirstBEvent = 2; // L1 slots of B: events 2 and 3
constexpr int kBiasEvent = 4;
constexpr std::int64_t kMaxRowPitch = 65535;
constexpr std::int64_t kMaxRepeat = 255;
// Below this number of L0C fractals an Mmad may read the accumulator before its predecessor has
// written it, and needs a PipeBarrier (rule of the Mmad page).
constexpr std::int64_t kBarrierFractals = 10;

std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::int64_t i64(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint32_t fractals(std::int64_t count) {
    return static_cast<std::uint32_t>(count * kFractalBytes);
}

int event_of(const BufferSlots& slots, std::uint64_t use) {
    return static_cast<int>(use % u64(slots.count));
}

/// A slot that was used before must have been released.
bool needs_wait(const BufferSlots& slots, std::uint64_t use) { return use >= u64(slots.count); }
/// A slot that is used again must be released.
bool needs_release(const BufferSlots& slots, std::uint64_t use, std::uint64_t uses) {
    return use + u64(slots.count) < uses;
}

} // namespace

GemmSource::GemmSource(const GemmPlan& plan)
    : plan_(plan), bits_(bits_of(plan.spec.dtype)), elem_(std::max(bits_ / 8, 1)),
      c0_(c0_of(plan.spec.dtype)), tiles_(u64(plan.m_tiles() * plan.n_tiles())),
      steps_(tiles_ * u64(plan.k_steps())),
      a_chunks_per_tile_(u64(ceil_div(plan.spec.k, plan.l1_ka))),
      b_chunks_per_tile_(u64(ceil_div(plan.spec.k, plan.l1_kb))),
      a_chunks_(plan.a_resident ? u64(plan.m_tiles()) : tiles_ * a_chunks_per_tile_),
      b_chunks_(tiles_ * b_chunks_per_tile_) {}

bool GemmSource::next(Instruction& instruction) {
    if (batch_position_ == batch_.size()) {
        if (step_ == steps_) return false;
        generate_step();
    }
    instruction = batch_[batch_position_++];
    return true;
}

void GemmSource::rewind() {
    step_ = a_loaded_ = b_loaded_ = bias_loaded_ = 0;
    batch_.clear();
    batch_position_ = 0;
}

void GemmSource::generate_step() {
    batch_.clear();
    batch_position_ = 0;
    if (step_ == 0) set_modes();

    const Step step = describe_step();
    if (step.first_k) copy_quant_table(step);
    load_bias_until(step.tile);
    load_a_until(step.a.number);
    load_b_until(step.b.number);
    // The scalar unit dispatches in program order and stops at a full MTE1 queue: the next chunk
    // must come before the load2d of this one to arrive in time. A resident A is needed last.
    const std::uint64_t ahead = u64(plan_.l1_a.count - 1);
    const std::uint64_t next_a = std::min(step.a.number + ahead, a_chunks_ - 1);
    const std::uint64_t next_b = std::min(step.b.number + ahead, b_chunks_ - 1);
    if (!plan_.a_resident) load_a_until(next_a);
    load_b_until(next_b);
    load_a_until(next_a);
    load_l0(step);
    multiply(step);
    // One tile ahead; its place in L1 is free from here on.
    load_bias_until(std::min(step.tile + 1, tiles_ - 1));
    if (step.last_k) store(step);
    ++step_;
}

void GemmSource::set_modes() {
    SetCtrl ctrl;
    // NZ2ND reads L0C along n first; unit flags only overlap when Mmad writes in the same order.
    if (plan_.spec.unit_flag) ctrl.mm_direction = Traversal::row_major;
    if (plan_.spec.hf32) ctrl.hf32 = true;
    if (plan_.spec.dtype == DataType::hifloat8) ctrl.hifloat8 = true;
    if (ctrl.mm_direction || ctrl.hf32 || ctrl.hifloat8) emit(ctrl);
}

GemmSource::Step GemmSource::describe_step() const {
    const GemmSpec& spec = plan_.spec;
    const std::int64_t k_steps = plan_.k_steps();
    const std::int64_t tile = i64(step_) / k_steps, k_step = i64(step_) % k_steps;
    const std::int64_t m_tile = tile / plan_.n_tiles(), n_tile = tile % plan_.n_tiles();

    Step step;
    step.tile = u64(tile);
    step.m0 = m_tile * plan_.tile_m;
    step.n0 = n_tile * plan_.tile_n;
    step.k0 = k_step * plan_.tile_k;
    step.m = std::min(plan_.tile_m, spec.m - step.m0);
    step.n = std::min(plan_.tile_n, spec.n - step.n0);
    step.k = std::min(plan_.tile_k, spec.k - step.k0);
    step.first_k = k_step == 0;
    step.last_k = k_step == k_steps - 1;

    const auto chunk_at = [&](std::int64_t chunk_k, std::uint64_t chunks_per_tile) {
        Chunk chunk;
        chunk.number = step.tile * chunks_per_tile + u64(step.k0 / chunk_k);
        chunk.begin = step.k0 / chunk_k * chunk_k;
        chunk.length = std::min(chunk_k, spec.k - chunk.begin);
        chunk.first_step = step.k0 == chunk.begin;
        chunk.last_step = step.k0 + step.k == chunk.begin + chunk.length;
        return chunk;
    };
    step.a = chunk_at(plan_.l1_ka, a_chunks_per_tile_);
    step.b = chunk_at(plan_.l1_kb, b_chunks_per_tile_);
    if (plan_.a_resident) {
        step.a.number = u64(m_tile);
        step.a.first_step = step.first_k && n_tile == 0;
        step.a.last_step = step.last_k && n_tile == plan_.n_tiles() - 1;
    }
    return step;
}

void GemmSource::load_a_until(std::uint64_t number) {
    while (a_loaded_ <= number) load_a_chunk(a_loaded_++);
}

void GemmSource::load_b_until(std::uint64_t number) {
    while (b_loaded_ <= number) load_b_chunk(b_loaded_++);
}

void GemmSource::load_a_chunk(std::uint64_t number) {
    const std::int64_t chunk = i64(number % a_chunks_per_tile_);
    const std::int64_t tile = i64(number / a_chunks_per_tile_);
    const std::int64_t m_tile = plan_.a_resident ? tile : tile / plan_.n_tiles();
    const std::int64_t m0 = m_tile * plan_.tile_m, k0 = chunk * plan_.l1_ka;

    Nd2Nz copy;
    copy.src_addr = plan_.a.address + u64(bytes_of(m0 * plan_.spec.k + k0));
    copy.dst_addr = plan_.l1_a.of(number);
    copy.elem_bytes = elem_;
    copy.n_value = std::min(plan_.tile_m, plan_.spec.m - m0);
    copy.d_value = bytes_of(std::min(plan_.l1_ka, plan_.spec.k - k0)) / elem_;
    copy.dst_nz_c0_stride = copy.n_value == 1 ? 1 : round_up(copy.n_value, kFractalRows);

    const int event = kFirstAEvent + event_of(plan_.l1_a, number);
    if (needs_wait(plan_.l1_a, number)) emit(WaitFlag{Pipe::MTE1, Pipe::MTE2, event});
    load_rows(copy, bytes_of(plan_.spec.k) / elem_);
    emit(SetFlag{Pipe::MTE2, Pipe::MTE1, event});
}

void GemmSource::load_b_chunk(std::uint64_t number) {
    const std::int64_t n_tile = i64(number / b_chunks_per_tile_) % plan_.n_tiles();
    const std::int64_t n0 = n_tile * plan_.tile_n;
    const std::int64_t k0 = i64(number % b_chunks_per_tile_) * plan_.l1_kb;
    const std::int64_t n = std::min(plan_.tile_n, plan_.spec.n - n0);
    const std::int64_t k = std::min(plan_.l1_kb, plan_.spec.k - k0);
    const std::int64_t pitch = plan_.b_transposed ? plan_.spec.k : plan_.spec.n;
    const std::int64_t first = plan_.b_transposed ? n0 * pitch + k0 : k0 * pitch + n0;

    Nd2Nz copy;
    copy.src_addr = plan_.b.address + u64(bytes_of(first));
    copy.dst_addr = plan_.l1_b.of(number);
    copy.elem_bytes = elem_;
    copy.n_value = plan_.b_transposed ? n : k;
    copy.d_value = bytes_of(plan_.b_transposed ? k : n) / elem_;
    copy.dst_nz_c0_stride = round_up(copy.n_value, kFractalRows);

    const int event = kFirstBEvent + event_of(plan_.l1_b, number);
    if (needs_wait(plan_.l1_b, number)) emit(WaitFlag{Pipe::MTE1, Pipe::MTE2, event});
    load_rows(copy, bytes_of(pitch) / elem_);
    emit(SetFlag{Pipe::MTE2, Pipe::MTE1, event});
}

void GemmSource::load_bias_until(std::uint64_t tile) {
    if (!plan_.spec.bias) return;
    for (; bias_loaded_ <= tile; ++bias_loaded_) {
        const std::int64_t n0 = i64(bias_loaded_) % plan_.n_tiles() * plan_.tile_n;
        Nd2Nz copy; // a row in panels that follow one another, the last one padded
        copy.src_addr = plan_.bias.address + u64(n0 * 4);
        copy.dst_addr = plan_.l1_bias;
        copy.elem_bytes = 4;
        copy.n_value = 1;
        copy.d_value = std::min(plan_.tile_n, plan_.spec.n - n0);
        copy.src_d_value = copy.d_value;
        copy.dst_nz_c0_stride = 1;
        if (bias_loaded_ > 0) emit(WaitFlag{Pipe::MTE1, Pipe::MTE2, kBiasEvent});
        emit(copy);
        emit(SetFlag{Pipe::MTE2, Pipe::MTE1, kBiasEvent});
    }
}

void GemmSource::load_bias_table(const Step& step) {
    L1ToBt copy;
    copy.src_addr = plan_.l1_bias;
    copy.block_len = ceil_div(step.n, kFractalRows);
    copy.src_type = sum_type_of(plan_.spec.dtype);
    if (step.tile > 0) emit(WaitFlag{Pipe::M, Pipe::MTE1, kBiasEvent});
    emit(WaitFlag{Pipe::MTE2, Pipe::MTE1, kBiasEvent});
    emit(copy);
    if (step.tile + 1 < tiles_) emit(SetFlag{Pipe::MTE1, Pipe::MTE2, kBiasEvent});
}

void GemmSource::load_rows(Nd2Nz copy, std::int64_t pitch) {
    if (pitch <= kMaxRowPitch) {
        copy.src_d_value = pitch;
        emit(copy);
        return;
    }
    const std::int64_t rows = copy.n_value;
    copy.n_value = 1;
    copy.src_d_value = copy.d_value;
    for (std::int64_t row = 0; row < rows; ++row) {
        emit(copy);
        copy.src_addr += u64(pitch * elem_);
        copy.dst_addr += kBlockBytes;
    }
}

void GemmSource::load_l0(const Step& step) {
    const int event = event_of(plan_.l0a, step_);
    if (needs_wait(plan_.l0a, step_)) emit(WaitFlag{Pipe::M, Pipe::MTE1, event});

    if (plan_.spec.bias && step.first_k) load_bias_table(step);
    wait_for_chunk(step.a, kFirstAEvent);
    load_l0a(step, plan_.l0a.of(step_));
    release_chunk(step.a, kFirstAEvent, a_chunks_);

    wait_for_chunk(step.b, kFirstBEvent);
    load_l0b(step, plan_.l0b.of(step_));
    release_chunk(step.b, kFirstBEvent, b_chunks_);

    emit(SetFlag{Pipe::MTE1, Pipe::M, event});
}

void GemmSource::wait_for_chunk(const Chunk& chunk, int first_id) {
    if (chunk.first_step)
        emit(WaitFlag{Pipe::MTE2, Pipe::MTE1, first_id + event_of(plan_.l1_a, chunk.number)});
}

void GemmSource::release_chunk(const Chunk& chunk, int first_id, std::uint64_t chunks) {
    if (chunk.last_step && needs_release(plan_.l1_a, chunk.number, chunks))
        emit(SetFlag{Pipe::MTE1, Pipe::MTE2, first_id + event_of(plan_.l1_a, chunk.number)});
}

void GemmSource::load_l0a(const Step& step, std::uint32_t slot) {
    const std::uint32_t chunk = plan_.l1_a.of(step.a.number);
    const std::int64_t k_offset = step.k0 - step.a.begin;
    Load2d load;
    load.dst = Buffer::L0A;
    load.dst_addr = slot;
    load.elem_bytes = elem_;
    if (step.m == 1) {
        load.src_addr = chunk + static_cast<std::uint32_t>(bytes_of(k_offset));
        load_fractals(load, ceil_div(bytes_of(step.k), kFractalBytes));
        return;
    }
    const std::int64_t m1 = ceil_div(step.m, kFractalRows), k1 = ceil_div(step.k, c0_);
    const std::uint32_t source = chunk + fractals(k_offset / c0_ * m1);
    if (plan_.l0a_layout == L0aLayout::Nz) { // the order of L1
        load.src_addr = source;
        load_fractals(load, m1 * k1);
        return;
    }
    // L1 has the fractals of a column panel one after another (Nz), L0A those of a row (Zz). The
    // instruction runs along the longer side, so that there are fewer of them.
    const bool along_k = k1 >= m1;
    load.src_stride = along_k ? m1 : 1;
    load.dst_gap = along_k ? 0 : k1 - 1;
    for (std::int64_t i = 0; i < (along_k ? m1 : k1); ++i) {
        load.src_addr = source + fractals(along_k ? i : i * m1);
        load.dst_addr = slot + fractals(along_k ? i * k1 : i);
        load_fractals(load, along_k ? k1 : m1);
    }
}

void GemmSource::load_l0b(const Step& step, std::uint32_t slot) {
    const std::uint32_t chunk = plan_.l1_b.of(step.b.number);
    const std::int64_t k_offset = step.k0 - step.b.begin;
    const std::int64_t n1 = ceil_div(step.n, kFractalRows), k1 = ceil_div(step.k, c0_);
    Load2d load;
    load.dst = Buffer::L0B;
    load.dst_addr = slot;
    load.elem_bytes = elem_;
    if (plan_.b_transposed) {
        // Nz of [n,k] is Zn of [k,n]: the fractals already lie in order.
        load.src_addr = chunk + fractals(k_offset / c0_ * n1);
        load_fractals(load, n1 * k1);
        return;
    }
    const std::int64_t chunk_k1 = ceil_div(step.b.length, kFractalRows);
    const std::uint32_t source = chunk + fractals(k_offset / kFractalRows);
    const bool along_n = n1 >= k1 || !plan_.has_dst_gap;
    load.transpose = true;
    load.src_stride = along_n ? chunk_k1 : 1;
    load.dst_gap = along_n ? 0 : n1 - 1;
    for (std::int64_t i = 0; i < (along_n ? k1 : n1); ++i) {
        load.src_addr = source + fractals(along_n ? i : i * chunk_k1);
        load.dst_addr = slot + fractals(along_n ? i * n1 : i);
        load_fractals(load, along_n ? n1 : k1);
    }
}

void GemmSource::load_fractals(Load2d load, std::int64_t count) {
    for (std::int64_t done = 0; done < count; done += load.repeat) {
        load.src_addr += fractals(load.repeat * load.src_stride);
        load.dst_addr += fractals(load.repeat * (load.dst_gap + 1));
        load.repeat = std::min(count - done, kMaxRepeat);
        emit(load);
    }
}

void GemmSource::multiply(const Step& step) {
    const bool unit_flag = plan_.spec.unit_flag;
    const int event = event_of(plan_.l0a, step_);
    if (step.first_k && !unit_flag && needs_wait(plan_.l0c, step.tile))
        emit(WaitFlag{Pipe::FIX, Pipe::M, event_of(plan_.l0c, step.tile)});
    emit(WaitFlag{Pipe::MTE1, Pipe::M, event});
    if (!step.first_k &&
        ceil_div(step.m, kFractalRows) * ceil_div(step.n, kFractalRows) < kBarrierFractals)
        emit(PipeBarrier{Pipe::M});

    Mmad mmad;
    mmad.a_addr = plan_.l0a.of(step_);
    mmad.b_addr = plan_.l0b.of(step_);
    mmad.c_addr = plan_.l0c.of(step.tile);
    mmad.ab_type = plan_.spec.dtype;
    mmad.b_type = plan_.spec.b_dtype;
    mmad.m = step.m;
    mmad.n = step.n;
    mmad.k = step.k;
    mmad.init = !step.first_k ? MmadInit::l0c : plan_.spec.bias ? MmadInit::bias : MmadInit::zero;
    if (unit_flag) mmad.unit_flag = step.last_k ? UnitFlagMode::toggle : UnitFlagMode::keep;
    emit(mmad);
    if (mmad.init == MmadInit::bias && step.tile + 1 < tiles_)
        emit(SetFlag{Pipe::M, Pipe::MTE1, kBiasEvent});
    if (needs_release(plan_.l0a, step_, steps_)) emit(SetFlag{Pipe::M, Pipe::MTE1, event});
}

void GemmSource::store(const Step& step) {
    const GemmSpec& spec = plan_.spec;
    const int event = event_of(plan_.l0c, step.tile);
    if (!spec.unit_flag) {
        emit(SetFlag{Pipe::M, Pipe::FIX, event});
        emit(WaitFlag{Pipe::M, Pipe::FIX, event});
    }
    load_quant_table(step);
    emit(output_of(step));
    if (!spec.unit_flag && needs_release(plan_.l0c, step.tile, tiles_))
        emit(SetFlag{Pipe::FIX, Pipe::M, event});
}

} // namespace aicore::tb
