// LoadData3DV2: a window of the im2col matrix of a feature map, as steps of MTE1.
//
// The feature map lies in L1 as [C1][H][W][C0], C0 being the elements of 32 bytes. When
// channel_size is no multiple of C0, the last plane is packed: [H][W][rest].
// Matrix X[M, K]: a row for each position of the filter (wo fastest, then ho), M = ho * wo; a
// column for each C0 group c1, filter row kh, filter column kw and channel c0 (c0 fastest, c1
// slowest), in the packed plane for each kh, kw and channel of the rest. Element = pad_value
// outside the map. The window is [m_start, +m_extension) x [k_start, +k_extension). It leaves as
// whole fractals: rows behind the last pixel and columns behind the last channel are zero
// [inferred: undocumented].
//
// L0A takes 16 pixels x 32 bytes a fractal, with `transpose` the fractals of the transposed window;
// L0B always takes those. Order of the fractals: L0A Zz, L0B Zn; with a dst_stride both Nz. A
// transposed 32-bit window with an odd number of 8-channel groups leaves the second half of its
// last row of fractals unwritten, as the vendor's reference script does.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/load_step.h"

#include <array>
#include <cstdint>

namespace aicore {

/// Sizes that follow from the fields of a Load3d.
struct Load3dShape {
    std::int64_t filter_h = 0, filter_w = 0; ///< with the +256 flags
    std::int64_t out_h = 0, out_w = 0;  ///< positions of the filter; not positive: it doesn't fit
    std::int64_t m = 0, k = 0;          ///< of the im2col matrix [pixels], [elements]
    int c0 = 0;                         ///< elements of 32 bytes
    std::int64_t planes = 0;            ///< C1 planes of full width
    int rest_bytes = 0;                 ///< of a pixel in the packed plane; 0: there is none
    bool transposed = false;            ///< fractals are those of the transposed window
    std::int64_t k_chunks = 0;          ///< 32-byte columns of the window
    std::int64_t rows = 0, columns = 0; ///< fractals of the destination
    bool is_nop = false;                ///< one of the fields for which 0 means no operation is 0

    /// Place of a fractal in the destination.
    std::int64_t fractal_index(const Load3d& load, std::int64_t row, std::int64_t column) const {
        if (load.dst == Buffer::L0A && load.dst_stride == 0) return row * columns + column;
        return column * (load.dst_stride == 0 ? rows : load.dst_stride) + row;
    }
};

Load3dShape load3d_shape(const Load3d& load);

/// Cycles of 16 pixels x 32 bytes that lie in `rows` rows of the output, on the way to L0A
/// (vendor's table of Load3D rates: 512 / cycles bytes a cycle). They are what the banks of L1 need
/// at worst.
constexpr Cycles load3d_fractal_cycles(int stride_w, std::int64_t rows) {
    constexpr std::int64_t kWorst = 16; // a pixel a cycle
    const bool is_power = stride_w == 1 || stride_w == 2 || stride_w == 4 || stride_w == 8;
    if (!is_power) return Cycles(kWorst);
    const std::int64_t cycles = 2 * stride_w + (rows > 1 ? rows : 0);
    return Cycles(cycles < kWorst ? cycles : kWorst);
}

/// A fractal a step, or a square of fractals when they are transposed.
class Load3dWalk {
public:
    explicit Load3dWalk(const Load3d& load);
    bool next(LoadStep& step);

private:
    static constexpr int kMaxPixels = 32;

    struct Pixel {
        std::int32_t h = 0, w = 0; ///< of the filter's first element, before padding is taken off
        bool exists = false;
    };

    void find_pixels();
    void add_column(LoadStep& step, int group, std::int64_t chunk) const;
    void add_pixel_chunk(LoadStep& step, const Pixel& pixel, std::int64_t chunk) const;
    void add_element_row(LoadStep& step, const Pixel& pixel, std::int64_t position,
                         std::uint64_t plane_addr, int bytes) const;
    void add_outputs(LoadStep& step) const;
    void advance();

    Load3d load_;
    Load3dShape shape_;
    int square_pixels_; ///< of a step
    int square_chunks_;
    std::int64_t m_squares_, k_squares_;
    std::int64_t m_square_ = 0, k_square_ = 0;
    bool at_end_;
    std::array<Pixel, kMaxPixels> pixels_; ///< of the current m square
    Cycles chunk_cycles_;                  ///< of one 32-byte column of them
};

} // namespace aicore
