// How a matrix product is cut into tiles and where everything lies.
//
// A plan says what a generated program works on, never how long it takes: GM tensors, the tile of
// one Mmad, the K chunks that wait in L1, and the slots of every on-chip buffer.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/mmad_walk.h"
#include "hw/numerics/quant_mode.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace aicore::tb {

/// The product to generate: C[m,n] = A[m,k] x B[k,n].
struct GemmSpec {
    std::int64_t m = 0, n = 0, k = 0;       ///< elements, at least 1
    DataType dtype = DataType::float16;     ///< of A and B: a type that the cube multiplies
    DataType out_dtype = DataType::float32; ///< of C: a float type, or int32 for integers
    std::optional<DataType> b_dtype{};      ///< of B, when it is the other fp8
    bool hf32 = false;                      ///< float32 operands rounded to HF32
    bool bias = false;                      ///< n values in the type of the sums are added to C
    std::optional<std::int64_t> tile_m;     ///< multiple of 16, or at least m
    std::optional<std::int64_t> tile_n;     ///< multiple of 16, or at least n
    std::optional<std::int64_t> tile_k;     ///< multiple of C0 (32 bytes), or at least k
    bool double_buffer = true;              ///< two slots in L1, L0A and L0B; in L0C if they fit
    bool unit_flag = true;                  ///< Mmad and Fixpipe meet block by block in L0C
    bool relu = false;
    QuantPreMode quant = QuantPreMode::none; ///< quantisation to out_dtype
    std::uint64_t quant_scalar = 0;          ///< parameter of a scalar mode
};

/// Equal slots of one on-chip buffer that are used in turn.
struct BufferSlots {
    int count = 1;
    std::array<std::uint32_t, 2> address{}; ///< byte address of each slot

    std::uint32_t of(std::uint64_t use) const {
        return address[static_cast<std::size_t>(use % static_cast<std::uint64_t>(count))];
    }
};

/// A tensor in global memory, row-major without gaps.
struct GmTensor {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
};

struct GemmPlan {
    GemmSpec spec;
    /// B is stored [n,k] instead of [k,n]: load2d transposes 16-bit fractals only, so that other
    /// types need B with k contiguous.
    bool b_transposed = false;
    L0aLayout l0a_layout = L0aLayout::Zz;
    bool has_dst_gap = true; ///< load2d can leave gaps between the fractals that it writes

    std::int64_t tile_m = 0, tile_n = 0, tile_k = 0; ///< elements of one Mmad (less at the edges)
    std::int64_t l1_ka = 0, l1_kb = 0; ///< K elements of A and of B that one slot of L1 holds
    bool a_resident = false; ///< an A slot holds all of K and serves a whole row of output tiles

    BufferSlots l1_a, l1_b, l0a, l0b, l0c;
    GmTensor a, b, c;
    GmTensor bias;             ///< empty without one
    std::uint32_t l1_bias = 0; ///< bias of one tile
    /// Parameters of a vector mode, a multiple of 16 of them; empty without one.
    GmTensor quant;
    std::uint32_t l1_quant = 0; ///< parameters of one tile

    std::int64_t m_tiles() const { return ceil_div(spec.m, tile_m); }
    std::int64_t n_tiles() const { return ceil_div(spec.n, tile_n); }
    std::int64_t k_steps() const { return ceil_div(spec.k, tile_k); }
};

/// Plans a product on a platform.
///
/// Tiles that are not given are chosen: 128 x 256 outputs (256 x 128 for n up to 128), less when
/// the problem or a buffer is smaller, and the longest power of two of C0 that L0A and L0B hold in
/// K, which is 128 x 256 x 64 for a large float16 product on arch 2201.
///
/// Rows of A come into L1 in 512 B pieces when there is room, because a short row costs an nd2nz as
/// much as a long one. A stays in L1 for a whole row of output tiles when all of its K fits.
///
/// The second slot of L1 starts at half of its capacity: the upper half lies in the other bank of
/// every group, and the load of one slot does not collide with reads of the other.
///
/// The bias of a tile waits behind both slots of L1, in as many bytes as the bias table has; the
/// parameters of a vector quantisation behind it, in as many as their slice of the Fixpipe buffer.
///
/// Throws InputError naming the dimension, tile or buffer when the product can't be planned.
GemmPlan plan_gemm(const GemmSpec& spec, const Platform& platform);

/// The parts of a planned product for `cores` cube cores: rows of A and C in equal runs of whole
/// fractals, all of B for each. Fewer parts than cores when there are not enough rows.
std::vector<GemmPlan> split_rows(const GemmPlan& plan, int cores);

} // namespace aicore::tb
