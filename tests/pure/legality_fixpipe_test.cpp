// Fixpipe: the last legal value is accepted, the first illegal one is refused.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace aicore {
namespace {

Fixpipe fixpipe(FixpipeLayout layout, std::int64_t m, std::int64_t n) {
    Fixpipe op;
    op.layout = layout;
    op.m_size = m;
    op.n_size = n;
    op.src_stride = (m + 15) / 16 * 16;
    op.dst_stride = layout == FixpipeLayout::NZ ? 2 * m : n;
    return op;
}

Fixpipe to_l1(std::int64_t m, std::int64_t n) {
    Fixpipe op = fixpipe(FixpipeLayout::NZ, m, n);
    op.dst = Buffer::L1;
    op.dst_type = DataType::float16;
    op.quant_pre = QuantPreMode::F322F16;
    op.dst_stride = m;
    return op;
}

void expect_legal_3510(const Fixpipe& op) {
    const auto violation = find_violation(op, limits_3510());
    EXPECT_FALSE(violation) << violation->field << ": " << violation->rule;
}

TEST(FixpipeLegality, Ranges) {
    const Fixpipe nz = fixpipe(FixpipeLayout::NZ, 16, 16);
    const Fixpipe nd = fixpipe(FixpipeLayout::NZ2ND, 16, 16);
    expect_legal(nz);
    expect_legal(nd);
    expect_range(nd, &Fixpipe::n_size, "n_size", 0, 4095);
    expect_range(nz, &Fixpipe::m_size, "m_size", 0, 65535);
    expect_range(nd, &Fixpipe::m_size, "m_size", 0, 8192);
    expect_range(nz, &Fixpipe::src_stride, "src_stride", 0, 65535);
    expect_range(nz, &Fixpipe::dst_stride, "dst_stride", 1, 4294967295);
    expect_range(nd, &Fixpipe::nd_num, "nd_num", 1, 65535);
    expect_range(nd, &Fixpipe::src_nd_stride, "src_nd_stride", 0, 512);
    expect_range(nd, &Fixpipe::dst_nd_stride, "dst_nd_stride", 0, 65535);
}

TEST(FixpipeLegality, ColumnsOfNzComeIn16) {
    expect_legal(fixpipe(FixpipeLayout::NZ, 16, 2048));
    expect_broken(fixpipe(FixpipeLayout::NZ, 16, 50), "n_size", "50",
                  "must be a multiple of 16 with layout NZ");
    expect_legal(fixpipe(FixpipeLayout::NZ2ND, 40, 50));
}

TEST(FixpipeLegality, Conversions) {
    const auto op = [](DataType src, DataType dst, QuantPreMode quant) {
        Fixpipe record = fixpipe(FixpipeLayout::NZ2ND, 16, 16);
        record.src_type = src;
        record.dst_type = dst;
        record.quant_pre = quant;
        return record;
    };
    expect_legal(op(DataType::float32, DataType::float32, QuantPreMode::none));
    expect_legal(op(DataType::int32, DataType::int32, QuantPreMode::none));
    expect_legal(op(DataType::float32, DataType::float16, QuantPreMode::F322F16));
    expect_legal(op(DataType::float32, DataType::bfloat16, QuantPreMode::F322BF16));

    expect_broken(op(DataType::float16, DataType::float16, QuantPreMode::none), "src_dtype",
                  "float16", "L0C holds float32 or int32");
    expect_broken(op(DataType::float32, DataType::float16, QuantPreMode::none), "dst_dtype",
                  "float16", "quant_pre none keeps the type of L0C, float32");
    expect_broken(op(DataType::int32, DataType::float32, QuantPreMode::none), "dst_dtype",
                  "float32", "quant_pre none keeps the type of L0C, int32");
    expect_broken(op(DataType::int32, DataType::float16, QuantPreMode::F322F16), "src_dtype",
                  "int32", "quant_pre F322F16 reads float32");
    expect_broken(op(DataType::float32, DataType::bfloat16, QuantPreMode::F322F16), "dst_dtype",
                  "bfloat16", "quant_pre F322F16 makes float16");
    expect_broken(op(DataType::float32, DataType::float16, QuantPreMode::F322BF16), "dst_dtype",
                  "float16", "quant_pre F322BF16 makes bfloat16");
}

TEST(FixpipeLegality, Destinations) {
    expect_legal(to_l1(128, 128));
    Fixpipe op = to_l1(16, 16);
    op.quant_pre = QuantPreMode::none;
    op.dst_type = DataType::float32;
    expect_legal_3510(op);
    expect_broken(op, "dst_dtype", "float32", "L1 of arch 2201 takes results of 16 bits or less");
    op.src_type = op.dst_type = DataType::int32;
    expect_legal_3510(op);
    expect_broken(op, "dst_dtype", "int32", "L1 of arch 2201 takes results of 16 bits or less");
    op = to_l1(16, 16);
    op.layout = FixpipeLayout::NZ2ND;
    expect_broken(op, "layout", "NZ2ND", "L1 takes layout NZ only");
    op = to_l1(16, 16);
    op.dst = Buffer::UB;
    expect_broken(op, "dst", "UB", "must be GM or L1");
}

TEST(FixpipeLegality, Alignment) {
    Fixpipe op = fixpipe(FixpipeLayout::NZ, 16, 16);
    op.src_addr = 64;
    op.dst_addr = 32;
    expect_legal(op);
    op.src_addr = 32;
    expect_broken(op, "src_addr", "0x20", "L0C address must be a multiple of 64");
    op.src_addr = 0;
    op.dst_addr = 4;
    expect_broken(op, "dst_addr", "0x4", "GM address must be a multiple of 32");
    op.layout = FixpipeLayout::NZ2ND;
    op.dst_stride = 16;
    expect_legal(op); // rows start at any byte
    op = to_l1(16, 16);
    op.dst_addr = 16;
    expect_broken(op, "dst_addr", "0x10", "L1 address must be a multiple of 32");
}

TEST(FixpipeLegality, SourceInL0c) {
    const std::string rule = "must lie inside L0C (131072 bytes)";
    Fixpipe op = fixpipe(FixpipeLayout::NZ2ND, 40, 50); // 3 panels of 48 rows, then 40 rows
    op.src_addr = 131072 - (3 * 48 + 40) * 64;
    expect_legal(op);
    op.src_addr += 64;
    expect_broken(op, "src_addr", "end 0x20040", rule);
    op.m_size = 39;
    expect_legal(op);
    op.n_size = 0; // no operation
    op.src_addr = 1u << 20;
    expect_legal(op);

    op = fixpipe(FixpipeLayout::NZ2ND, 16, 16);
    op.nd_num = 128; // 127 KB and one fractal
    op.src_nd_stride = 1;
    expect_legal(op);
    op.nd_num = 129;
    expect_broken(op, "src_addr", "end 0x20400", rule);
}

TEST(FixpipeLegality, DestinationInGm) {
    const std::string rule = "must lie inside GM (1073741824 bytes)";
    constexpr std::uint64_t gm_end = 1u << 30;
    Fixpipe op = fixpipe(FixpipeLayout::NZ2ND, 40, 50);
    op.dst_stride = 60;
    op.dst_addr = gm_end - (39 * 60 + 50) * 4;
    expect_legal(op);
    op.dst_addr += 1;
    expect_broken(op, "dst_addr", "end 0x40000001", rule);

    op.nd_num = 3;
    op.dst_nd_stride = 5000;
    op.dst_addr = gm_end - (2 * 5000 + 39 * 60 + 50) * 4;
    expect_legal(op);
    op.dst_addr += 1;
    expect_broken(op, "dst_addr", "end 0x40000001", rule);

    op = fixpipe(FixpipeLayout::NZ, 40, 48);
    op.dst_stride = 100;
    op.dst_addr = gm_end - (2 * 100 * 32 + 40 * 64);
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x40000020", rule);
}

TEST(FixpipeLegality, DestinationInL1) {
    Fixpipe op = to_l1(40, 48);
    op.dst_stride = 50;
    op.dst_addr = 524288 - (2 * 50 * 32 + 40 * 32);
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
}

/// An odd number of 8-bit panels in NZ: the lone last one has rows of 16 bytes, the others of 32.
/// With a small stride of the panels the last but one ends behind it.
TEST(FixpipeLegality, PanelBeforeALoneOneMayEndLast) {
    Fixpipe op = to_l1(40, 48);
    op.quant_pre = QuantPreMode::QF322B8_PRE;
    op.quant_scalar = 0x3F800000;
    op.dst_type = DataType::uint8;
    op.dst_stride = 1;
    op.dst_addr = 524288 - 40 * 32;
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
    op.dst_stride = 30; // the last one ends later
    op.dst_addr = 524288 - (30 * 32 + 40 * 16);
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
}

/// Rows of one matrix; a single row has no neighbour to overlap.
TEST(FixpipeLegality, RowsDoNotOverlap) {
    Fixpipe op = fixpipe(FixpipeLayout::NZ2ND, 2, 50);
    expect_legal(op);
    op.dst_stride = 49;
    expect_broken(op, "dst_stride", "49", "must be at least 50: rows must not overlap");
    op.m_size = 1;
    expect_legal(op);
}

/// Shapes of the published copy-out examples without quantisation.
TEST(FixpipeLegality, PublishedExamplesAreLegal) {
    expect_legal(fixpipe(FixpipeLayout::NZ, 128, 256));
    expect_legal(fixpipe(FixpipeLayout::NZ2ND, 128, 256));
    expect_legal(fixpipe(FixpipeLayout::NZ2ND, 40, 50));
    expect_legal(fixpipe(FixpipeLayout::NZ2ND, 30, 70));
    expect_legal(fixpipe(FixpipeLayout::NZ2ND, 1, 32));
    expect_legal(to_l1(128, 128));
    Fixpipe op = fixpipe(FixpipeLayout::NZ2ND, 40, 50);
    op.src_type = op.dst_type = DataType::int32;
    expect_legal(op);
}

} // namespace
} // namespace aicore
