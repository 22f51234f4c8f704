#include "hw/numerics/fractal_squares.h"

#include <array>
#include <cstring>

namespace aicore {

namespace {

constexpr int kRowBytes = 32;

/// Transposes a square of 64 / bits rows of one 64-bit word by swapping ever smaller blocks beside
/// its diagonal. Elements lie in the word from the low end on.
template <int bits>
void transpose_words(std::array<std::uint64_t, 64 / bits>& rows) {
    constexpr unsigned kRows = 64 / bits;
    std::uint64_t mask = ~std::uint64_t{0};
    for (unsigned half = kRows / 2; half > 0; half /= 2) {
        const unsigned shift = half * bits;
        mask ^= mask << shift; // the lower half of every pair of blocks
        for (unsigned row = 0; row < kRows; row = ((row | half) + 1) & ~half) {
            const std::uint64_t swap = ((rows[row] >> shift) ^ rows[row | half]) & mask;
            rows[row] ^= swap << shift;
            rows[row | half] ^= swap;
        }
    }
}

/// Transposes a square whose rows are 32 bytes, word square by word square.
template <int bits>
void transpose_square(const std::uint8_t* in, std::uint8_t* out) {
    constexpr unsigned kRows = 64 / bits;        // of a word square
    constexpr unsigned kSquares = kRowBytes / 8; // along an edge
    std::array<std::uint64_t, kRows> rows;
    for (unsigned i = 0; i < kSquares; ++i) {
        for (unsigned j = 0; j < kSquares; ++j) {
            for (unsigned row = 0; row < kRows; ++row) {
                std::memcpy(&rows[row], in + (i * kRows + row) * kRowBytes + j * 8, 8);
            }
            transpose_words<bits>(rows);
            for (unsigned row = 0; row < kRows; ++row) {
                std::memcpy(out + (j * kRows + row) * kRowBytes + i * 8, &rows[row], 8);
            }
        }
    }
}

} // namespace

void transpose_square_b4(const std::uint8_t* in, std::uint8_t* out) {
    transpose_square<4>(in, out);
}

void transpose_square_b8(const std::uint8_t* in, std::uint8_t* out) {
    transpose_square<8>(in, out);
}

void transpose_pair_b32(const std::uint8_t* in, std::uint8_t* out) {
    constexpr int kRows = 16;
    constexpr int kColumns = kRowBytes / 4; // of one of the two fractals
    const auto at = [](int row, int column) {
        return column / kColumns * kRows * kRowBytes + row * kRowBytes + column % kColumns * 4;
    };
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kRows; ++column) {
            std::memcpy(out + at(column, row), in + at(row, column), 4);
        }
    }
}

} // namespace aicore
