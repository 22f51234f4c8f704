// Each walk against plain loops over single elements, written from the layout formulas.
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/fractal_order.h"
#include "hw/isa/load2d_walk.h"
#include "hw/isa/load_walk.h"
#include "hw/isa/mmad_walk.h"
#include "hw/isa/nd2nz_walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace aicore {
namespace {

TEST(FractalOrder, ColumnMajorRunsDownThePanelsRowMajorAlongTheRows) {
    constexpr int m1 = 3, n1 = 5;
    int step = 0;
    for (int ni = 0; ni < n1; ++ni) {
        for (int mi = 0; mi < m1; ++mi, ++step) {
            const FractalIndex at = fractal_at(Traversal::column_major, m1, n1, step);
            EXPECT_EQ(std::pair(at.mi, at.ni), std::pair(mi, ni));
        }
    }
    step = 0;
    for (int mi = 0; mi < m1; ++mi) {
        for (int ni = 0; ni < n1; ++ni, ++step) {
            const FractalIndex at = fractal_at(Traversal::row_major, m1, n1, step);
            EXPECT_EQ(std::pair(at.mi, at.ni), std::pair(mi, ni));
        }
    }
}

/// Address of element [m,k] in L0A, Zz order.
std::uint64_t zz_address(const Mmad& mmad, int k1_stride, int m, int k) {
    const int c0 = c0_of(mmad.ab_type);
    const int element = ((m / 16) * k1_stride + k / c0) * 16 * c0 + (m % 16) * c0 + k % c0;
    return mmad.a_addr + static_cast<std::uint64_t>(element * size_of(mmad.ab_type));
}

/// Address of element [k,n] in L0B, Zn order.
std::uint64_t zn_address(const Mmad& mmad, int k, int n) {
    const int c0 = c0_of(mmad.ab_type);
    const int n1 = static_cast<int>(mmad.n + 15) / 16;
    const int element = ((k / c0) * n1 + n / 16) * 16 * c0 + (n % 16) * c0 + k % c0;
    return mmad.b_addr + static_cast<std::uint64_t>(element * size_of(mmad.ab_type));
}

TEST(MmadWalk, FractalAddressesFollowTheLayouts) {
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8}) {
        for (const bool align : {false, true}) {
            Mmad mmad;
            mmad.a_addr = 0x200;
            mmad.b_addr = 0x400;
            mmad.c_addr = 0x800;
            mmad.ab_type = type;
            mmad.m = 40;
            mmad.n = 50;
            mmad.k = 70;
            mmad.k_direction_align = align;

            const int c0 = c0_of(type), size = size_of(type);
            int k1 = (70 + c0 - 1) / c0;
            const MmadShape shape = mmad_shape(mmad);
            EXPECT_EQ(shape.m1, 3);
            EXPECT_EQ(shape.n1, 4);
            EXPECT_EQ(shape.k1, k1);
            EXPECT_FALSE(shape.gemv);
            if (align && type == DataType::float32) k1 = 10; // 70 rounds up to 80 of 8 each
            EXPECT_EQ(shape.k1_stride, k1);

            for (int m = 0; m < 40; ++m) {
                for (int k = 0; k < 70; ++k) {
                    const std::uint64_t address =
                        a_fractal_addr(mmad, L0aLayout::Zz, m / 16, k / c0) +
                        static_cast<unsigned>(m % 16 * 32 + k % c0 * size);
                    ASSERT_EQ(address, zz_address(mmad, k1, m, k));
                    const std::uint64_t nz = a_fractal_addr(mmad, L0aLayout::Nz, m / 16, k / c0) +
                                             static_cast<unsigned>(m % 16 * 32 + k % c0 * size);
                    ASSERT_EQ(nz, mmad.a_addr + static_cast<unsigned>(
                                                    (k / c0 * 48 * c0 + m * c0 + k % c0) * size));
                }
            }
            for (int k = 0; k < 70; ++k) {
                for (int n = 0; n < 50; ++n) {
                    const std::uint64_t address =
                        b_fractal_addr(mmad, k / c0, n / 16) +
                        static_cast<unsigned>(n % 16 * 32 + k % c0 * size);
                    ASSERT_EQ(address, zn_address(mmad, k, n));
                }
            }
            for (int m = 0; m < 40; ++m) {
                for (int n = 0; n < 50; ++n) {
                    const std::uint64_t address = c_fractal_addr(mmad, m / 16, n / 16) +
                                                  static_cast<unsigned>(m % 16 * 64 + n % 16 * 4);
                    ASSERT_EQ(address, 0x800u + static_cast<unsigned>(
                                                    (n / 16 * 48 * 16 + m * 16 + n % 16) * 4));
                }
            }
        }
    }
}

TEST(MmadWalk, KDirectionAlignmentPadsAnOddRowOfFractals) {
    Mmad mmad;
    mmad.ab_type = DataType::float32;
    mmad.m = 32;
    mmad.n = 16;
    mmad.k = 36; // 5 fractals of 8 are read, 6 are stored
    mmad.k_direction_align = true;
    EXPECT_EQ(mmad_shape(mmad).k1, 5);
    EXPECT_EQ(a_fractal_addr(mmad, L0aLayout::Zz, 1, 0), 6u * 512);
    mmad.k_direction_align = false;
    EXPECT_EQ(a_fractal_addr(mmad, L0aLayout::Zz, 1, 0), 5u * 512);
}

TEST(MmadWalk, OneRowMeansAPlainVector) {
    Mmad mmad;
    mmad.a_addr = 1024;
    mmad.m = 1;
    mmad.n = 32;
    mmad.k = 256;
    EXPECT_TRUE(mmad_shape(mmad).gemv);
    EXPECT_EQ(a_fractal_addr(mmad, L0aLayout::Zz, 0, 0), 1024u);
    EXPECT_EQ(c_fractal_addr(mmad, 0, 1), 1024u);
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Zz), 512);
    mmad.k = 257;
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Nz), 1024);
    mmad.ab_type = DataType::int4; // 1024 elements in 512 bytes
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Zz), 512);
    mmad.disable_gemv = true; // a row of fractals of 64 elements
    EXPECT_FALSE(mmad_shape(mmad).gemv);
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Nz), 5 * 512);
}

TEST(MmadWalk, NzHasColumnsOfFractalsInL0a) {
    Mmad mmad;
    mmad.a_addr = 512;
    mmad.m = 40; // 3 rows of fractals
    mmad.n = 16;
    mmad.k = 20; // 2 columns
    EXPECT_EQ(a_fractal_addr(mmad, L0aLayout::Nz, 2, 0), 512u + 2 * 512);
    EXPECT_EQ(a_fractal_addr(mmad, L0aLayout::Nz, 1, 1), 512u + 4 * 512);
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Nz), 6 * 512);
    EXPECT_EQ(a_extent_bytes(mmad, L0aLayout::Zz), 6 * 512);
}

TEST(MmadWalk, SparseReadsHalfOfB) {
    Mmad mmad;
    mmad.ab_type = DataType::int8;
    mmad.m = 1;
    mmad.n = 16;
    mmad.sparse = true;
    for (const auto& [k, a, b] :
         {std::tuple(64, 2, 1), std::tuple(65, 3, 2), std::tuple(20, 1, 1)}) {
        mmad.k = k;
        EXPECT_EQ(mmad_shape(mmad).k1, a);
        EXPECT_EQ(mmad_shape(mmad).b_k1, b);
    }
    EXPECT_FALSE(mmad_shape(mmad).gemv) << "the vendor's sparse product has no vector form";
}

TEST(Load2dWalk, StridesAndGapsCountFractals) {
    Load2d load;
    load.src_addr = 0x60;
    load.dst_addr = 0x400;
    load.start_index = 7;
    load.repeat = 5;
    for (const int stride : {0, 1, 3}) {
        for (const int gap : {0, 2}) {
            load.src_stride = stride;
            load.dst_gap = gap;
            std::uint64_t src = 0x60 + 7 * 512, dst = 0x400;
            for (int i = 0; i < 5; ++i) {
                EXPECT_EQ(load2d_src(load, i), src);
                EXPECT_EQ(load2d_dst(load, i), dst);
                src += static_cast<unsigned>(stride) * 512;
                dst += 512 + static_cast<unsigned>(gap) * 512;
            }
        }
    }
}

/// What an Nd2Nz leaves in L1: for each written byte its GM address, or kZero for padding.
using L1Image = std::map<std::uint64_t, std::uint64_t>;
constexpr std::uint64_t kZero = ~std::uint64_t{0};

L1Image by_elements(const Nd2Nz& op) {
    L1Image image;
    const std::int64_t size = op.elem_bytes, c0 = 32 / size;
    const std::int64_t padded = (op.d_value + c0 - 1) / c0 * c0;
    for (std::int64_t i = 0; i < op.nd_num; ++i) {
        for (std::int64_t n = 0; n < op.n_value; ++n) {
            for (std::int64_t d = 0; d < padded; ++d) {
                const std::int64_t dst = op.dst_addr + i * op.dst_nz_matrix_stride * size +
                                         d / c0 * op.dst_nz_c0_stride * 32 +
                                         n * op.dst_nz_n_stride * 32 + d % c0 * size;
                const std::int64_t src =
                    static_cast<std::int64_t>(op.src_addr) +
                    (i * op.src_nd_matrix_stride + n * op.src_d_value + d) * size;
                for (std::int64_t b = 0; b < size; ++b) {
                    image[static_cast<std::uint64_t>(dst + b)] =
                        d < op.d_value ? static_cast<std::uint64_t>(src + b) : kZero;
                }
            }
        }
    }
    return image;
}

L1Image by_chunks(const Nd2Nz& op) {
    L1Image image;
    Nd2NzWalk walk(op);
    Nd2NzChunk chunk;
    while (walk.next(chunk)) {
        EXPECT_TRUE(chunk.rows >= 1 && chunk.rows <= 16);
        EXPECT_TRUE(chunk.row_bytes >= 1 && chunk.row_bytes <= 512);
        EXPECT_EQ(chunk.panels, (chunk.row_bytes + 31) / 32);
        for (unsigned r = 0; r < static_cast<unsigned>(chunk.rows); ++r) {
            for (unsigned b = 0; b < static_cast<unsigned>(chunk.panels) * 32; ++b) {
                const std::uint64_t dst = chunk.dst_addr + b / 32 * chunk.dst_panel_pitch +
                                          r * chunk.dst_row_pitch + b % 32;
                image[dst] = b < static_cast<unsigned>(chunk.row_bytes)
                                 ? chunk.src_addr + r * chunk.src_row_pitch + b
                                 : kZero;
            }
        }
    }
    return image;
}

TEST(Nd2NzWalk, ChunksWriteWhatTheElementFormulaSays) {
    for (const int elem_bytes : {1, 2, 4}) {
        for (const int rows : {1, 15, 16, 17, 40}) {
            for (const int columns : {1, 16, 23, 70, 128, 129, 300}) {
                Nd2Nz op;
                op.src_addr = 0x1003;
                op.dst_addr = 0x40;
                op.elem_bytes = elem_bytes;
                op.n_value = rows;
                op.d_value = columns;
                op.src_d_value = columns + 5;
                op.dst_nz_c0_stride = 2 * rows + 1;
                op.dst_nz_n_stride = 2;
                ASSERT_EQ(by_chunks(op), by_elements(op));
            }
        }
    }
}

TEST(Nd2NzWalk, MatricesRepeatWithTheirStrides) {
    Nd2Nz op;
    op.elem_bytes = 4;
    op.nd_num = 5;
    op.n_value = 16;
    op.d_value = 50;
    op.src_nd_matrix_stride = 800;
    op.src_d_value = 50;
    op.dst_nz_c0_stride = 16;
    op.dst_nz_matrix_stride = 1024;
    ASSERT_EQ(by_chunks(op), by_elements(op));
    op.src_nd_matrix_stride = 0; // the first matrix again and again
    ASSERT_EQ(by_chunks(op), by_elements(op));
}

TEST(Nd2NzWalk, RunsMatrixThenBandThenAlongTheRow) {
    Nd2Nz op;
    op.nd_num = 2;
    op.n_value = 20;
    op.d_value = 300; // 600 bytes
    op.src_nd_matrix_stride = 6000;
    op.src_d_value = 300;
    op.dst_nz_c0_stride = 20;
    op.dst_nz_matrix_stride = 8000;
    const std::vector<std::pair<int, int>> expected{{16, 512}, {16, 88}, {4, 512}, {4, 88},
                                                    {16, 512}, {16, 88}, {4, 512}, {4, 88}};
    std::vector<std::pair<int, int>> found;
    Nd2NzWalk walk(op);
    for (Nd2NzChunk chunk; walk.next(chunk);) found.emplace_back(chunk.rows, chunk.row_bytes);
    EXPECT_EQ(found, expected);
}

TEST(Nd2NzWalk, AZeroSizeMovesNothing) {
    Nd2NzChunk chunk;
    for (std::int64_t Nd2Nz::*field : {&Nd2Nz::nd_num, &Nd2Nz::n_value, &Nd2Nz::d_value}) {
        Nd2Nz op;
        op.n_value = 4;
        op.d_value = 4;
        op.src_d_value = 4;
        op.dst_nz_c0_stride = 4;
        op.*field = 0;
        Nd2NzWalk walk(op);
        EXPECT_FALSE(walk.next(chunk));
        EXPECT_FALSE(walk.next(chunk));
    }
}

/// Destination address -> L0C address of every element, by the walk's rows of fractals.
std::map<std::uint64_t, std::uint64_t> fixpipe_by_rows(const Fixpipe& op) {
    std::map<std::uint64_t, std::uint64_t> moved;
    const FixpipeShape shape = fixpipe_shape(op);
    for (int nd = 0; nd < shape.matrices; ++nd) {
        for (int step = 0; step < shape.m1 * shape.n1; ++step) {
            const FractalIndex at = fractal_at(Traversal::column_major, shape.m1, shape.n1, step);
            for (int r = 0; r < fixpipe_rows(op, at.mi); ++r) {
                const std::uint64_t row = fixpipe_dst_row(op, nd, at.mi, at.ni, r);
                for (int c = 0; c < fixpipe_columns(op, at.ni); ++c) {
                    moved[row + static_cast<unsigned>(c * size_of(op.dst_type))] =
                        fixpipe_src(op, nd, at.mi, at.ni) + static_cast<unsigned>(r * 64 + c * 4);
                }
            }
        }
    }
    return moved;
}

std::map<std::uint64_t, std::uint64_t> fixpipe_by_elements(const Fixpipe& op) {
    std::map<std::uint64_t, std::uint64_t> moved;
    const bool nz = op.layout == FixpipeLayout::NZ;
    const std::int64_t size = size_of(op.dst_type);
    for (std::int64_t i = 0; i < (nz ? 1 : op.nd_num); ++i) {
        for (std::int64_t m = 0; m < op.m_size; ++m) {
            for (std::int64_t n = 0; n < op.n_size; ++n) {
                const std::int64_t src = op.src_addr + i * op.src_nd_stride * 1024 +
                                         (n / 16 * op.src_stride * 16 + m * 16 + n % 16) * 4;
                const std::int64_t dst = nz ? n / 16 * op.dst_stride * 32 + (m * 16 + n % 16) * size
                                            : (i * op.dst_nd_stride + m * op.dst_stride + n) * size;
                moved[op.dst_addr + static_cast<std::uint64_t>(dst)] =
                    static_cast<std::uint64_t>(src);
            }
        }
    }
    return moved;
}

Fixpipe tile(FixpipeLayout layout, DataType dst_type, std::int64_t m, std::int64_t n) {
    Fixpipe op;
    op.src_addr = 0x440;
    op.dst_addr = 0x10000;
    op.dst_type = dst_type;
    op.layout = layout;
    op.m_size = m;
    op.n_size = n;
    op.src_stride = (m + 15) / 16 * 16 + 3;
    return op;
}

TEST(FixpipeWalk, NzPanels) {
    for (const DataType type : {DataType::float32, DataType::float16}) {
        for (const int m : {1, 16, 40}) {
            Fixpipe op = tile(FixpipeLayout::NZ, type, m, 48);
            op.dst_stride = 2 * m + 6;
            ASSERT_EQ(fixpipe_by_rows(op), fixpipe_by_elements(op));
        }
    }
}

TEST(FixpipeWalk, Nz2NdRowsAndMatrices) {
    for (const DataType type : {DataType::float32, DataType::bfloat16}) {
        for (const int m : {1, 16, 40}) {
            for (const int n : {1, 32, 50}) {
                Fixpipe op = tile(FixpipeLayout::NZ2ND, type, m, n);
                op.dst_addr = 0x10001; // GM rows start at any byte
                op.dst_stride = n + 7;
                op.nd_num = 3;
                op.src_nd_stride = 16;
                op.dst_nd_stride = (n + 7) * m + 1;
                ASSERT_EQ(fixpipe_by_rows(op), fixpipe_by_elements(op));
            }
        }
    }
}

} // namespace
} // namespace aicore
