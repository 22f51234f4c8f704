#include "tb/workload/gemm_source.h"

#include "tests/support/gemm_check.h"
#include "tests/support/gemm_platform.h"
#include "tests/support/race_checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace aicore::tb {
namespace {

using test::check_product;
using test::full_size_platform;
using test::tiny_platform;

struct Options {
    DataType dtype;
    bool double_buffer, unit_flag;
    int arch = 2201;
    bool bias = false, hf32 = false;
    std::optional<DataType> b_dtype{};
};

class GemmSourceShapes : public testing::TestWithParam<Options> {};

/// Plans of one shape differ in tiles, in the size of the buffers and in what follows the product.
void vary(GemmSpec& spec, Platform& platform, int variant) {
    const std::int64_t c0 = c0_of(spec.dtype);
    switch (variant % 5) {
    case 0: break; // chosen tiles
    case 1: platform = tiny_platform(); break;
    case 2:
        spec.tile_m = spec.tile_n = 16;
        spec.tile_k = c0;
        break;
    case 3:
        platform = tiny_platform();
        spec.tile_m = 48;
        spec.tile_n = 32;
        spec.tile_k = c0;
        break;
    case 4:
        spec.tile_m = 32;
        spec.tile_n = 80;
        spec.tile_k = 3 * c0;
        break;
    }
    spec.relu = variant % 3 == 0;
    if (is_integer(spec.dtype))
        spec.out_dtype = DataType::int32;
    else if (variant % 4 == 1)
        spec.out_dtype = DataType::float16;
    else if (variant % 4 == 2)
        spec.out_dtype = DataType::bfloat16;
}

TEST_P(GemmSourceShapes, GiveTheReference) {
    const std::int64_t sizes[] = {1, 2, 15, 16, 17, 31, 33, 64, 100, 129};
    int variant = 0;
    for (const std::int64_t m : sizes)
        for (const std::int64_t n : sizes)
            for (const std::int64_t k : sizes) {
                GemmSpec spec;
                spec.m = m;
                spec.n = n;
                spec.k = k;
                spec.dtype = GetParam().dtype;
                spec.double_buffer = GetParam().double_buffer;
                spec.unit_flag = GetParam().unit_flag;
                spec.bias = GetParam().bias;
                spec.hf32 = GetParam().hf32;
                spec.b_dtype = GetParam().b_dtype;
                if (spec.dtype == DataType::int4) spec.k += k % 2;
                Platform platform = full_size_platform();
                // A step that shares no factor with the number of sizes meets all combinations.
                vary(spec, platform, variant += 7);
                platform.arch = GetParam().arch;
                if (platform.arch == 3510) platform.engines.cube.l0a_layout = L0aLayout::Nz;
                ASSERT_NO_FATAL_FAILURE(check_product(spec, platform, variant % 11 == 0 ? 2 : 0));
                if (HasFailure()) return;
            }
}

std::vector<Options> all_options() {
    std::vector<Options> all;
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8})
        for (const bool double_buffer : {false, true})
            for (const bool unit_flag : {false, true})
                all.push_back({type, double_buffer, unit_flag});
    all.push_back({DataType::int4, true, true});
    all.push_back({DataType::int4, false, false});
    all.push_back({DataType::float32, true, true, 2201, true, true});
    all.push_back({DataType::int8, true, false, 2201, true});
    all.push_back({DataType::float16, false, true, 2201, true});
    all.push_back({DataType::float16, true, false, 3510, true});
    all.push_back({DataType::fp8_e4m3, true, true, 3510, true});
    all.push_back({DataType::fp8_e5m2, true, true, 3510, false, false, DataType::fp8_e4m3});
    all.push_back({DataType::hifloat8, false, true, 3510, true});
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, GemmSourceShapes, testing::ValuesIn(all_options()),
                         [](const testing::TestParamInfo<Options>& of) {
                             return std::string(to_string(of.param.dtype)) +
                                    (of.param.arch == 3510 ? "_3510" : "") +
                                    (of.param.hf32 ? "_hf32" : "") +
                                    (of.param.bias ? "_bias" : "") +
                                    (of.param.double_buffer ? "_double" : "_single") +
                                    (of.param.unit_flag ? "_unit_flag" : "_events");
                         });

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

TEST(GemmSource, FullSizeTilesAndChunks) {
    for (const bool unit_flag : {false, true}) {
        GemmSpec spec = spec_of(257, 520, 600);
        spec.unit_flag = unit_flag;
        check_product(spec, full_size_platform(), 1);
    }
    check_product(spec_of(130, 300, 1100, DataType::int8), full_size_platform());
    check_product(spec_of(130, 300, 300, DataType::float32), full_size_platform());
    check_product(spec_of(300, 40, 900, DataType::bfloat16), full_size_platform(), 1);
}

TEST(GemmSource, RowPitchesBeyondTheNd2NzField) {
    check_product(spec_of(3, 2, 65600), full_size_platform());
    check_product(spec_of(1, 2, 65600, DataType::int8), full_size_platform());
    check_product(spec_of(18, 1, 65537, DataType::float32), full_size_platform());
    check_product(spec_of(2, 65600, 3), full_size_platform());
    check_product(spec_of(1, 65537, 17, DataType::bfloat16), full_size_platform());
}

TEST(GemmSource, NextChunkIsLoadedBeforeTheStepsOfThisOne) {
    GemmSource source(plan_gemm(spec_of(128, 256, 1024), full_size_platform()));
    Instruction instruction;
    int copies = 0, mmads = 0;
    while (source.next(instruction)) {
        if (std::holds_alternative<Nd2Nz>(instruction.operation)) ++copies;
        if (!std::holds_alternative<Mmad>(instruction.operation)) continue;
        const int chunk = mmads++ / 4; // four Mmads of 64 in a chunk of 256
        EXPECT_EQ(copies, 2 * std::min(chunk + 2, 4));
    }
    EXPECT_EQ(mmads, 16);
    EXPECT_EQ(copies, 8);
}

TEST(GemmSource, ResidentAIsLoadedOnce) {
    GemmSource source(plan_gemm(spec_of(256, 1024, 512), full_size_platform()));
    Instruction instruction;
    std::int64_t elements = 0;
    while (source.next(instruction))
        if (const auto* copy = std::get_if<Nd2Nz>(&instruction.operation))
            elements += copy->n_value * copy->d_value;
    EXPECT_EQ(elements, 256 * 512 + 2 * 512 * 1024);
}

TEST(GemmSource, UnitFlagProtocol) {
    GemmSpec spec = spec_of(128, 256, 192);
    GemmSource source(plan_gemm(spec, full_size_platform()));
    Instruction instruction;
    ASSERT_TRUE(source.next(instruction));
    ASSERT_TRUE(std::holds_alternative<SetCtrl>(instruction.operation));
    EXPECT_EQ(std::get<SetCtrl>(instruction.operation).mm_direction, Traversal::row_major);
    std::vector<UnitFlagMode> modes;
    while (source.next(instruction)) {
        if (const auto* mmad = std::get_if<Mmad>(&instruction.operation))
            modes.push_back(mmad->unit_flag);
        if (const auto* out = std::get_if<Fixpipe>(&instruction.operation))
            modes.push_back(out->unit_flag);
    }
    EXPECT_EQ(modes, (std::vector<UnitFlagMode>{UnitFlagMode::keep, UnitFlagMode::keep,
                                                UnitFlagMode::toggle, UnitFlagMode::toggle}));
}

TEST(GemmSource, SmallTilesWaitForTheAccumulator) {
    const auto barriers = [](std::int64_t m, std::int64_t n) {
        GemmSpec spec = spec_of(m, n, 64);
        spec.tile_k = 16;
        GemmSource source(plan_gemm(spec, full_size_platform()));
        Instruction instruction;
        int count = 0;
        while (source.next(instruction))
            if (std::holds_alternative<PipeBarrier>(instruction.operation)) ++count;
        return count;
    };
    EXPECT_EQ(barriers(48, 48), 3); // 9 fractals, before every Mmad but the first
    EXPECT_EQ(barriers(32, 80), 0); // 10 fractals
    EXPECT_EQ(barriers(1, 160), 0);
    EXPECT_EQ(barriers(1, 144), 3);
}

TEST(GemmSource, TailOfOneRowIsPackedAsAVector) {
    GemmSpec spec = spec_of(17, 16, 100);
    spec.tile_m = 16;
    GemmSource source(plan_gemm(spec, full_size_platform()));
    Instruction instruction;
    std::vector<std::int64_t> panel_pitches;
    std::vector<std::int64_t> vector_fractals;
    while (source.next(instruction)) {
        const auto* copy = std::get_if<Nd2Nz>(&instruction.operation);
        if (copy != nullptr && copy->d_value == 100)
            panel_pitches.push_back(copy->dst_nz_c0_stride);
        const auto* load = std::get_if<Load2d>(&instruction.operation);
        if (load != nullptr && load->dst == Buffer::L0A) vector_fractals.push_back(load->repeat);
    }
    EXPECT_EQ(panel_pitches, (std::vector<std::int64_t>{16, 1}));
    EXPECT_EQ(vector_fractals, (std::vector<std::int64_t>{7, 1}));
}

TEST(GemmSource, RewindRepeatsTheProgram) {
    GemmSource source(plan_gemm(spec_of(100, 100, 100), tiny_platform()));
    const auto all = [&] {
        std::vector<std::string> lines;
        Instruction instruction;
        while (source.next(instruction)) lines.push_back(disassemble(instruction.operation));
        return lines;
    };
    const auto first = all();
    EXPECT_TRUE(all().empty());
    source.rewind();
    EXPECT_EQ(all(), first);
    source.rewind();
    Instruction instruction;
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(source.next(instruction));
    source.rewind();
    EXPECT_EQ(all(), first);
}

TEST(GemmSource, LargeProductIsGeneratedPieceByPiece) {
    GemmSource source(plan_gemm(spec_of(4096, 4096, 4096), full_size_platform()));
    EXPECT_EQ(source.total_mmads(), 32U * 16 * 64);
    Instruction instruction;
    std::uint64_t mmads = 0;
    while (source.next(instruction))
        if (std::holds_alternative<Mmad>(instruction.operation)) ++mmads;
    EXPECT_EQ(mmads, source.total_mmads());
}

/// Matching set and wait of an event flag, by their positions in the program.
struct FlagUse {
    std::size_t set, wait;
};

std::vector<FlagUse> flag_uses(const std::vector<Operation>& program) {
    std::map<std::tuple<Pipe, Pipe, int>, std::size_t> open;
    std::vector<FlagUse> uses;
    for (std::size_t i = 0; i < program.size(); ++i) {
        if (const auto* set = std::get_if<SetFlag>(&program[i]))
            open[{set->src, set->dst, set->id}] = i;
        if (const auto* wait = std::get_if<WaitFlag>(&program[i]))
            uses.push_back({open.at({wait->src, wait->dst, wait->id}), i});
    }
    return uses;
}

TEST(GemmSource, RaceCheckerMissesNoForgottenFlag) {
    // Evidence that the proof means something: a program without any one of its flags fails it.
    for (const bool double_buffer : {false, true})
        for (const bool unit_flag : {false, true}) {
            GemmSpec spec =
                spec_of(96, 96, 192); // in a short tail some flags are implied by others
            spec.double_buffer = double_buffer;
            spec.unit_flag = unit_flag;
            GemmSource source(plan_gemm(spec, tiny_platform()));
            std::vector<Operation> program;
            Instruction instruction;
            while (source.next(instruction)) program.push_back(instruction.operation);
            for (const FlagUse& use : flag_uses(program)) {
                test::RaceChecker races;
                for (std::size_t i = 0; i < program.size(); ++i)
                    if (i != use.set && i != use.wait) races.feed(program[i]);
                races.finish();
                EXPECT_FALSE(races.errors().empty())
                    << disassemble(program[use.set]) << " at " << use.set;
            }
        }
}

} // namespace
} // namespace aicore::tb
