#include "hw/isa/nd2nz_walk.h"

#include <algorithm>

namespace aicore {

Nd2NzWalk::Nd2NzWalk(const Nd2Nz& nd2nz)
    : nd2nz_(nd2nz), row_bytes_(nd2nz.d_value * nd2nz.elem_bytes) {
    if (nd2nz_.n_value == 0 || row_bytes_ == 0) matrix_ = nd2nz_.nd_num;
}

bool Nd2NzWalk::next(Nd2NzChunk& chunk) {
    if (matrix_ == nd2nz_.nd_num) return false;

    const std::int64_t size = nd2nz_.elem_bytes;
    const std::int64_t src_pitch = nd2nz_.src_d_value * size;
    const std::int64_t row_pitch = nd2nz_.dst_nz_n_stride * kBlockBytes;
    const std::int64_t panel_pitch = nd2nz_.dst_nz_c0_stride * kBlockBytes;
    const std::int64_t src =
        matrix_ * nd2nz_.src_nd_matrix_stride * size + row_ * src_pitch + byte_;
    const std::int64_t dst = matrix_ * nd2nz_.dst_nz_matrix_stride * size + row_ * row_pitch +
                             byte_ / kBlockBytes * panel_pitch;

    chunk.rows = static_cast<int>(std::min<std::int64_t>(kFractalRows, nd2nz_.n_value - row_));
    chunk.row_bytes =
        static_cast<int>(std::min<std::int64_t>(kNd2NzChunkBytes, row_bytes_ - byte_));
    chunk.panels = (chunk.row_bytes + kBlockBytes - 1) / kBlockBytes;
    chunk.src_addr = nd2nz_.src_addr + static_cast<std::uint64_t>(src);
    chunk.src_row_pitch = static_cast<std::uint64_t>(src_pitch);
    chunk.dst_addr = nd2nz_.dst_addr + static_cast<std::uint32_t>(dst);
    chunk.dst_panel_pitch = static_cast<std::uint32_t>(panel_pitch);
    chunk.dst_row_pitch = static_cast<std::uint32_t>(row_pitch);

    byte_ += chunk.row_bytes;
    if (byte_ < row_bytes_) return true;
    byte_ = 0;
    row_ += chunk.rows;
    if (row_ < nd2nz_.n_value) return true;
    row_ = 0;
    ++matrix_;
    return true;
}

} // namespace aicore
