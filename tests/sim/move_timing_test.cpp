// Cycles of the instructions that move data, from issue to completion.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <cmath>

namespace aicore::test {
namespace {

class MoveTiming : public SimTest {
protected:
    /// Cycles from the end of one to the end of the next, for each of `count` equal instructions.
    std::vector<std::int64_t> in_a_row(const Operation& operation, int count) {
        ProgramList program;
        for (int i = 0; i < count; ++i) program.add(operation);
        bench.run(program);
        std::vector<std::int64_t> cycles;
        for (int i = 2; i <= count; ++i) {
            const auto number = static_cast<std::uint64_t>(i);
            cycles.push_back((bench.done(number) - bench.done(number - 1)).count());
        }
        return cycles;
    }
    static void expect_near(double actual, double published, double percent,
                            const std::string& what) {
        EXPECT_LE(std::abs(actual - published), published * percent / 100)
            << what << ": " << actual;
    }

    CoreBench bench;
};

using List = std::vector<std::int64_t>;

TEST_F(MoveTiming, LoneLoadToL0a) {
    const List fractals{1, 2, 3, 8, 32, 64, 128};
    std::vector<Operation> loads;
    List expected;
    for (std::int64_t count : fractals) {
        loads.push_back(load_fractals(Buffer::L0A, count));
        expected.push_back(28 + count * 512 / 256);
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

TEST_F(MoveTiming, LoneLoadToL0b) {
    const List fractals{1, 2, 3, 8, 32, 64, 128};
    std::vector<Operation> loads;
    List expected;
    for (std::int64_t count : fractals) {
        loads.push_back(load_fractals(Buffer::L0B, count));
        expected.push_back(28 + count * 512 / 128);
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

TEST_F(MoveTiming, LoadsInARowHideTheirLatency) {
    EXPECT_EQ(in_a_row(load_fractals(Buffer::L0A, 32), 10), List(9, 66));
    EXPECT_EQ(in_a_row(load_fractals(Buffer::L0B, 32), 10), List(9, 130));
    EXPECT_EQ(in_a_row(load_fractals(Buffer::L0B, 2), 40), List(39, 10));
}

TEST_F(MoveTiming, StridesAndTransposeCostNothing) {
    Load2d load = load_fractals(Buffer::L0B, 16);
    load.src_stride = 7;
    load.dst_gap = 3;
    load.transpose = true;
    EXPECT_EQ(bench.alone({load}), List{28 + 64});
}

TEST_F(MoveTiming, LoneCopyToTheBiasTable) {
    std::vector<Operation> copies;
    List expected;
    for (std::int64_t blocks : {1, 2, 7, 8, 9, 16}) {
        L1ToBt copy;
        copy.block_len = blocks;
        copies.push_back(copy);
        expected.push_back(20 + blocks * 64 / 32);
    }
    L1ToBt in_pieces;
    in_pieces.block_count = 4;
    in_pieces.block_len = 2;
    in_pieces.src_gap = 3;
    in_pieces.dst_gap = 1;
    copies.push_back(in_pieces);
    expected.push_back(20 + 4 * 2 * 64 / 32);
    EXPECT_EQ(bench.alone(copies), expected);
}

TEST_F(MoveTiming, LoneCopyToTheFixpipeBuffer) {
    std::vector<Operation> copies;
    List expected;
    for (std::int64_t bytes : {128, 512, 640, 2048}) {
        L1ToFb copy;
        copy.bytes = bytes;
        copies.push_back(copy);
        expected.push_back(20 + bytes / 32);
    }
    EXPECT_EQ(bench.alone(copies), expected);
}

TEST_F(MoveTiming, LoneFixpipeToL1) {
    std::vector<Operation> fixpipes;
    List expected;
    for (const auto& [m, n] :
         {std::pair(16, 16), std::pair(16, 256), std::pair(64, 64), std::pair(128, 128)}) {
        fixpipes.push_back(store_l1_fractals(m, n));
        expected.push_back(20 + m * n / 64);
    }
    EXPECT_EQ(bench.alone(fixpipes), expected);
}

TEST_F(MoveTiming, LoneFixpipeToGm) {
    struct Case {
        std::int64_t m, n;
        bool half;
    };
    const std::vector<Case> cases{{16, 16, false},  {32, 32, true},   {64, 32, false},
                                  {64, 64, true},   {64, 64, false},  {128, 128, true},
                                  {128, 256, true}, {128, 256, false}};
    std::vector<Operation> fixpipes;
    for (const Case& c : cases) {
        const Fixpipe rows = store_rows(c.m, c.n);
        fixpipes.push_back(c.half ? to_float16(rows) : rows);
    }
    const List cycles = bench.alone(fixpipes);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const double bytes = static_cast<double>(cases[i].m * cases[i].n * (cases[i].half ? 2 : 4));
        expect_near(static_cast<double>(cycles[i]), std::max(84.0, 13 + bytes / 118), 5,
                    std::to_string(bytes));
    }
    EXPECT_EQ(cycles[0], 84);
}

TEST_F(MoveTiming, LoneLoadFromGm) {
    const std::vector<std::pair<std::int64_t, double>> published{
        {4, 234}, {8, 237}, {16, 295}, {32, 373}, {64, 623}, {128, 945}, {256, 1681}};
    std::vector<Operation> loads;
    for (const auto& [kib, cycles] : published) loads.push_back(load_l1(kib * 1024));
    const List cycles = bench.alone(loads);
    for (std::size_t i = 0; i < published.size(); ++i) {
        expect_near(static_cast<double>(cycles[i]), published[i].second, 10,
                    std::to_string(published[i].first));
    }
    const std::int64_t latency = bench.platform().links.gm_to_l1.latency_cycles.count() +
                                 bench.platform().memories.l2.latency_cycles.count();
    EXPECT_EQ(cycles[0], latency + ceil_div(4096, 168) + 2) << "two beats of the last line into L1";
}

TEST_F(MoveTiming, WholeL1FromGm) {
    // One instruction writes at most 511.75 KB: the top of L1 is not for programs.
    const List cycles = bench.alone({load_l1(512 * 1024 - 256)});
    expect_near(static_cast<double>(cycles[0]), 3356, 10, "512 KB");
}

TEST_F(MoveTiming, SmallLoadsFromGmFollowAtTheirGap) {
    const List cycles = in_a_row(load_l1(128), 30);
    for (std::int64_t step : cycles) EXPECT_EQ(step, 20);
}

TEST_F(MoveTiming, LoneStoreToGm) {
    const List cycles = bench.alone({store_l1(512), store_l1(16 * 1024), store_l1(64 * 1024)});
    EXPECT_EQ(cycles, (List{88 + ceil_div(512, 73) + 1, 88 + ceil_div(16 * 1024, 73) + 1,
                            88 + ceil_div(64 * 1024, 73) + 1}));
}

TEST_F(MoveTiming, EmptyInstructionsEndAtOnce) {
    DataCopy copy = load_l1(0);
    Nd2Nz nd2nz;
    nd2nz.dst_nz_c0_stride = 1;
    nd2nz.src_d_value = 1;
    const List cycles = bench.alone({load_fractals(Buffer::L0A, 0), copy, store_l1(0), nd2nz,
                                     store_rows(0, 16), mmad(0, 16, 16), mmad(16, 16, 0)});
    EXPECT_EQ(cycles, (List{28, 0, 88, 0, 11, 43, 43}));
}

struct Places {
    const char* count;   ///< engines.mte3.outstanding_writes
    std::int64_t cycles; ///< of a store of 32 lines
};

void PrintTo(const Places& places, std::ostream* out) { *out << places.count; }

class StoreTiming : public SimTest, public testing::WithParamInterface<Places> {};

// A line is read in 8 cycles, L2 takes it 31 later, its place is free in the cycle after that.
constexpr std::int64_t kRead = 8, kTaken = 31, kAgain = kRead + kTaken + 1;

TEST_P(StoreTiming, LinesWaitForAPlace) {
    CoreBench bench({{"links.l1_to_gm.bytes_per_cycle=64", "memories.l2.write_miss_cycles=30",
                      "memories.l2.at_reset=nothing",
                      std::string("engines.mte3.outstanding_writes=") + GetParam().count}});
    EXPECT_EQ(bench.alone({store_l1(32 * 512)}), List{GetParam().cycles});
}

INSTANTIATE_TEST_SUITE_P(Places, StoreTiming,
                         testing::Values(Places{"1", 88 + 31 * kAgain + kRead + kTaken},
                                         Places{"4", 88 + 7 * kAgain + 4 * kRead + kTaken},
                                         Places{"5", 88 + 32 * kRead + kTaken}));

} // namespace
} // namespace aicore::test
