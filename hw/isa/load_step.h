// What MTE1 does at a time, whatever the instruction: gather bytes of L1, rearrange them, write.
//
// The walk of each load instruction cuts it into such steps. A step is pure data: MTE1 reads its
// pieces into a raw buffer (all of them at once, L1 sorts them out by its banks), lets the link's
// time pass, applies the transform and writes the outputs.
#pragma once

#include "hw/isa/types.h"
#include "tlm/units.h"

#include <array>
#include <cstdint>

namespace aicore {

/// Rearrangement of the raw bytes of a step; see hw/numerics/fractal_squares.h.
enum class LoadTransform : std::uint8_t {
    none,
    transpose_b4,  ///< 2048 bytes: four fractals on top of one another
    transpose_b8,  ///< 1024 bytes: two on top of one another
    transpose_b16, ///< 512 bytes: one
    transpose_b32, ///< 1024 bytes: two side by side
    f16_to_f32,    ///< each float16 becomes a float32
    bf16_to_f32,
};

/// Transform of a square of elements of `bits`.
constexpr LoadTransform square_transform(int bits) {
    switch (bits) {
    case 4: return LoadTransform::transpose_b4;
    case 8: return LoadTransform::transpose_b8;
    case 32: return LoadTransform::transpose_b32;
    default: return LoadTransform::transpose_b16;
    }
}

/// Fractals of a square of elements of `bits`.
constexpr int square_fractals(int bits) { return bits == 4 ? 4 : bits == 16 ? 1 : 2; }

struct LoadStep {
    /// Where the bytes of a piece come from.
    enum class Source : std::uint8_t { l1, pad, zero };

    /// Bytes [offset, offset + bytes) of the raw buffer.
    struct Piece {
        std::uint64_t src = 0; ///< L1 address; no meaning for pad and zero
        std::uint16_t offset = 0;
        std::uint16_t bytes = 0;
        Source source = Source::l1;
    };

    /// Bytes [offset, offset + bytes) of the transformed buffer go to `addr` of `buffer`.
    struct Output {
        Buffer buffer = Buffer::L0A;
        std::uint32_t addr = 0;
        std::uint16_t offset = 0;
        std::uint16_t bytes = 0;
    };

    static constexpr int kRawBytes = 2048;
    static constexpr int kMaxPieces = 256; ///< 32 rows of eight 4-byte pieces
    static constexpr int kMaxOutputs = 4;

    std::array<Piece, kMaxPieces> pieces;
    std::array<Output, kMaxOutputs> outputs;
    int piece_count = 0;
    int output_count = 0;
    int raw_bytes = 0; ///< that the pieces fill
    LoadTransform transform = LoadTransform::none;
    Bytes charged;    ///< bytes that the link carries
    Cycles pace;      ///< time of the step at least; 0: what the link needs for its bytes
    int fractals = 0; ///< fractals that the link carries, for a path that slows down by the fractal

    void clear() {
        piece_count = output_count = raw_bytes = fractals = 0;
        transform = LoadTransform::none;
        charged = Bytes(0);
        pace = Cycles(0);
    }

    /// Appends `bytes` to the raw buffer. Neighbours become one piece.
    void add_piece(Source source, std::uint64_t src, int bytes);
    void add_l1(std::uint64_t src, int bytes) { add_piece(Source::l1, src, bytes); }
    void add_output(Buffer buffer, std::uint64_t addr, int offset, int bytes);
};

} // namespace aicore
