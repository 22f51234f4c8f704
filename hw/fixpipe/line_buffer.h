// Joins the short pieces of an NZ2ND or NZ2DN output, in GM or in a unified buffer, into lines.
//
// A fractal contributes 16 pieces of 8 to 64 bytes, one for each of its rows (NZ2ND) or columns
// (NZ2DN); pieces of neighbouring fractals continue one another. A line leaves when it is full or
// when its row or column ends.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/isa/types.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace aicore {

class LineBuffer {
public:
    /// Appends a piece of row or column `row` (0..15) at `address`. `emit(address, data, bytes)` is
    /// called for each line that is complete.
    template <typename Emit>
    void append(int row, std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                const Emit& emit) {
        Line& line = lines_[static_cast<std::size_t>(row)];
        BurstSplitter splitter(address, bytes);
        Burst piece;
        while (splitter.next(piece)) {
            if (line.bytes == 0) line.address = piece.addr;
            std::memcpy(line.data.data() + line.bytes, data + (piece.addr - address), piece.bytes);
            line.bytes += piece.bytes;
            if ((piece.addr + piece.bytes) % kGmLineBytes == 0) flush(row, emit);
        }
    }
    /// The row ends: what is left leaves.
    template <typename Emit>
    void flush(int row, const Emit& emit) {
        Line& line = lines_[static_cast<std::size_t>(row)];
        if (line.bytes > 0) emit(line.address, line.data.data(), static_cast<int>(line.bytes));
        line.bytes = 0;
    }
    void clear() {
        for (Line& line : lines_) line.bytes = 0;
    }

private:
    struct Line {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        std::array<std::uint8_t, kGmLineBytes> data;
    };

    std::array<Line, kFractalRows> lines_{};
};

} // namespace aicore
