// Cycles of Mmad.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <cmath>

namespace aicore::test {
namespace {

class CubeTiming : public SimTest {
protected:
    CoreBench bench;
};

TEST_F(CubeTiming, TheoryOfTheVendor) {
    struct Case {
        std::int64_t m, n, k;
        DataType type;
        std::int64_t fractals, cycles_per_fractal;
    };
    const std::vector<Case> cases{
        {16, 16, 16, DataType::float16, 1, 1},     {64, 64, 64, DataType::float16, 64, 1},
        {128, 256, 64, DataType::float16, 512, 1}, {128, 128, 64, DataType::bfloat16, 256, 1},
        {17, 31, 33, DataType::float16, 12, 1},    {64, 64, 64, DataType::int8, 32, 1},
        {64, 64, 65, DataType::int8, 48, 1},       {32, 32, 32, DataType::float32, 16, 2},
        {1, 256, 64, DataType::float16, 64, 1},    {48, 16, 128, DataType::bfloat16, 24, 1},
    };
    ProgramList program;
    for (const Case& c : cases) {
        Mmad operation = mmad(c.m, c.n, c.k);
        operation.ab_type = c.type;
        program.add(operation);
        program.add(PipeBarrier{Pipe::ALL});
    }
    bench.run(program);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& c = cases[i];
        EXPECT_EQ(bench.duration(2 * i + 1), Cycles(60 + c.fractals * c.cycles_per_fractal))
            << c.m << "x" << c.n << "x" << c.k << " " << to_string(c.type);
    }
}

TEST_F(CubeTiming, LoneMmadsOnSilicon) {
    ProgramList program{mmad(64, 64, 64), PipeBarrier{Pipe::ALL}, mmad(128, 256, 64)};
    bench.run(program);
    EXPECT_NEAR(static_cast<double>(bench.duration(1).count()), 125, 1.25);
    EXPECT_NEAR(static_cast<double>(bench.duration(3).count()), 575, 5.75);
}

TEST_F(CubeTiming, EightMmadsInARow) {
    for (const auto& [n, published] : {std::pair(256, 4225.0), std::pair(128, 2172.0)}) {
        ProgramList program;
        for (int i = 0; i < 8; ++i) {
            program.add(mmad(128, n, 64, i == 0 ? MmadInit::zero : MmadInit::l0c));
        }
        bench.run(program);
        const std::int64_t fractals = 8 * n / 16 * 4;
        const std::int64_t cycles = (bench.done(8) - bench.issued(1)).count();
        EXPECT_EQ(cycles, 60 + 8 * fractals + 7 * 9);
        EXPECT_LE(std::abs(static_cast<double>(cycles) - published), published * 0.004);
    }
}

TEST_F(CubeTiming, StartUpShowsWhenThePipeWasEmpty) {
    // The second one is issued while the first is in the array, the third after a barrier.
    ProgramList program{mmad(64, 64, 64), mmad(64, 64, 64), PipeBarrier{Pipe::M}, mmad(64, 64, 64)};
    bench.run(program);
    EXPECT_EQ(bench.done(2) - bench.done(1), Cycles(64 + 9));
    EXPECT_EQ(bench.issued(4), bench.done(2) + Cycles(2)); // barrier, then the Mmad
    EXPECT_EQ(bench.done(4) - bench.issued(4), Cycles(60 + 64));
}

TEST_F(CubeTiming, SmallMmadsInARowAreLimitedByThoseInFlight) {
    ProgramList program;
    for (int i = 0; i < 16; ++i) program.add(mmad(16, 16, 16));
    bench.run(program);
    for (std::uint64_t number = 2; number <= 4; ++number) {
        EXPECT_EQ(bench.done(number) - bench.done(number - 1), Cycles(1 + 9));
    }
    for (std::uint64_t number = 5; number <= 16;
         ++number) { // a place is taken an edge after it is free
        EXPECT_EQ(bench.issued(number), bench.done(number - 4) + Cycles(1));
        EXPECT_EQ(bench.done(number) - bench.done(number - 4), Cycles(61 + 1));
    }
}

TEST_F(CubeTiming, InstructionsCompleteInOrder) {
    ProgramList program{mmad(128, 256, 64), mmad(16, 16, 16), mmad(64, 64, 64), mmad(16, 16, 16)};
    bench.run(program);
    for (std::uint64_t number = 2; number <= 4; ++number) {
        EXPECT_GT(bench.done(number), bench.done(number - 1));
        EXPECT_EQ(bench.log().at(number, InstructionStage::executing), bench.done(number - 1));
    }
}

TEST_F(CubeTiming, BiasAndAccumulationCostNoCycle) {
    Mmad bias = mmad(64, 64, 64);
    bias.init = MmadInit::bias;
    ProgramList program{bias, PipeBarrier{Pipe::ALL}, mmad(64, 64, 64, MmadInit::l0c)};
    bench.run(program);
    EXPECT_EQ(bench.duration(1), Cycles(124));
    EXPECT_EQ(bench.duration(3), Cycles(124));
}

} // namespace
} // namespace aicore::test
