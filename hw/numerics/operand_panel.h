// Operand panels of the cube, from the bytes of L0A and L0B to the form that block_mmad.h
// multiplies.
//
// A panel is the run of fractals along K that one 16 x 16 output block consumes. A fractal holds 16
// rows of C0 = 32 bytes / element size: rows of A are m, rows of B are n, both contiguous along K.
// Decoding a panel once serves every output block in its row (A) or column (B).
//
// Decoded, a step is one 32-bit word: a float32 value, or for integers two int16 values that are
// neighbours along K. One fractal has S steps: 8 for float32, 16 for float16, bfloat16 and int8, 32
// for int4 and the 8-bit floats.
//   A: [fractal][16 m][S] words, the order of the raw fractal;
//   B: [fractal][S][16 n] words, so that a step reads one 64-byte line.
// Every element is widened exactly, K tails and their garbage included.
#pragma once

#include "hw/numerics/data_type.h"

#include <cstddef>
#include <cstdint>

namespace aicore {

/// Alignment that a decoded panel needs [bytes].
inline constexpr std::size_t kPanelAlignment = 64;

/// Steps of one fractal, see above.
constexpr int steps_per_fractal(DataType type) {
    return is_integer(type) ? c0_of(type) / 2 : c0_of(type);
}

/// Size of a decoded panel [bytes].
constexpr std::size_t decoded_panel_bytes(DataType type, int k_fractals) {
    return static_cast<std::size_t>(k_fractals) * kFractalRows *
           static_cast<std::size_t>(steps_per_fractal(type)) * 4;
}

// `type` of the functions below: float16, bfloat16, float32, int8, int4, fp8_e4m3, fp8_e5m2 or
// hifloat8; another one throws std::invalid_argument. `raw` is aligned to the element size,
// `decoded` to kPanelAlignment.

/// Decodes `k_fractals` consecutive fractals of A.
void decode_a(DataType type, const std::uint8_t* raw, int k_fractals, void* decoded);

/// Decodes `k_fractals` consecutive fractals of B.
void decode_b(DataType type, const std::uint8_t* raw, int k_fractals, void* decoded);

/// Decodes `k_fractals` consecutive fractals of a 4:2 sparse int8 B to the dense panel of twice as
/// many fractals. Of 4 neighbours along K two are stored; of their 2-bit indices the first counts
/// from element 0 and the second from element 1, and two that name the same element add up. Each
/// fractal has kSparseIndexBytes at `indices`, the index of its i-th element in bits 2i and 2i + 1.
/// An index of 3, which has no meaning in the vendor's table, selects nothing (inferred).
void decode_b_sparse(const std::uint8_t* raw, const std::uint8_t* indices, int k_fractals,
                     void* decoded);

/// Decodes A of a matrix-vector product (m = 1): `raw` is one vector, contiguous along K, of
/// k_blocks x 32 bytes. It becomes row 0 of a panel of k_blocks fractals; the other rows of
/// `decoded` stay as they are.
void decode_a_vector(DataType type, const std::uint8_t* raw, int k_blocks, void* decoded);

} // namespace aicore
