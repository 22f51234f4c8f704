// Where an Mmad finds its fractals: L0A in Zz order (arch 3510: Nz), L0B in Zn order, L0C in Nz
// order.
//
// Sizes m, n, k are valid elements; a partly used fractal occupies its whole place.
#pragma once

#include "hw/isa/fractal_order.h"
#include "hw/isa/mmad_types.h"

#include <cstdint>

namespace aicore {

/// Tile of an Mmad in fractals.
struct MmadShape {
    int m1 = 0;        ///< rows of fractals of A and C
    int n1 = 0;        ///< column panels of B and C
    int k1 = 0;        ///< K fractals of A that are read
    int k1_stride = 0; ///< K fractals of a row of fractals of L0A, >= k1
    int b_k1 = 0;      ///< K fractals of B that are read; a sparse B has half as many elements
    bool gemv = false; ///< m == 1: A is a plain vector of k elements
};

/// Tile of `mmad`. k_direction_align counts float32 K fractals in pairs and changes nothing for
/// other types.
constexpr MmadShape mmad_shape(const Mmad& mmad) {
    MmadShape shape;
    shape.m1 = static_cast<int>(ceil_div(mmad.m, kFractalRows));
    shape.n1 = static_cast<int>(ceil_div(mmad.n, kFractalRows));
    shape.k1 = static_cast<int>(ceil_div(mmad.k, c0_of(mmad.ab_type)));
    const bool pairs = mmad.k_direction_align && mmad.ab_type == DataType::float32;
    shape.k1_stride = pairs ? (shape.k1 + 1) / 2 * 2 : shape.k1;
    shape.b_k1 = mmad.sparse ? (shape.k1 + 1) / 2 : shape.k1;
    // A sparse Mmad takes A as fractals also with m = 1 [inferred: the texts on GEMV don't name
    // sparse products].
    shape.gemv = mmad.m == 1 && !mmad.disable_gemv && !mmad.sparse;
    return shape;
}

/// L0A address of fractal (mi, ki), 16 rows of C0 elements each. GEMV: (0, 0) is the vector.
constexpr std::uint32_t a_fractal_addr(const Mmad& mmad, L0aLayout layout, int mi, int ki) {
    const MmadShape shape = mmad_shape(mmad);
    const int fractal = layout == L0aLayout::Zz ? mi * shape.k1_stride + ki : ki * shape.m1 + mi;
    return mmad.a_addr + static_cast<std::uint32_t>(fractal) * kFractalBytes;
}

/// Bytes of L0A from the first to the last one that the Mmad reads, whole blocks of 512 B.
constexpr std::int64_t a_extent_bytes(const Mmad& mmad, L0aLayout layout) {
    const MmadShape shape = mmad_shape(mmad);
    if (shape.gemv) {
        return ceil_div(mmad.k * bits_of(mmad.ab_type), kFractalBytes * 8) * kFractalBytes;
    }
    return a_fractal_addr(mmad, layout, shape.m1 - 1, shape.k1 - 1) - mmad.a_addr + kFractalBytes;
}

/// L0B address of fractal (ki, ni): 16 columns of C0 elements each, K fastest.
constexpr std::uint32_t b_fractal_addr(const Mmad& mmad, int ki, int ni) {
    const auto n1 = static_cast<int>(ceil_div(mmad.n, kFractalRows));
    return mmad.b_addr + static_cast<std::uint32_t>(ki * n1 + ni) * kFractalBytes;
}

/// L0C address of fractal (mi, ni): 16 x 16 words.
constexpr std::uint32_t c_fractal_addr(const Mmad& mmad, int mi, int ni) {
    const auto m1 = static_cast<int>(ceil_div(mmad.m, kFractalRows));
    return mmad.c_addr + static_cast<std::uint32_t>(ni * m1 + mi) * kL0cFractalBytes;
}

} // namespace aicore
