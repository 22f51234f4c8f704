// Names of the architecture: pipes and buffers. Spelled as the vendor's documents do.
#pragma once

#include "hw/numerics/data_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace aicore {

/// Execution pipes (PIPE_S ... PIPE_FIX). ALL only stands in a pipe barrier.
enum class Pipe : std::uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, ALL };
inline constexpr int kPipes = 7; ///< pipes that execute, without ALL

/// On-chip buffers and global memory. L0B_IDX holds the indices of a sparse B; instructions never
/// name it, its address follows from that of the data in L0B.
enum class Buffer : std::uint8_t { GM, L1, L0A, L0B, L0C, BT, FB, UB, L0B_IDX };

/// Order of the 512 B fractals of A in L0A: Zz row by row, Nz column by column.
enum class L0aLayout : std::uint8_t { Zz, Nz };

/// Vector cores beside a cube core; a sub-block id chooses one.
inline constexpr int kSubBlocks = 2;

std::string_view to_string(Pipe pipe);
std::string_view to_string(Buffer buffer);

std::optional<Pipe> parse_pipe(std::string_view text);
std::optional<Buffer> parse_buffer(std::string_view text);

} // namespace aicore
