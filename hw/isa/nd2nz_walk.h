// Cuts an Nd2Nz into the chunks that MTE2 fetches and turns into column panels.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>

namespace aicore {

inline constexpr int kNd2NzChunkBytes = 512; ///< longest piece of a row in a chunk: 16 panels

/// A band of up to 16 rows and up to 512 bytes of each.
/// Source: row r is `row_bytes` bytes at src_addr + r * src_row_pitch.
/// Destination: 32-byte block p of row r goes to dst_addr + p * dst_panel_pitch +
/// r * dst_row_pitch; the block that row_bytes ends in is filled up with zeros.
struct Nd2NzChunk {
    int rows = 0;                      ///< 1..16
    int row_bytes = 0;                 ///< valid bytes of a row piece, 1..512
    int panels = 0;                    ///< 32-byte blocks of a row piece, 1..16
    std::uint64_t src_addr = 0;        ///< GM
    std::uint64_t src_row_pitch = 0;   ///< [B]
    std::uint32_t dst_addr = 0;        ///< L1
    std::uint32_t dst_panel_pitch = 0; ///< [B]
    std::uint32_t dst_row_pitch = 0;   ///< [B]
};

/// Chunks of an instruction: matrix by matrix, band by band, along the row. Empty when any of
/// nd_num, n_value and d_value is 0.
class Nd2NzWalk {
public:
    explicit Nd2NzWalk(const Nd2Nz& nd2nz);

    /// Gives the next chunk; false after the last one.
    bool next(Nd2NzChunk& chunk);

private:
    Nd2Nz nd2nz_;
    std::int64_t row_bytes_;
    std::int64_t matrix_ = 0;
    std::int64_t row_ = 0;  ///< first row of the band
    std::int64_t byte_ = 0; ///< position in the row
};

} // namespace aicore
