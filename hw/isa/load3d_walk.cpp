#include "hw/isa/load3d_walk.h"

#include <algorithm>

namespace aicore {

namespace {

constexpr int kFilterFlag = 256;

std::int64_t positions(std::int64_t size, std::int64_t filter, int dilation, int stride) {
    const std::int64_t span = (filter - 1) * dilation + 1;
    return size < span ? 0 : (size - span) / stride + 1;
}

} // namespace

Load3dShape load3d_shape(const Load3d& load) {
    Load3dShape shape;
    shape.filter_h = load.filter_h + (load.filter_size_h ? kFilterFlag : 0);
    shape.filter_w = load.filter_w + (load.filter_size_w ? kFilterFlag : 0);
    shape.is_nop = load.l1_h == 0 || load.l1_w == 0 || load.channel_size == 0 ||
                   load.k_extension == 0 || load.m_extension == 0 || shape.filter_h == 0 ||
                   shape.filter_w == 0;
    shape.c0 = kBlockBytes * 8 / load.elem_bits;
    if (shape.is_nop) return shape;

    shape.out_h = positions(load.l1_h + load.pad_top + load.pad_bottom, shape.filter_h,
                            load.dilation_h, load.stride_h);
    shape.out_w = positions(load.l1_w + load.pad_left + load.pad_right, shape.filter_w,
                            load.dilation_w, load.stride_w);
    shape.m = shape.out_h * shape.out_w;
    shape.k = load.channel_size * shape.filter_h * shape.filter_w;
    shape.planes = load.channel_size / shape.c0;
    shape.rest_bytes = load.channel_size % shape.c0 * load.elem_bits / 8;
    shape.transposed = load.transpose || load.dst == Buffer::L0B;
    shape.k_chunks = ceil_div(load.k_extension, shape.c0);
    if (!shape.transposed) {
        shape.rows = ceil_div(load.m_extension, kFractalRows);
        shape.columns = shape.k_chunks;
        return shape;
    }
    // A square turns a 32-byte column of 16 channels' worth of pixels by 90 degrees.
    shape.rows = ceil_div(shape.k_chunks * shape.c0, kFractalRows);
    shape.columns = load.elem_bits == 32 ? 2 * ceil_div(load.m_extension, kFractalRows)
                                         : ceil_div(load.m_extension, shape.c0);
    return shape;
}

Load3dWalk::Load3dWalk(const Load3d& load)
    : load_(load), shape_(load3d_shape(load)),
      square_pixels_(shape_.transposed ? std::max(shape_.c0, kFractalRows) : kFractalRows),
      square_chunks_(shape_.transposed && load.elem_bits == 32 ? 2 : 1),
      m_squares_(ceil_div(load.m_extension, square_pixels_)),
      k_squares_(ceil_div(shape_.k_chunks, square_chunks_)), at_end_(shape_.is_nop) {
    if (!at_end_) find_pixels();
}

bool Load3dWalk::next(LoadStep& step) {
    if (at_end_) return false;
    step.clear();
    const int groups = square_pixels_ / kFractalRows;
    step.fractals = groups * square_chunks_;
    step.charged = Bytes(std::int64_t{step.fractals} * kFractalBytes);
    step.pace = chunk_cycles_ * square_chunks_;
    for (int i = 0; i < square_chunks_; ++i) {
        const std::int64_t chunk = k_square_ * square_chunks_ + i;
        for (int group = 0; group < groups; ++group) add_column(step, group, chunk);
    }
    if (shape_.transposed) step.transform = square_transform(load_.elem_bits);
    add_outputs(step);
    advance();
    return true;
}

/// The order in which fractals follow one another in the destination.
void Load3dWalk::advance() {
    const bool m_is_fast = shape_.transposed && load_.dst == Buffer::L0A && load_.dst_stride == 0;
    const bool k_is_slow = m_is_fast || (!shape_.transposed && load_.dst_stride != 0);
    std::int64_t& fast = k_is_slow ? m_square_ : k_square_;
    std::int64_t& slow = k_is_slow ? k_square_ : m_square_;
    const std::int64_t fast_count = k_is_slow ? m_squares_ : k_squares_;
    const std::int64_t slow_count = k_is_slow ? k_squares_ : m_squares_;
    const std::int64_t old_m = m_square_;
    if (++fast == fast_count) {
        fast = 0;
        at_end_ = ++slow == slow_count;
    }
    if (!at_end_ && m_square_ != old_m) find_pixels();
}

void Load3dWalk::find_pixels() {
    const std::int64_t first = load_.m_start + m_square_ * square_pixels_;
    const std::int64_t end = std::min<std::int64_t>(load_.m_start + load_.m_extension, shape_.m);
    chunk_cycles_ = Cycles(0);
    for (int group = 0; group < square_pixels_ / kFractalRows; ++group) {
        std::int64_t first_row = 0, last_row = 0;
        for (int i = 0; i < kFractalRows; ++i) {
            const int index = group * kFractalRows + i;
            const std::int64_t m = first + index;
            Pixel& pixel = pixels_[static_cast<std::size_t>(index)];
            pixel.exists = m < end;
            if (!pixel.exists) continue;
            last_row = m / shape_.out_w;
            if (i == 0) first_row = last_row;
            pixel.h = static_cast<std::int32_t>(last_row * load_.stride_h);
            pixel.w = static_cast<std::int32_t>(m % shape_.out_w * load_.stride_w);
        }
        chunk_cycles_ += load3d_fractal_cycles(load_.stride_w, last_row - first_row + 1);
    }
}

void Load3dWalk::add_column(LoadStep& step, int group, std::int64_t chunk) const {
    const std::int64_t k_chunk = load_.k_start / shape_.c0 + chunk;
    for (int i = 0; i < kFractalRows; ++i) {
        const Pixel& pixel = pixels_[static_cast<std::size_t>(group * kFractalRows + i)];
        if (pixel.exists && chunk < shape_.k_chunks) {
            add_pixel_chunk(step, pixel, k_chunk);
        } else {
            step.add_piece(LoadStep::Source::zero, 0, kBlockBytes);
        }
    }
}

/// The 32 bytes of a pixel in a column: one place of the filter, in the packed plane several.
void Load3dWalk::add_pixel_chunk(LoadStep& step, const Pixel& pixel, std::int64_t chunk) const {
    const std::int64_t places = shape_.filter_h * shape_.filter_w;
    const std::int64_t plane = chunk / places;
    const std::int64_t plane_bytes = std::int64_t{load_.l1_h} * load_.l1_w * kBlockBytes;
    const auto plane_addr = [&](std::int64_t index) {
        return static_cast<std::uint64_t>(load_.src_addr + index * plane_bytes);
    };
    if (plane < shape_.planes) {
        return add_element_row(step, pixel, chunk % places, plane_addr(plane), kBlockBytes);
    }
    const int rest = shape_.rest_bytes;
    const int per_chunk = rest == 0 ? 1 : kBlockBytes / rest;
    const std::int64_t first = (chunk - shape_.planes * places) * per_chunk;
    for (int i = 0; i < per_chunk; ++i) {
        if (rest != 0 && first + i < places) {
            add_element_row(step, pixel, first + i, plane_addr(shape_.planes), rest);
        } else {
            step.add_piece(LoadStep::Source::zero, 0, kBlockBytes / per_chunk);
        }
    }
}

void Load3dWalk::add_element_row(LoadStep& step, const Pixel& pixel, std::int64_t position,
                                 std::uint64_t plane_addr, int bytes) const {
    const std::int64_t h = pixel.h - load_.pad_top + position / shape_.filter_w * load_.dilation_h;
    const std::int64_t w = pixel.w - load_.pad_left + position % shape_.filter_w * load_.dilation_w;
    if (h < 0 || h >= load_.l1_h || w < 0 || w >= load_.l1_w) {
        step.add_piece(LoadStep::Source::pad, 0, bytes);
    } else {
        step.add_l1(plane_addr + static_cast<std::uint64_t>((h * load_.l1_w + w) * bytes), bytes);
    }
}

void Load3dWalk::add_outputs(LoadStep& step) const {
    const auto add = [&](std::int64_t row, std::int64_t column, int bytes) {
        const std::int64_t fractal = shape_.fractal_index(load_, row, column);
        step.add_output(load_.dst,
                        static_cast<std::uint64_t>(load_.dst_addr + fractal * kFractalBytes),
                        step.output_count * kFractalBytes, bytes);
    };
    if (!shape_.transposed) return add(m_square_, k_square_, kFractalBytes);
    switch (load_.elem_bits) {
    case 16: return add(k_square_, m_square_, kFractalBytes);
    case 32: {
        const bool is_half = k_square_ * 2 + 1 == shape_.k_chunks;
        for (int f = 0; f < 2; ++f) {
            add(k_square_, 2 * m_square_ + f, is_half ? kFractalBytes / 2 : kFractalBytes);
        }
        return;
    }
    default: // 8 bit
        for (int f = 0; f < 2; ++f) add(2 * k_square_ + f, m_square_, kFractalBytes);
    }
}

} // namespace aicore
