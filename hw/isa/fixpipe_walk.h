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
    int matrices = 0; ///< tiles: nd_num for NZ2ND and NZ2DN, 1 for NZ
};

/// Tile of `fixpipe`; all zero sizes give an empty tile.
constexpr FixpipeShape fixpipe_shape(const Fixpipe& fixpipe) {
    return {static_cast<int>(ceil_div(fixpipe.m_size, kFractalRows)),
            static_cast<int>(ceil_div(fixpipe.n_size, kFractalRows)),
            fixpipe.layout == FixpipeLayout::NZ ? 1 : static_cast<int>(fixpipe.nd_num)};
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

/// Bytes of `columns` results side by side; an even number of columns for int4.
constexpr int fixpipe_row_bytes(const Fixpipe& fixpipe, int columns) {
    return columns * bits_of(fixpipe.dst_type) / 8;
}

/// Bytes from one row of a source panel to the next.
constexpr std::int64_t fixpipe_src_row_pitch(const Fixpipe& fixpipe) {
    const bool skips = fixpipe.layout == FixpipeLayout::NZ2DN;
    return (skips ? fixpipe.src_nz_c0_stride : 1) * kL0cRowBytes;
}

/// Bytes from one source matrix to the next.
constexpr std::int64_t fixpipe_src_nd_pitch(const Fixpipe& fixpipe) {
    const bool rows = fixpipe.src_nd_stride_unit == NdStrideUnit::rows;
    return fixpipe.src_nd_stride * (rows ? kL0cRowBytes : kL0cFractalBytes);
}

/// L0C address of row 0 of fractal (mi, ni) of matrix `nd`; its rows follow fixpipe_src_row_pitch
/// apart. A broadcast reads row 0 of a panel for all of its fractals.
constexpr std::uint32_t fixpipe_src(const Fixpipe& fixpipe, int nd, int mi, int ni) {
    const std::int64_t row = fixpipe.broadcast ? 0 : std::int64_t{mi} * kFractalRows;
    const std::int64_t offset = nd * fixpipe_src_nd_pitch(fixpipe) +
                                ni * fixpipe.src_stride * kL0cRowBytes +
                                row * fixpipe_src_row_pitch(fixpipe);
    return fixpipe.src_addr + static_cast<std::uint32_t>(offset);
}

/// Bytes of L0C from src_addr to the end of the last row that is read.
constexpr std::int64_t fixpipe_src_bytes(const Fixpipe& fixpipe) {
    const FixpipeShape shape = fixpipe_shape(fixpipe);
    const std::int64_t last_row = fixpipe.broadcast ? 0 : fixpipe.m_size - 1;
    return (shape.matrices - 1) * fixpipe_src_nd_pitch(fixpipe) +
           (shape.n1 - 1) * fixpipe.src_stride * kL0cRowBytes +
           last_row * fixpipe_src_row_pitch(fixpipe) + kL0cRowBytes;
}

/// Half of the work of a Fixpipe with two destinations, as an instruction with one.
constexpr Fixpipe fixpipe_half(const Fixpipe& fixpipe, int half) {
    Fixpipe part = fixpipe;
    part.dual_dst = DualDst::none;
    part.sub_block = half;
    std::int64_t rows = 0;
    if (fixpipe.dual_dst == DualDst::split_m) {
        part.m_size = fixpipe.m_size / 2;
        rows = part.m_size;
    } else {
        part.n_size = fixpipe.n_size / 2;
        rows = part.n_size / kFractalRows * fixpipe.src_stride;
    }
    part.src_addr += static_cast<std::uint32_t>(half * rows * kL0cRowBytes);
    return part;
}

/// `fixpipe` with the sizes that are written; they differ from its fields in a broadcast only.
constexpr Fixpipe fixpipe_as_executed(Fixpipe fixpipe, const FixpipeReadings& readings) {
    if (fixpipe.broadcast && readings.broadcast == BroadcastRows::fractals) {
        fixpipe.m_size = ceil_div(fixpipe.m_size, kFractalRows) * kFractalRows;
    }
    return fixpipe;
}

/// Neighbouring panels of 16 columns that leave as one in NZ (channel merge): 2 for 8-bit results,
/// 4 for int4, else 1.
constexpr int fixpipe_merged_panels(const Fixpipe& fixpipe) {
    const int bits = bits_of(fixpipe.dst_type);
    return fixpipe.layout == FixpipeLayout::NZ && bits < 16 ? 16 / bits : 1;
}

/// The last 8-bit panel of an odd number has no neighbour: it stays 16 columns wide, rows of 16 B
/// without gaps [inferred from "moved directly"], unless it is padded.
constexpr bool fixpipe_is_lone_panel(const Fixpipe& fixpipe, int ni) {
    const auto n1 = static_cast<int>(ceil_div(fixpipe.n_size, kFractalRows));
    return fixpipe_merged_panels(fixpipe) == 2 && !fixpipe.c0_pad && n1 % 2 == 1 && ni == n1 - 1;
}

/// Bytes of one row of the destination panel that holds source panel `ni`.
constexpr int fixpipe_panel_row_bytes(const Fixpipe& fixpipe, int ni) {
    if (fixpipe.channel_split) return kBlockBytes;
    const int panels = fixpipe_is_lone_panel(fixpipe, ni) ? 1 : fixpipe_merged_panels(fixpipe);
    return fixpipe_row_bytes(fixpipe, panels * kFractalRows);
}

/// Bytes from one panel of an NZ output to the next.
constexpr std::int64_t fixpipe_panel_pitch(const Fixpipe& fixpipe) {
    const bool elements = fixpipe.dst_stride_unit == PanelStrideUnit::elements;
    return fixpipe.dst_stride * (elements ? bits_of(fixpipe.dst_type) : kBlockBytes * 8) / 8;
}

/// Destination address of row `r` of fractal (mi, ni) of matrix `nd`.
/// NZ: destination panels fixpipe_panel_pitch apart, their rows without gaps. A panel has 16
/// columns; 32 or 64 where several were merged; 8 where one was split (`half` 1: columns 8..15).
/// NZ2ND: rows dst_stride elements apart, matrices dst_nd_stride elements.
constexpr std::uint64_t fixpipe_dst_row(const Fixpipe& fixpipe, int nd, int mi, int ni, int r,
                                        int half = 0) {
    const std::int64_t row = std::int64_t{mi} * kFractalRows + r;
    if (fixpipe.layout == FixpipeLayout::NZ2ND) {
        const std::int64_t element =
            nd * fixpipe.dst_nd_stride + row * fixpipe.dst_stride + std::int64_t{ni} * kFractalRows;
        return fixpipe.dst_addr +
               static_cast<std::uint64_t>(element * bits_of(fixpipe.dst_type) / 8);
    }
    const int merged = fixpipe_merged_panels(fixpipe);
    const std::int64_t panel = fixpipe.channel_split ? 2 * ni + half : ni / merged;
    const std::int64_t column_offset = fixpipe_row_bytes(fixpipe, ni % merged * kFractalRows);
    const std::int64_t offset = panel * fixpipe_panel_pitch(fixpipe) +
                                row * fixpipe_panel_row_bytes(fixpipe, ni) + column_offset;
    return fixpipe.dst_addr + static_cast<std::uint64_t>(offset);
}

/// NZ2DN: destination address of row 16 * mi of column `column` (0..15) of panel `ni`; the column
/// goes on without gaps. Columns dst_stride elements apart, matrices dst_nd_stride elements.
constexpr std::uint64_t fixpipe_dst_column(const Fixpipe& fixpipe, int nd, int mi, int ni,
                                           int column) {
    const std::int64_t n = std::int64_t{ni} * kFractalRows + column;
    const std::int64_t element =
        nd * fixpipe.dst_nd_stride + n * fixpipe.dst_stride + std::int64_t{mi} * kFractalRows;
    return fixpipe.dst_addr + static_cast<std::uint64_t>(element * size_of(fixpipe.dst_type));
}

/// Bytes from dst_addr to the end of the output; sizes and strides of an empty one don't matter.
constexpr std::int64_t fixpipe_dst_bytes(const Fixpipe& fixpipe) {
    if (fixpipe.layout != FixpipeLayout::NZ) {
        const bool rows = fixpipe.layout == FixpipeLayout::NZ2ND;
        const std::int64_t lines = rows ? fixpipe.m_size : fixpipe.n_size;
        const std::int64_t length = rows ? fixpipe.n_size : fixpipe.m_size;
        const std::int64_t elements = (fixpipe.nd_num - 1) * fixpipe.dst_nd_stride +
                                      (lines - 1) * fixpipe.dst_stride + length;
        return elements * bits_of(fixpipe.dst_type) / 8;
    }
    const auto n1 = static_cast<int>(ceil_div(fixpipe.n_size, kFractalRows));
    const std::int64_t panels = fixpipe.channel_split
                                    ? ceil_div(fixpipe.n_size, c0_of(DataType::float32))
                                    : ceil_div(n1, fixpipe_merged_panels(fixpipe));
    const std::int64_t end = (panels - 1) * fixpipe_panel_pitch(fixpipe) +
                             fixpipe.m_size * fixpipe_panel_row_bytes(fixpipe, n1 - 1);
    if (panels == 1 || !fixpipe_is_lone_panel(fixpipe, n1 - 1)) return end;
    // Rows of a lone panel are shorter: with a small pitch the panel before it ends later.
    return std::max(end, (panels - 2) * fixpipe_panel_pitch(fixpipe) +
                             fixpipe.m_size * fixpipe_panel_row_bytes(fixpipe, 0));
}

/// Order in which the fractals are read: along the rows where neighbours in a row belong together,
/// else down the panels.
constexpr Traversal fixpipe_traversal(const Fixpipe& fixpipe) {
    const bool down = fixpipe.layout == FixpipeLayout::NZ2DN ||
                      (fixpipe.layout == FixpipeLayout::NZ && fixpipe_merged_panels(fixpipe) == 1);
    return down ? Traversal::column_major : Traversal::row_major;
}

} // namespace aicore
