// Joins the short row pieces of an NZ2ND output into GM lines.
//
// A fractal contributes 16 row pieces of 32 to 64 bytes; pieces of neighbouring fractals in a row
// continue one another. A line leaves when it is full or when its row ends.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/isa/types.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace aicore {

class LineBuffer {
public:
    /// Appends a piece of row `row` (0..15) at GM `address`. `emit(address, data, bytes)` is called
    /// for each line that is complete.
    template <typename Emit>
    void append(int row, std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                Emit emit) {
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
    void flush(int row, Emit emit) {
        Line& line = lines_[static_cast<std::size_t>(row)];
        if (line.bytes > 0) emit(line.address, line.data.data(), line.bytes);
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
