// Mmad: the last legal value is accepted, the first illegal one is refused.
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

} // namespace
} // namespace aicore
