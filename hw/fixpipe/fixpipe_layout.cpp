#include "hw/fixpipe/fixpipe_layout.h"

#include "hw/isa/fixpipe_walk.h"

#include <algorithm>

namespace aicore {

void FixpipeLayouter::begin(const Fixpipe& fixpipe) {
    fixpipe_ = fixpipe;
    panels_ = fixpipe_shape(fixpipe).n1;
    row_bytes_ = fixpipe_row_bytes(fixpipe, kFractalRows);
}

void FixpipeLayouter::put(const FractalPlace& place, const std::uint8_t* fractal) {
    if (fixpipe_.layout == FixpipeLayout::NZ2ND) return put_rows(place, fractal);
    if (fixpipe_.channel_split) return put_split(place, fractal);
    if (fixpipe_merged_panels(fixpipe_) == 1 || fixpipe_is_lone_panel(fixpipe_, place.ni)) {
        return put_panel(place, fractal);
    }
    put_merged(place, fractal);
}

/// NZ: the rows of a panel have no gaps between them.
void FixpipeLayouter::put_panel(const FractalPlace& place, const std::uint8_t* fractal) {
    emit_lines(fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni, 0), fractal,
               fixpipe_rows(fixpipe_, place.mi) * row_bytes_);
}

/// NZ2ND: each row continues where that of the fractal before ended.
void FixpipeLayouter::put_rows(const FractalPlace& place, const std::uint8_t* fractal) {
    const auto emit = [this](std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
        emit_(address, data, static_cast<int>(bytes));
    };
    const auto bytes = static_cast<std::uint32_t>(
        fixpipe_row_bytes(fixpipe_, fixpipe_columns(fixpipe_, place.ni)));
    for (int row = 0; row < fixpipe_rows(fixpipe_, place.mi); ++row) {
        lines_.append(row, fixpipe_dst_row(fixpipe_, place.matrix, place.mi, place.ni, row),
                      fractal + row * row_bytes_, bytes, emit);
        if (place.ni == panels_ - 1) lines_.flush(row, emit);
    }
}

/// Channel merge: the parts of a row arrive one after the other and leave together.
void FixpipeLayouter::put_merged(const FractalPlace& place, const std::uint8_t* fractal) {
    const int merged = fixpipe_merged_panels(fixpipe_);
    const int part = place.ni % merged;
    const int rows = fixpipe_rows(fixpipe_, place.mi);
    for (int row = 0; row < rows; ++row) {
        std::copy_n(fractal + row * row_bytes_, row_bytes_,
                    joined_.begin() + row * kBlockBytes + part * row_bytes_);
    }
    if (part == merged - 1) {
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
