// Layout of FixPipe's output: converted fractals become bursts of the destination.
//
// NZ: a fractal is a run of rows; 8-bit and 4-bit neighbours merge into wider rows, float32 ones
// may be split in two. NZ2ND: row pieces join to GM lines, NZ2DN: column pieces do. Addresses are
// those of hw/isa/fixpipe_walk.h.
#pragma once

#include "hw/fixpipe/line_buffer.h"
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/instruction.h"

#include <array>
#include <cstdint>
#include <functional>

namespace aicore {

/// Where a converted fractal lies in the tile.
struct FractalPlace {
    int matrix = 0;
    int mi = 0; ///< row of fractals
    int ni = 0; ///< column panel
};

class FixpipeLayouter {
public:
    /// Called with each burst: at most a GM line, which it never crosses. `data` is valid during
    /// the call only.
    using Emit = std::function<void(std::uint64_t address, const std::uint8_t* data, int bytes)>;

    explicit FixpipeLayouter(Emit emit) : emit_(std::move(emit)) {}

    /// The instruction, with one destination, of the fractals to come.
    void begin(const Fixpipe& fixpipe, C0Pad pad);
    /// A converted fractal: its valid rows, each with 16 results, which may be overwritten.
    /// Fractals come in the order of fixpipe_traversal.
    void put(const FractalPlace& place, std::uint8_t* fractal);
    /// Forgets rows that are not complete.
    void reset() { lines_.clear(); }

private:
    void put_panel(const FractalPlace& place, const std::uint8_t* fractal);
    void clear_padding(const FractalPlace& place, std::uint8_t* fractal) const;
    void put_rows(const FractalPlace& place, const std::uint8_t* fractal);
    void put_columns(const FractalPlace& place, const std::uint8_t* fractal);
    void put_merged(const FractalPlace& place, const std::uint8_t* fractal);
    void put_split(const FractalPlace& place, const std::uint8_t* fractal);
    void emit_lines(std::uint64_t address, const std::uint8_t* data, int bytes);

    Emit emit_;
    Fixpipe fixpipe_;
    C0Pad pad_ = C0Pad::zeros;
    FixpipeShape shape_;
    int row_bytes_ = 0;                                ///< of 16 results
    std::array<std::uint8_t, kFractalBytes> joined_{}; ///< rows of merged panels or of half a panel
    LineBuffer lines_;
};

} // namespace aicore
