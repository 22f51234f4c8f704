// Programs that forget to synchronise get the wrong data, as on silicon; with the flag it is right.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <algorithm>

namespace aicore::test {
namespace {

class Race : public SimTest {
protected:
    void SetUp() override {
        bench.reset();
        bench.poke(Buffer::L0A, 0, float16s(32 * 1024, kHalfOne));
        bench.poke(Buffer::L0B, 0, float16s(32 * 1024, kHalfOne));
    }
    std::vector<float> floats(Buffer buffer, std::uint64_t address, std::size_t count) {
        const ByteVector bytes = bench.peek(buffer, address, 4 * count);
        std::vector<float> values(count);
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    /// Two Mmads of k = 16 in a row on one tile over an old content of 8: 32 when the second sees
    /// the first one's result, 24 where it reads the old content.
    std::vector<float> accumulate_twice(std::int64_t m, std::int64_t n, bool barrier) {
        SetUp();
        bench.poke(Buffer::L0C, 0, float32s(32 * 1024, 8));
        ProgramList program{mmad(m, n, 16)};
        if (barrier) program.add(PipeBarrier{Pipe::M});
        program.add(mmad(m, n, 16, MmadInit::l0c));
        bench.run(program);
        return floats(Buffer::L0C, 0, static_cast<std::size_t>(m * n));
    }

    CoreBench bench;
};

TEST_F(Race, SmallTilesReadTheOldAccumulator) {
    // The documents ask for a PipeBarrier below 10 fractals.
    for (const auto& [m, n] : {std::pair(16, 16), std::pair(16, 32), std::pair(48, 16),
                               std::pair(32, 32), std::pair(64, 32), std::pair(48, 48)}) {
        const std::vector<float> wrong(static_cast<std::size_t>(m * n), 24);
        EXPECT_EQ(accumulate_twice(m, n, false), wrong) << m << "x" << n;
        const std::vector<float> right(static_cast<std::size_t>(m * n), 32);
        EXPECT_EQ(accumulate_twice(m, n, true), right) << m << "x" << n << " with a barrier";
    }
}

TEST_F(Race, TenFractalsAndMoreNeedNoBarrier) {
    for (const auto& [m, n] : {std::pair(32, 80), std::pair(160, 16), std::pair(16, 176),
                               std::pair(64, 64), std::pair(128, 256)}) {
        const std::vector<float> right(static_cast<std::size_t>(m * n), 32);
        EXPECT_EQ(accumulate_twice(m, n, false), right) << m << "x" << n;
    }
}

TEST_F(Race, MmadThatDoesNotWaitForItsOperand) {
    const auto run = [this](bool flag) {
        SetUp();
        bench.poke(Buffer::L1, 0, float16s(8192, kHalfTwo));
        ProgramList program{load_fractals(Buffer::L0A, 32)};
        if (flag) {
            program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
            program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
        }
        program.add(mmad(128, 16, 64));
        bench.run(program);
        return floats(Buffer::L0C, 0, 128 * 16);
    };
    EXPECT_EQ(run(true), std::vector<float>(128 * 16, 128.0f));
    const std::vector<float> raced = run(false);
    EXPECT_EQ(raced.front(), 128.0f) << "loaded in time";
    EXPECT_EQ(raced.back(), 64.0f) << "still the old operand";
}

TEST_F(Race, LoadThatDoesNotWaitForTheMmad) {
    const auto run = [this](bool flag) {
        SetUp();
        bench.poke(Buffer::L1, 0, float16s(8192, kHalfTwo));
        ProgramList program{mmad(128, 256, 64)};
        if (flag) {
            program.add(SetFlag{Pipe::M, Pipe::MTE1, 0});
            program.add(WaitFlag{Pipe::M, Pipe::MTE1, 0});
        }
        program.add(load_fractals(Buffer::L0A, 32));
        bench.run(program);
        return floats(Buffer::L0C, 0, 128 * 256);
    };
    EXPECT_EQ(run(true), std::vector<float>(128 * 256, 64.0f));
    const std::vector<float> raced = run(false);
    EXPECT_GT(std::count(raced.begin(), raced.end(), 128.0f), 0);
    EXPECT_GT(std::count(raced.begin(), raced.end(), 64.0f), 0);
}

TEST_F(Race, FixpipeThatDoesNotWaitForTheMmad) {
    const auto run = [this](bool flag) {
        SetUp();
        bench.poke(Buffer::L0C, 0, float32s(16 * 1024, 8));
        ProgramList program{mmad(128, 128, 64)};
        if (flag) {
            program.add(SetFlag{Pipe::M, Pipe::FIX, 0});
            program.add(WaitFlag{Pipe::M, Pipe::FIX, 0});
        }
        program.add(store_rows(128, 128));
        bench.run(program);
        return floats(Buffer::GM, 0, 128 * 128);
    };
    EXPECT_EQ(run(true), std::vector<float>(128 * 128, 64.0f));
    const std::vector<float> raced = run(false);
    EXPECT_EQ(raced.front(), 8.0f);
}

TEST_F(Race, LoadThatDoesNotWaitForGm) {
    const auto run = [this](bool flag) {
        SetUp();
        bench.poke(Buffer::GM, 0, float16s(8192, kHalfTwo));
        ProgramList program{load_l1(16 * 1024)};
        if (flag) {
            program.add(SetFlag{Pipe::MTE2, Pipe::MTE1, 0});
            program.add(WaitFlag{Pipe::MTE2, Pipe::MTE1, 0});
        }
        program.add(load_fractals(Buffer::L0A, 32));
        bench.run(program);
        return bench.peek(Buffer::L0A, 0, 16 * 1024);
    };
    EXPECT_EQ(run(true), float16s(8192, kHalfTwo));
    EXPECT_EQ(run(false), ByteVector(16 * 1024, 0xa5)) << "what L1 holds after power-on";
}

TEST_F(Race, FlagIsEnoughToTheCycle) {
    // A chain over every pipe that only works when each flag comes neither early nor late.
    bench.poke(Buffer::GM, 0, float16s(128 * 64, kHalfTwo));
    ProgramList program{load_l1(16 * 1024),
                        SetFlag{Pipe::MTE2, Pipe::MTE1, 0},
                        WaitFlag{Pipe::MTE2, Pipe::MTE1, 0},
                        load_fractals(Buffer::L0A, 32),
                        SetFlag{Pipe::MTE1, Pipe::M, 0},
                        WaitFlag{Pipe::MTE1, Pipe::M, 0},
                        mmad(128, 16, 64),
                        SetFlag{Pipe::M, Pipe::FIX, 0},
                        WaitFlag{Pipe::M, Pipe::FIX, 0},
                        store_l1_fractals(128, 16, 64 * 1024),
                        SetFlag{Pipe::FIX, Pipe::MTE3, 0},
                        WaitFlag{Pipe::FIX, Pipe::MTE3, 0},
                        store_l1(128 * 16 * 2, 64 * 1024, 1 << 20)};
    bench.run(program);
    EXPECT_EQ(bench.peek(Buffer::GM, 1 << 20, 128 * 16 * 2), float16s(128 * 16, 0x5800)); // 128
}

} // namespace
} // namespace aicore::test
