// Where a Fixpipe reads L0C and where each row of a fractal goes.
#pragma once

#include "hw/isa/fractal_order.h"
#include "hw/isa/instruction.h"

#include <algorithm>
#include <cstdint>

namespace aicore {

/// Tile of a Fixpipe in fractals.
struct FixpipeShape {
    int m1 = 0;       ///< rows of fractals
    int n1 = 0;       ///< column panels of 16
    int matrices = 0; ///< tiles: nd_num for NZ2ND, 1 for NZ
};

/// Tile of `fixpipe`; all zero sizes give an empty tile.
constexpr FixpipeShape fixpipe_shape(const Fixpipe& fixpipe) {
    return {static_cast<int>(ceil_div(fixpipe.m_size, kFractalRows)),
            static_cast<int>(ceil_div(fixpipe.n_size, kFractalRows)),
            fixpipe.layout == FixpipeLayout::NZ2ND ? static_cast<int>(fixpipe.nd_num) : 1};
}

/// Rows of the fractals in row `mi` that are valid, 1..16. Rows past m_size are not written.
constexpr int fixpipe_rows(const Fixpipe& fixpipe, int mi) {
    return static_cast<int>(
        std::min<std::int64_t>(kFractalRows, fixpipe.m_size - std::int64_t{mi} * kFractalRows));
}

/// Columns of panel `ni` that are valid, 1..16. Columns past n_size are not written.
constexpr int fixpipe_columns(const Fixpipe& fixpipe, int ni) {
    return static_cast<int>(
        std::min<std::int64_t>(kFractalRows, fixpipe.n_size - std::int64_t{ni} * kFractalRows));
}

/// L0C address of row 0 of fractal (mi, ni) of matrix `nd`; its rows follow 64 B apart.
constexpr std::uint32_t fixpipe_src(const Fixpipe& fixpipe, int nd, int mi, int ni) {
    const std::int64_t offset = nd * fixpipe.src_nd_stride * kL0cFractalBytes +
                                ni * fixpipe.src_stride * kL0cRowBytes +
                                std::int64_t{mi} * kL0cFractalBytes;
    return fixpipe.src_addr + static_cast<std::uint32_t>(offset);
}

/// Destination address of row `r` of fractal (mi, ni) of matrix `nd`.
/// NZ: panels of 16 columns, dst_stride * 32 B apart, rows without gaps (64 B for a 32-bit output,
/// 32 B for a 16-bit one). NZ2ND: rows dst_stride elements apart, matrices dst_nd_stride elements.
constexpr std::uint64_t fixpipe_dst_row(const Fixpipe& fixpipe, int nd, int mi, int ni, int r) {
    const std::int64_t size = size_of(fixpipe.dst_type);
    const std::int64_t row = std::int64_t{mi} * kFractalRows + r;
    const std::int64_t column = std::int64_t{ni} * kFractalRows;
    const std::int64_t offset =
        fixpipe.layout == FixpipeLayout::NZ
            ? ni * fixpipe.dst_stride * kBlockBytes + row * kFractalRows * size
            : (nd * fixpipe.dst_nd_stride + row * fixpipe.dst_stride + column) * size;
    return fixpipe.dst_addr + static_cast<std::uint64_t>(offset);
}

} // namespace aicore
