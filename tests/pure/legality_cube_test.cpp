// Mmad and Fixpipe: the last legal value is accepted, the first illegal one is refused.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace aicore {
namespace {

Mmad mmad(std::int64_t m, std::int64_t n, std::int64_t k) {
    Mmad op;
    op.m = m;
    op.n = n;
    op.k = k;
    return op;
}

TEST(MmadLegality, FieldsAndTypes) {
    expect_legal(mmad(128, 256, 64));
    expect_range(mmad(16, 16, 16), &Mmad::m, "m", 0, 4095);
    expect_range(mmad(16, 16, 16), &Mmad::n, "n", 0, 4095);
    expect_range(mmad(16, 16, 16), &Mmad::k, "k", 0, 4095);
    Mmad op = mmad(16, 16, 16);
    for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float32,
                                DataType::int8, DataType::int4}) {
        op.ab_type = type;
        expect_legal(op);
    }
    op.ab_type = DataType::int32;
    const std::string rule = "must be float16, bfloat16, float32, int8 or int4";
    expect_broken(op, "ab_dtype", "int32", rule);
    op.ab_type = DataType::fp8_e4m3;
    expect_broken(op, "ab_dtype", "fp8_e4m3", rule);
}

TEST(MmadLegality, TypesOfArch3510) {
    IsaLimits limits = kLimits;
    limits.arch = 3510;
    Mmad op = mmad(16, 16, 16);
    op.ab_type = DataType::int4;
    expect_broken(op, "ab_dtype", "int4",
                  "must be float16, bfloat16, float32, int8, fp8_e4m3, fp8_e5m2 or hifloat8",
                  limits);
    for (const DataType a : {DataType::fp8_e4m3, DataType::fp8_e5m2}) {
        for (const DataType b : {DataType::fp8_e4m3, DataType::fp8_e5m2}) {
            op.ab_type = a;
            op.b_type = b;
            EXPECT_FALSE(find_violation(op, limits));
        }
    }
    op.ctrl.hifloat8 = true;
    expect_broken(op, "ab_dtype", "fp8_e5m2", "needs CTRL[45] to be 0, set_ctrl hifloat8: false",
                  limits);
    op.ab_type = DataType::hifloat8;
    expect_broken(op, "b_dtype", "fp8_e5m2", "must be the type of A, or both are fp8 (arch 3510)",
                  limits);
    op.b_type.reset();
    EXPECT_FALSE(find_violation(op, limits));
    op.ctrl.hifloat8 = false;
    expect_broken(op, "ab_dtype", "hifloat8", "needs CTRL[45], set_ctrl hifloat8: true", limits);
    op.ab_type = DataType::int8;
    op.sparse = true;
    expect_broken(op, "sparse", "true", "only arch 2201 has it", limits);
    op.sparse = false;
    op.m = 1;
    op.disable_gemv = true;
    EXPECT_FALSE(find_violation(op, limits));
    expect_broken(op, "disable_gemv", "true", "only arch 3510 has it");
    op.disable_gemv = false;
    op.b_type = DataType::fp8_e4m3;
    expect_broken(op, "b_dtype", "fp8_e4m3", "must be the type of A, or both are fp8 (arch 3510)",
                  limits);
}

TEST(MmadLegality, Int4AndSparse) {
    Mmad op = mmad(16, 16, 64);
    op.ab_type = DataType::int4;
    expect_legal(op);
    op.k = 63;
    expect_broken(op, "k", "63", "must be even for int4");
    op.k = 64;
    op.init = MmadInit::bias;
    expect_broken(op, "c_init_bias", "true", "does not go with int4");
    op.sparse = true;
    op.init = MmadInit::zero;
    expect_broken(op, "sparse", "true", "goes with int8 only");
    op.ab_type = DataType::int8;
    op.init = MmadInit::bias;
    expect_legal(op);
    op.k_direction_align = true;
    expect_broken(op, "k_direction_align", "true", "does not go with sparse");
    op.k_direction_align = false;
    op.n = 512; // of B 32 panels of 64 fractals when dense
    op.m = 16;
    op.k = 4095;
    op.init = MmadInit::zero;
    expect_broken(op, "b_addr", "end 0x100000", "must lie inside L0B (65536 bytes)");
    op.k = 256; // 4 fractals of sparse B for each panel
    expect_legal(op);
}

TEST(MmadLegality, Alignment) {
    Mmad op = mmad(16, 16, 16);
    op.a_addr = op.b_addr = 512;
    op.c_addr = 1024;
    expect_legal(op);
    op.a_addr = 0x100;
    expect_broken(op, "a_addr", "0x100", "L0A address must be a multiple of 512");
    op.a_addr = 0;
    op.b_addr = 0x20;
    expect_broken(op, "b_addr", "0x20", "L0B address must be a multiple of 512");
    op.b_addr = 0;
    op.c_addr = 512;
    expect_broken(op, "c_addr", "0x200", "L0C address must be a multiple of 1024");
    op.c_addr = 0;
    op.bias_addr = 32;
    expect_legal(op); // not used
    op.init = MmadInit::bias;
    expect_broken(op, "bias_addr", "0x20", "BT address must be a multiple of 64");
}

TEST(MmadLegality, TilesFitTheirBuffers) {
    const std::string in_l0a = "must lie inside L0A (65536 bytes)";
    const std::string in_l0b = "must lie inside L0B (65536 bytes)";
    expect_legal(mmad(128, 16, 256));
    expect_broken(mmad(129, 16, 256), "a_addr", "end 0x12000", in_l0a);
    expect_broken(mmad(128, 16, 257), "a_addr", "end 0x11000", in_l0a);
    expect_legal(mmad(16, 256, 128));
    expect_broken(mmad(16, 257, 128), "b_addr", "end 0x11000", in_l0b);
    expect_broken(mmad(16, 256, 129), "b_addr", "end 0x12000", in_l0b);
    expect_legal(mmad(256, 128, 16));
    expect_broken(mmad(257, 128, 16), "c_addr", "end 0x22000",
                  "must lie inside L0C (131072 bytes)");

    Mmad op = mmad(128, 16, 256);
    op.a_addr = 512;
    expect_broken(op, "a_addr", "end 0x10200", in_l0a);
    op.m = 0; // no operation
    expect_legal(op);
    op = mmad(16, 16, 16);
    op.c_addr = 131072;
    expect_broken(op, "c_addr", "0x20000", "must lie inside L0C (131072 bytes)");
}

TEST(MmadLegality, FractalWidthFollowsTheType) {
    Mmad op = mmad(64, 16, 256);
    op.ab_type = DataType::float32;
    expect_legal(op);
    op.k = 257;
    expect_broken(op, "a_addr", "end 0x10800", "must lie inside L0A (65536 bytes)");
    op = mmad(128, 16, 512);
    op.ab_type = DataType::int8;
    expect_legal(op);
    op.k = 513;
    expect_broken(op, "a_addr", "end 0x11000", "must lie inside L0A (65536 bytes)");
}

TEST(MmadLegality, PairsOfKFractalsPadEveryRowButTheLast) {
    Mmad op = mmad(32, 16, 8); // one K fractal in two rows: two apart when counted in pairs
    op.ab_type = DataType::float32;
    op.k_direction_align = true;
    op.a_addr = 65536 - 3 * 512;
    expect_legal(op);
    op.a_addr += 512;
    expect_broken(op, "a_addr", "end 0x10200", "must lie inside L0A (65536 bytes)");
    op.k_direction_align = false;
    expect_legal(op);
}

TEST(MmadLegality, AVectorIsRoundedUpTo512Bytes) {
    Mmad op = mmad(1, 16, 256);
    op.a_addr = 65536 - 512;
    expect_legal(op);
    op.k = 257;
    expect_broken(op, "a_addr", "end 0x10200", "must lie inside L0A (65536 bytes)");
    op.m = 2;
    op.k = 17;
    expect_broken(op, "a_addr", "end 0x10200", "must lie inside L0A (65536 bytes)");
}

TEST(MmadLegality, BiasOfEveryColumn) {
    Mmad op = mmad(16, 256, 16);
    op.init = MmadInit::bias;
    expect_legal(op);
    op.n = 257;
    expect_broken(op, "bias_addr", "end 0x440", "must lie inside BT (1024 bytes)");
    op.n = 240;
    op.bias_addr = 64;
    expect_legal(op);
    op.bias_addr = 128;
    expect_broken(op, "bias_addr", "end 0x440", "must lie inside BT (1024 bytes)");
}

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

    expect_broken(op(DataType::float16, DataType::float16, QuantPreMode::none), "src_type",
                  "float16", "L0C holds float32 or int32");
    expect_broken(op(DataType::float32, DataType::float16, QuantPreMode::none), "src_type/dst_type",
                  "float32 -> float16", "quant_pre none keeps the type");
    expect_broken(op(DataType::int32, DataType::float32, QuantPreMode::none), "src_type/dst_type",
                  "int32 -> float32", "quant_pre none keeps the type");
    expect_broken(op(DataType::int32, DataType::float16, QuantPreMode::F322F16),
                  "src_type/dst_type", "int32 -> float16",
                  "quant_pre F322F16 makes float16 from float32");
    expect_broken(op(DataType::float32, DataType::bfloat16, QuantPreMode::F322F16),
                  "src_type/dst_type", "float32 -> bfloat16",
                  "quant_pre F322F16 makes float16 from float32");
    expect_broken(op(DataType::float32, DataType::float16, QuantPreMode::F322BF16),
                  "src_type/dst_type", "float32 -> float16",
                  "quant_pre F322BF16 makes bfloat16 from float32");
}

TEST(FixpipeLegality, Destinations) {
    expect_legal(to_l1(128, 128));
    Fixpipe op = to_l1(16, 16);
    op.quant_pre = QuantPreMode::none;
    op.dst_type = DataType::float32;
    expect_broken(op, "dst_type", "float32", "L1 takes float16, bfloat16 or int8 only");
    op.src_type = op.dst_type = DataType::int32;
    expect_broken(op, "dst_type", "int32", "L1 takes float16, bfloat16 or int8 only");
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
