#include "hw/fixpipe/fixpipe_layout.h"

#include <algorithm>

namespace aicore {

void FixpipeLayouter::begin(const Fixpipe& fixpipe, C0Pad pad) {
    fixpipe_ = fixpipe;
    pad_ = pad;
    shape_ = fixpipe_shape(fixpipe);
    row_bytes_ = fixpipe_row_bytes(fixpipe, kFractalRows);
}

void FixpipeLayouter::put(const FractalPlace& place, std::uint8_t* fractal) {
    if (fixpipe_.layout == FixpipeLayout::NZ2ND) return put_rows(place, fractal);
    if (fixpipe_.layout == FixpipeLayout::NZ2DN) return put_columns(place, fractal);
    if (fixpipe_.c0_pad && pad_ == C0Pad::zeros) clear_padding(place, fractal);
    if (fixpipe_.channel_split) return put_split(place, fractal);
    if (fixpipe_merged_panels(fixpipe_) == 1 || fixpipe_is_lone_panel(fixpipe_, place.ni)) {
        return put_panel(place, fractal);
    }
    put_merged(place, fractal);
}

void FixpipeLayouter::clear_padding(const FractalPlace& place, std::uint8_t* fractal) const {
    const int valid = fixpipe_row_bytes(fixpipe_, fixpipe_columns(fixpipe_, place.ni));
    for (int row = 0; row < fixpipe_rows(fixpipe_, place.mi); ++row) {
        std::fill(fractal + row * row_bytes_ + valid, fractal + (row + 1) * row_bytes_,
                  std::uint8_t{0});
    }
}

/// NZ: the rows of a panel have no gaps between them.
void FixpipeLayouter::put_panel(const FractalPlace& place, const std::uint8_t* fractal) {
    emit_lines(fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni, 0), fractal,
               fixpipe_rows(fixpipe_, place.mi) * row_bytes_);
}

/// NZ2ND: each row continues where that of the fractal before ended.
void FixpipeLayouter::put_rows(const FractalPlace& place, const std::uint8_t* fractal) {
    const auto bytes = static_cast<std::uint32_t>(
        fixpipe_row_bytes(fixpipe_, fixpipe_columns(fixpipe_, place.ni)));
    for (int row = 0; row < fixpipe_rows(fixpipe_, place.mi); ++row) {
        lines_.append(row, fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni, row),
                      fractal + row * row_bytes_, bytes, emit_);
        if (place.ni == shape_.n1 - 1) lines_.flush(row, emit_);
    }
}

/// NZ2DN: each column continues where that of the fractal above ended.
void FixpipeLayouter::put_columns(const FractalPlace& place, const std::uint8_t* fractal) {
    const int size = row_bytes_ / kFractalRows;
    const int rows = fixpipe_rows(fixpipe_, place.mi);
    for (int column = 0; column < fixpipe_columns(fixpipe_, place.ni); ++column) {
        for (int row = 0; row < rows; ++row) {
            std::copy_n(fractal + row * row_bytes_ + column * size, size,
                        joined_.begin() + row * size);
        }
        lines_.append(column,
                      fixpipe_dst_column(fixpipe_, place.matrix, place.mi, place.ni, column),
                      joined_.data(), static_cast<std::uint32_t>(rows * size), emit_);
        if (place.mi == shape_.m1 - 1) lines_.flush(column, emit_);
    }
}

/// Channel merge: the parts of a row arrive one after the other and leave together. A last part
/// without neighbours is padded, else it does not come here.
void FixpipeLayouter::put_merged(const FractalPlace& place, const std::uint8_t* fractal) {
    const int merged = fixpipe_merged_panels(fixpipe_);
    const int part = place.ni % merged;
    const int rows = fixpipe_rows(fixpipe_, place.mi);
    if (part == 0) joined_.fill(0);
    for (int row = 0; row < rows; ++row) {
        std::copy_n(fractal + row * row_bytes_, row_bytes_,
                    joined_.begin() + row * kBlockBytes + part * row_bytes_);
    }
    if (part == merged - 1 || place.ni == shape_.n1 - 1) {
        emit_lines(fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni - part, 0),
                   joined_.data(), rows * kBlockBytes);
    }
}

/// Channel split: columns 0..7 and 8..15 go to panels of their own.
void FixpipeLayouter::put_split(const FractalPlace& place, const std::uint8_t* fractal) {
    const int rows = fixpipe_rows(fixpipe_, place.mi);
    const int halves = fixpipe_columns(fixpipe_, place.ni) > kFractalRows / 2 ? 2 : 1;
    for (int half = 0; half < halves; ++half) {
        for (int row = 0; row < rows; ++row) {
            std::copy_n(fractal + row * row_bytes_ + half * kBlockBytes, kBlockBytes,
                        joined_.begin() + row * kBlockBytes);
        }
        emit_lines(fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni, 0, half),
                   joined_.data(), rows * kBlockBytes);
    }
}

void FixpipeLayouter::emit_lines(std::uint64_t address, const std::uint8_t* data, int bytes) {
    BurstSplitter lines(address, static_cast<std::uint64_t>(bytes));
    Burst line;
    while (lines.next(line)) {
        emit_(line.addr, data + (line.addr - address), static_cast<int>(line.bytes));
    }
}

} // namespace aicore
