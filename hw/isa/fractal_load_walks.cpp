#include "hw/isa/fractal_load_walks.h"

#include "hw/isa/load2d_walk.h"

#include <cstdlib>

namespace aicore {

namespace {

/// Begins a step that carries `fractals` fractals.
void begin(LoadStep& step, int fractals) {
    step.clear();
    step.fractals = fractals;
    step.charged = Bytes(std::int64_t{fractals} * kFractalBytes);
}

} // namespace

bool Load2dWalk::next(LoadStep& step) {
    if (i_ == load_.repeat) return false;
    begin(step, 1);
    step.add_l1(load2d_src(load_, i_), kFractalBytes);
    if (load_.transpose) step.transform = LoadTransform::transpose_b16;
    step.add_output(load_.dst, load2d_dst(load_, i_), 0, kFractalBytes);
    ++i_;
    return true;
}

Load2dV2Walk::Load2dV2Walk(const Load2dV2& load)
    : load_(load),
      m_fractals_(!load.transpose || load.elem_bits == 32 ? 1 : square_fractals(load.elem_bits)),
      k_fractals_(load.transpose && load.elem_bits == 32 ? 2 : 1) {
    if (load_.m_step == 0) ki_ = load_.k_step;
}

bool Load2dV2Walk::next(LoadStep& step) {
    if (ki_ == load_.k_step) return false;
    begin(step, m_fractals_ * k_fractals_);
    for (int k = 0; k < k_fractals_; ++k) {
        step.add_l1(static_cast<std::uint64_t>(source(mi_, ki_ + k)), m_fractals_ * kFractalBytes);
    }
    if (!load_.transpose) {
        add_output(step, mi_, ki_);
    } else {
        step.transform = square_transform(load_.elem_bits);
        // Rows of fractals of the result follow K of the source, its columns follow M.
        for (int f = 0; f < m_fractals_ * k_fractals_; ++f) {
            if (load_.elem_bits == 32) {
                add_output(step, ki_ / k_fractals_, 2 * mi_ + f);
            } else {
                add_output(step, ki_ * m_fractals_ + f, mi_ / m_fractals_);
            }
        }
    }
    mi_ += m_fractals_;
    if (mi_ < load_.m_step) return true;
    mi_ = 0;
    ki_ += k_fractals_;
    return true;
}

std::int64_t Load2dV2Walk::source(std::int64_t mi, std::int64_t ki) const {
    const std::int64_t start =
        std::int64_t{load_.k_start} * std::abs(load_.src_stride) + load_.m_start;
    return load_.src_addr + (start + ki * load_.src_stride + mi) * kFractalBytes;
}

void Load2dV2Walk::add_output(LoadStep& step, std::int64_t mi, std::int64_t ki) const {
    const std::int64_t fractal = ki * load_.dst_stride + mi;
    step.add_output(load_.dst, static_cast<std::uint64_t>(load_.dst_addr + fractal * kFractalBytes),
                    step.output_count * kFractalBytes, kFractalBytes);
}

bool LoadTransposeWalk::next(LoadStep& step) {
    if (i_ == load_.repeat) return false;
    const int fractals = square_fractals(load_.elem_bits);
    begin(step, fractals);
    step.transform = square_transform(load_.elem_bits);
    step.add_l1(load_transpose_src(load_, i_), fractals * kFractalBytes);
    for (int f = 0; f < fractals; ++f) {
        step.add_output(load_.dst, load_transpose_dst(load_, i_, f), f * kFractalBytes,
                        kFractalBytes);
    }
    ++i_;
    return true;
}

bool LoadSparseWalk::next(LoadStep& step) {
    if (i_ == load_.repeat) return false;
    begin(step, 1);
    const std::int64_t from = load_.start_index + i_;
    step.add_l1(static_cast<std::uint64_t>(load_.src_addr + from * kFractalBytes), kFractalBytes);
    step.add_piece(LoadStep::Source::l1,
                   static_cast<std::uint64_t>(load_.index_addr + from * kSparseIndexBytes),
                   kSparseIndexBytes);
    const auto to = static_cast<std::uint64_t>(load_.dst_addr + i_ * kFractalBytes);
    step.add_output(Buffer::L0B, to, 0, kFractalBytes);
    step.add_output(Buffer::L0B_IDX, to / 4, kFractalBytes, kSparseIndexBytes);
    ++i_;
    return true;
}

} // namespace aicore
