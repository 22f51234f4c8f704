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
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8}) {
        op.ab_type = type;
        expect_legal(op);
    }
    op.ab_type = DataType::int32;
    expect_broken(op, "ab_type", "int32", "must be float16, bfloat16, float32 or int8");
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
