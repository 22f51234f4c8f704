// Transposition of squares that several fractals form. Rows are 32 bytes; `in` and `out` must not
// overlap and need no alignment.
#pragma once

#include <cstdint>

namespace aicore {

/// 64 x 64 elements of 4 bits: four fractals on top of one another, 2048 bytes. Element 2i is the
/// low half of byte i. out[c][r] = in[r][c].
void transpose_square_b4(const std::uint8_t* in, std::uint8_t* out);

/// 32 x 32 elements of one byte: two fractals on top of one another, 1024 bytes.
void transpose_square_b8(const std::uint8_t* in, std::uint8_t* out);

/// 16 x 16 elements of four bytes: two fractals side by side, 1024 bytes. The left eight columns
/// are the first fractal, before and after.
void transpose_pair_b32(const std::uint8_t* in, std::uint8_t* out);

} // namespace aicore
