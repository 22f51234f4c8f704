// Loads of whole fractals from L1, as steps of MTE1. `next` gives the next step; false after the
// last one.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/load_step.h"

#include <cstdint>

namespace aicore {

/// A fractal a step.
class Load2dWalk {
public:
    explicit Load2dWalk(const Load2d& load) : load_(load) {}
    bool next(LoadStep& step);

private:
    Load2d load_;
    std::int64_t i_ = 0;
};

/// A fractal a step, or a square of fractals when they are transposed.
class Load2dV2Walk {
public:
    explicit Load2dV2Walk(const Load2dV2& load);
    bool next(LoadStep& step);

private:
    std::int64_t source(std::int64_t mi, std::int64_t ki) const;
    void add_output(LoadStep& step, std::int64_t mi, std::int64_t ki) const;

    Load2dV2 load_;
    int m_fractals_; ///< of a step, along M of the source
    int k_fractals_; ///< along K
    std::int64_t mi_ = 0, ki_ = 0;
};

/// A square a step.
class LoadTransposeWalk {
public:
    explicit LoadTransposeWalk(const LoadTranspose& load) : load_(load) {}
    bool next(LoadStep& step);

private:
    LoadTranspose load_;
    std::int64_t i_ = 0;
};

/// A fractal and its indices a step. The indices travel beside the data and cost nothing
/// [inferred: the published rate counts the data].
class LoadSparseWalk {
public:
    explicit LoadSparseWalk(const LoadSparse& load) : load_(load) {}
    bool next(LoadStep& step);

private:
    LoadSparse load_;
    std::int64_t i_ = 0;
};

/// First byte in L1 of the i-th square.
constexpr std::uint64_t load_transpose_src(const LoadTranspose& load, std::int64_t i) {
    const std::int64_t step = load.addr_mode == AddrMode::inc ? load.src_stride : -load.src_stride;
    const std::int64_t fractal = (load.start_index + i * step) * square_fractals(load.elem_bits);
    return load.src_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

/// Where fractal `f` of the i-th square goes.
constexpr std::uint64_t load_transpose_dst(const LoadTranspose& load, std::int64_t i, int f) {
    const std::int64_t fractal =
        i * (load.dst_gap + std::int64_t{1}) + f * (load.dst_frac_gap + std::int64_t{1});
    return load.dst_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

} // namespace aicore
