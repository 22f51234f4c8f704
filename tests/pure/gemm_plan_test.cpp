#include "tb/workload/gemm_plan.h"

#include "hw/config/strict_yaml.h"
#include "tests/support/gemm_platform.h"

#include <gtest/gtest.h>

#include <string>

namespace aicore::tb {
namespace {

using test::full_size_platform;

GemmSpec spec_of(std::int64_t m, std::int64_t n, std::int64_t k,
                 DataType dtype = DataType::float16) {
    GemmSpec spec;
    spec.m = m;
    spec.n = n;
    spec.k = k;
    spec.dtype = dtype;
    if (dtype == DataType::int8) spec.out_dtype = DataType::int32;
    return spec;
}

/// Message of the InputError that planning throws; empty when it doesn't.
std::string rejection(const GemmSpec& spec, const Platform& platform = full_size_platform()) {
    try {
        plan_gemm(spec, platform);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in '" << text << "'";
}

TEST(GemmPlan, LargeFloat16UsesTheTileOfTheCube) {
    const GemmPlan plan = plan_gemm(spec_of(4096, 4096, 4096), full_size_platform());
    EXPECT_EQ(plan.tile_m, 128);
    EXPECT_EQ(plan.tile_n, 256);
    EXPECT_EQ(plan.tile_k, 64);
    EXPECT_EQ(plan.l1_ka, 256); // 512 B rows
    EXPECT_EQ(plan.l1_kb, 256);
    EXPECT_FALSE(plan.a_resident);
    EXPECT_EQ(plan.l1_a.count, 2);
    EXPECT_EQ(plan.l0c.count, 1);
    EXPECT_EQ(plan.m_tiles(), 32);
    EXPECT_EQ(plan.n_tiles(), 16);
    EXPECT_EQ(plan.k_steps(), 64);
}

TEST(GemmPlan, SlotsLieInDifferentHalves) {
    const GemmPlan plan = plan_gemm(spec_of(4096, 4096, 4096), full_size_platform());
    EXPECT_EQ(plan.l1_a.of(0), 0U);
    EXPECT_EQ(plan.l1_a.of(1), 256U * 1024);
    EXPECT_EQ(plan.l1_b.of(0), 64U * 1024);
    EXPECT_EQ(plan.l1_b.of(1), 320U * 1024);
    EXPECT_EQ(plan.l0a.of(3), 32U * 1024);
    EXPECT_EQ(plan.l0b.of(2), 0U);
}

TEST(GemmPlan, KeepsAInL1WhenAllOfKFits) {
    const GemmPlan plan = plan_gemm(spec_of(512, 512, 512), full_size_platform());
    EXPECT_TRUE(plan.a_resident);
    EXPECT_EQ(plan.l1_ka, 512);
    EXPECT_EQ(plan.l1_kb, 192); // rows of B run along n
    // One column of tiles has nothing to keep A for.
    EXPECT_FALSE(plan_gemm(spec_of(512, 256, 512), full_size_platform()).a_resident);
}

TEST(GemmPlan, SmallProblemHasSmallTiles) {
    const GemmPlan plan = plan_gemm(spec_of(1, 17, 5), full_size_platform());
    EXPECT_EQ(plan.tile_m, 1);
    EXPECT_EQ(plan.tile_n, 17);
    EXPECT_EQ(plan.tile_k, 5);
    EXPECT_EQ(plan.l0c.count, 2);
}

TEST(GemmPlan, NarrowProblemTakesMoreRows) {
    const GemmPlan plan = plan_gemm(spec_of(4096, 64, 4096), full_size_platform());
    EXPECT_EQ(plan.tile_m, 256);
    EXPECT_EQ(plan.tile_n, 64);
}

TEST(GemmPlan, StorageOfB) {
    EXPECT_FALSE(plan_gemm(spec_of(32, 32, 32), full_size_platform()).b_transposed);
    for (const DataType type : {DataType::int8, DataType::float32})
        EXPECT_TRUE(plan_gemm(spec_of(32, 32, 32, type), full_size_platform()).b_transposed);
}

TEST(GemmPlan, TensorsFollowOneAnotherInGm) {
    const GemmPlan plan = plan_gemm(spec_of(3, 5, 7), full_size_platform());
    EXPECT_EQ(plan.a.address, 0U);
    EXPECT_EQ(plan.a.bytes, 3 * 7 * 2);
    EXPECT_EQ(plan.b.address, 512U);
    EXPECT_EQ(plan.b.bytes, 7 * 5 * 2);
    EXPECT_EQ(plan.c.address, 1024U);
    EXPECT_EQ(plan.c.bytes, 3 * 5 * 4);
}

TEST(GemmPlan, EveryAutomaticPlanFits) {
    const Platform platform = full_size_platform();
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8})
        for (const bool twice : {false, true})
            for (const std::int64_t m : {1, 16, 100, 128, 300, 5000})
                for (const std::int64_t n : {1, 16, 130, 256, 300, 5000})
                    for (const std::int64_t k : {1, 31, 64, 100, 1000, 5000}) {
                        GemmSpec spec = spec_of(m, n, k, type);
                        spec.double_buffer = twice;
                        const GemmPlan plan = plan_gemm(spec, platform);
                        const std::int64_t size = size_of(type), c0 = c0_of(type);
                        const int slots = twice ? 2 : 1;
                        const auto bytes = [&](std::int64_t outer, std::int64_t depth) {
                            return round_up(outer, 16) * round_up(depth, c0) * size;
                        };
                        EXPECT_LE(bytes(plan.tile_m, plan.tile_k), 65536 / slots);
                        EXPECT_LE(bytes(plan.tile_n, plan.tile_k), 65536 / slots);
                        EXPECT_LE(round_up(plan.tile_m, 16) * round_up(plan.tile_n, 16) * 4 *
                                      plan.l0c.count,
                                  131072);
                        EXPECT_EQ(plan.l1_b.of(0), bytes(plan.tile_m, plan.l1_ka));
                        const std::int64_t last = plan.l1_b.address[slots == 2 ? 1 : 0];
                        EXPECT_LE(last + bytes(plan.tile_n, plan.l1_kb), 524288 - 256);
                        if (twice) {
                            EXPECT_LE(plan.l1_b.of(0) + bytes(plan.tile_n, plan.l1_kb),
                                      plan.l1_a.of(1));
                        }
                        if (plan.l1_ka < k) {
                            EXPECT_EQ(plan.l1_ka % plan.tile_k, 0);
                        }
                        if (plan.l1_kb < k) {
                            EXPECT_EQ(plan.l1_kb % plan.tile_k, 0);
                        }
                    }
}

TEST(GemmPlan, ShrinksChosenTilesAroundAGivenOne) {
    GemmSpec spec = spec_of(1024, 1024, 1024);
    spec.tile_k = 256;
    GemmPlan plan = plan_gemm(spec, full_size_platform());
    EXPECT_EQ(plan.tile_k, 256);
    EXPECT_EQ(plan.tile_m, 64);
    EXPECT_EQ(plan.tile_n, 64);
    spec = spec_of(1024, 1024, 1024);
    spec.tile_m = 256;
    plan = plan_gemm(spec, full_size_platform());
    EXPECT_EQ(plan.tile_m, 256);
    EXPECT_EQ(plan.tile_n, 128);
}

TEST(GemmPlan, RejectsTilesThatDoNotFit) {
    GemmSpec spec = spec_of(1024, 1024, 1024);
    spec.tile_m = 256;
    spec.tile_n = 256;
    expect_in("tile 256 x 256 x", rejection(spec));
    expect_in("262144 bytes of L0C, and it has 131072", rejection(spec));
    spec = spec_of(1024, 1024, 1024);
    spec.tile_m = 128;
    spec.tile_k = 256;
    expect_in("65536 bytes of L0A in each of two slots, and a slot has 32768", rejection(spec));
    spec.double_buffer = false;
    EXPECT_EQ(rejection(spec), "");
    spec.tile_n = 256;
    expect_in("131072 bytes of L0B, and it has 65536", rejection(spec));
    Platform small = full_size_platform();
    small.memories.l1.size_bytes = Bytes(32 * 1024);
    spec = spec_of(1024, 1024, 1024);
    spec.tile_m = spec.tile_n = 128;
    spec.tile_k = 64;
    expect_in("32768 bytes of L1 in each of two slots, and a slot has 16128",
              rejection(spec, small));
}

TEST(GemmPlan, RejectsTilesOfOddSize) {
    GemmSpec spec = spec_of(100, 100, 100);
    spec.tile_m = 24;
    expect_in("tile_m is 24, must be a multiple of 16 or cover m = 100", rejection(spec));
    spec.tile_m = 100;
    EXPECT_EQ(rejection(spec), "");
    spec.tile_k = 8;
    expect_in("tile_k is 8, must be a multiple of 16 or cover k = 100", rejection(spec));
    spec.tile_k.reset();
    spec.tile_n = 0;
    expect_in("tile_n is 0, must be at least 1", rejection(spec));
    spec = spec_of(100, 100, 100, DataType::int8);
    spec.tile_k = 16;
    expect_in("multiple of 32", rejection(spec));
    spec = spec_of(9000, 16, 16);
    spec.tile_m = 9000;
    expect_in("one Mmad takes at most 4080", rejection(spec));
}

TEST(GemmPlan, RejectsWrongSizesAndTypes) {
    expect_in("m is 0, must be at least 1", rejection(spec_of(0, 1, 1)));
    expect_in("k is -3, must be at least 1", rejection(spec_of(1, 1, -3)));
    expect_in("dtype int32", rejection(spec_of(1, 1, 1, DataType::int32)));
    GemmSpec spec = spec_of(1, 1, 1, DataType::int8);
    spec.out_dtype = DataType::float32;
    expect_in("out_dtype of int8 inputs must be int32, not float32", rejection(spec));
    spec = spec_of(1, 1, 1);
    spec.out_dtype = DataType::int8;
    expect_in("must be float32, float16 or bfloat16, not int8", rejection(spec));
}

TEST(GemmPlan, TypesBelongToTheArchitecture) {
    Platform arch_3510 = full_size_platform();
    arch_3510.arch = 3510;
    expect_in("dtype hifloat8 is not a type of the cube's inputs (float16, bfloat16, float32, int8 "
              "or int4)",
              rejection(spec_of(16, 16, 16, DataType::hifloat8)));
    GemmSpec spec = spec_of(16, 16, 16, DataType::int4);
    spec.out_dtype = DataType::int32;
    EXPECT_EQ(rejection(spec), "");
    expect_in("dtype int4 is not a type", rejection(spec, arch_3510));
    spec.bias = true;
    expect_in("a product of int4 takes no bias", rejection(spec));
    spec.bias = false;
    spec.k = 15;
    expect_in("k is 15, must be even for int4", rejection(spec));
    spec = spec_of(16, 16, 16, DataType::fp8_e5m2);
    spec.b_dtype = DataType::fp8_e4m3;
    EXPECT_EQ(rejection(spec, arch_3510), "");
    spec.b_dtype = DataType::hifloat8;
    expect_in("does not multiply fp8_e5m2 by hifloat8", rejection(spec, arch_3510));
    spec = spec_of(16, 16, 16);
    spec.hf32 = true;
    expect_in("hf32 goes with float32 inputs only", rejection(spec));
}

TEST(GemmPlan, BiasHasItsPlaceAndItsLimit) {
    GemmSpec spec = spec_of(300, 300, 300);
    spec.bias = true;
    const GemmPlan plan = plan_gemm(spec, full_size_platform());
    EXPECT_EQ(plan.bias.bytes, 300 * 4);
    EXPECT_GE(plan.bias.address, plan.b.address + static_cast<std::uint64_t>(plan.b.bytes));
    EXPECT_GE(plan.c.address, plan.bias.address + 1200);
    EXPECT_EQ(plan.l1_bias, 512u * 1024 - 256 - 1024);
    spec.tile_n = 272;
    spec.tile_m = 16;
    expect_in("of the bias table, and it has 1024", rejection(spec));
}

TEST(GemmPlan, RejectsWhatGmDoesNotHold) {
    expect_in("A of 1000000 x 1000000 elements", rejection(spec_of(1000000, 1, 1000000)));
    expect_in("does not fit in GM", rejection(spec_of(std::int64_t{1} << 62, 1, 1)));
    expect_in("C of 300000 x 300000", rejection(spec_of(300000, 300000, 1)));
    expect_in("n is 4294967296", rejection(spec_of(1, std::int64_t{1} << 32, 1)));
}

} // namespace
} // namespace aicore::tb
