// Unit flags: Mmad and Fixpipe meet block by block in L0C, without event flags.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

namespace aicore::test {
namespace {

constexpr UnitFlagMode kKeep = UnitFlagMode::keep;
constexpr UnitFlagMode kToggle = UnitFlagMode::toggle;

class UnitFlags : public SimTest {
protected:
    void SetUp() override {
        bench.reset();
        bench.poke(Buffer::L0A, 0, float16s(32 * 1024, kHalfOne));
        bench.poke(Buffer::L0B, 0, float16s(32 * 1024, kHalfOne));
    }
    void expect_gm(std::uint64_t address, std::size_t count, float value) {
        EXPECT_EQ(bench.peek(Buffer::GM, address, 4 * count), float32s(count, value))
            << "at " << address;
    }
    void expect_flags_clear() {
        for (int block = 0; block < 256; ++block)
            EXPECT_FALSE(bench.aic().unit_flags().read(block)) << block;
    }
    Cycles changed(int block, std::size_t nth) {
        return bench.log().unit_flag(block).at(nth).first;
    }

    CoreBench bench;
    ProgramList program;
};

TEST_F(UnitFlags, HandOverToTheCycle) {
    const auto product = program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    Fixpipe fixpipe = store_l1_fractals(16, 16);
    fixpipe.unit_flag = kToggle;
    const auto store = program.add(fixpipe);
    bench.run(program);
    // The block lands with the end of the Mmad, is seen at the next edge, and is read in four
    // beats.
    for (int block : {0, 1}) {
        EXPECT_EQ(changed(block, 0), bench.done(product));
        EXPECT_EQ(changed(block, 1), bench.done(product) + Cycles(1 + 4));
    }
    EXPECT_EQ(bench.done(store), bench.done(product) + Cycles(1 + 4 + 2));
    EXPECT_TRUE(bench.log().unit_flag(2).empty());
    EXPECT_EQ(bench.peek(Buffer::L1, 0, 512), float16s(256, 0x4c00)); // 16
    expect_flags_clear();
}

TEST_F(UnitFlags, BlocksAreHandedOverOneByOne) {
    program.add(mmad(128, 256, 64, MmadInit::zero, kToggle));
    program.add(store_rows(128, 256, 0, kToggle));
    bench.run(program);
    const Cycles first_landing = bench.issued(1) + Cycles(60 + 4); // one fractal after the other
    for (int fractal : {0, 1, 2, 77, 127}) {
        EXPECT_EQ(changed(2 * fractal, 0), first_landing + Cycles(4 * fractal));
        EXPECT_EQ(changed(2 * fractal + 1, 0), changed(2 * fractal, 0))
            << "both halves of a fractal";
    }
    EXPECT_LT(changed(0, 1), bench.done(1)) << "the Fixpipe starts before the Mmad is over";
    expect_gm(0, 128 * 256, 64);
}

TEST_F(UnitFlags, SeveralMmadsOneFixpipe) {
    for (int step = 0; step < 4; ++step) {
        program.add(mmad(64, 128, 64, step == 0 ? MmadInit::zero : MmadInit::l0c,
                         step == 3 ? kToggle : kKeep));
    }
    program.add(store_rows(64, 128, 0, kToggle));
    bench.run(program);
    expect_gm(0, 64 * 128, 4 * 64);
    EXPECT_GT(changed(0, 0), bench.done(3)) << "only the last Mmad hands over";
    EXPECT_TRUE(bench.log().waited("aic0.fixpipe", WaitReason::unit_flag));
    expect_flags_clear();
}

TEST_F(UnitFlags, OneMmadSeveralFixpipes) {
    program.add(mmad(64, 128, 64, MmadInit::zero, kToggle));
    const std::uint64_t size = 64 * 128 * 4;
    for (std::uint64_t i = 0; i < 3; ++i)
        program.add(store_rows(64, 128, i * size, i == 2 ? kToggle : kKeep));
    bench.run(program);
    for (std::uint64_t i = 0; i < 3; ++i) expect_gm(i * size, 64 * 128, 64);
    EXPECT_GT(changed(0, 1), bench.done(3)) << "only the last Fixpipe gives back";
    expect_flags_clear();
}

TEST_F(UnitFlags, FixpipeDispatchedBeforeItsMmadWaits) {
    const auto store = program.add(store_rows(64, 64, 0, kToggle));
    const auto product = program.add(mmad(64, 64, 64, MmadInit::zero, kToggle));
    bench.run(program);
    EXPECT_LT(bench.issued(store), bench.issued(product));
    expect_gm(0, 64 * 64, 64);
    EXPECT_TRUE(bench.log().waited("aic0.fixpipe", WaitReason::unit_flag));
}

TEST_F(UnitFlags, NextMmadFollowsTheFixpipeBlockByBlock) {
    const std::uint64_t size = 128 * 256 * 4;
    program.add(mmad(128, 256, 64, MmadInit::zero, kToggle));
    program.add(store_rows(128, 256, 0, kToggle));
    program.add(mmad(128, 256, 16, MmadInit::zero, kToggle)); // the same L0C
    program.add(store_rows(128, 256, size, kToggle));
    bench.run(program);
    expect_gm(0, 128 * 256, 64);
    expect_gm(size, 128 * 256, 16);
    EXPECT_TRUE(bench.log().waited("aic0.cube", WaitReason::unit_flag));
    EXPECT_LT(changed(0, 2), bench.done(2))
        << "the second result lands while the first one is stored";
}

TEST_F(UnitFlags, WaitingMmadGoesOnTwoEdgesAfterTheLastBeat) {
    program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    const auto second = program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    Fixpipe fixpipe = store_l1_fractals(16, 16);
    fixpipe.unit_flag = kToggle;
    program.add(fixpipe);
    program.add(fixpipe);
    bench.run(program);
    // Seen as 0 one edge after it is given back, then one fractal and the drain.
    const Cycles drain = bench.platform().engines.cube.drain_cycles;
    EXPECT_EQ(bench.done(second), changed(0, 1) + Cycles(1 + 1) + drain);
    EXPECT_EQ(changed(0, 2), bench.done(second));
}

TEST_F(UnitFlags, TraversalOrderIsStampedAtDispatch) {
    program.add(direction(Traversal::row_major));
    program.add(mmad(32, 32, 16, MmadInit::zero, kToggle));
    program.add(direction(Traversal::column_major));
    program.add(store_rows(32, 32, 0, kToggle));
    bench.run(program);
    // L0C holds the tile in column panels: fractals 0 and 2 are the first row.
    const Cycles first = changed(0, 0);
    EXPECT_EQ(changed(2 * 2, 0), first + Cycles(1));
    EXPECT_EQ(changed(2 * 1, 0), first + Cycles(2));
    EXPECT_EQ(changed(2 * 3, 0), first + Cycles(3));
    expect_gm(0, 32 * 32, 16);
}

TEST_F(UnitFlags, ColumnMajorIsTheDefault) {
    program.add(mmad(32, 32, 16, MmadInit::zero, kToggle));
    program.add(store_rows(32, 32, 0, kToggle));
    bench.run(program);
    for (int fractal = 0; fractal < 4; ++fractal) {
        EXPECT_EQ(changed(2 * fractal, 0), changed(0, 0) + Cycles(fractal));
    }
}

TEST_F(UnitFlags, MmadOnABlockThatNobodyStoresIsStuck) {
    program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    EXPECT_EQ(bench.simulation().run(program), tb::RunOutcome::stuck);
    EXPECT_EQ(bench.aic().engines()[0]->waiting_for(), WaitReason::unit_flag);
}

TEST_F(UnitFlags, ClearUnitFlagsFreesEveryBlock) {
    program.add(mmad(128, 256, 16, MmadInit::zero, kToggle));
    program.add(PipeBarrier{Pipe::ALL});
    program.add(ClearUnitFlags{});
    program.add(mmad(128, 256, 16, MmadInit::zero, kToggle));
    program.add(store_rows(128, 256, 0, kToggle));
    bench.run(program);
    expect_gm(0, 128 * 256, 16);
    expect_flags_clear();
}

TEST_F(UnitFlags, OffIgnoresThem) {
    program.add(mmad(16, 16, 16, MmadInit::zero, kToggle));
    program.add(mmad(16, 16, 16));
    program.add(store_rows(16, 16));
    bench.run(program);
    EXPECT_EQ(bench.log().unit_flag(0).size(), 1u) << "set once, and left alone";
}

TEST_F(UnitFlags, OverlapSavesTimeAgainstEventFlags) {
    const auto tiles = [this](UnitFlagMode mode) {
        SetUp();
        ProgramList tile_program{direction(Traversal::row_major)}; // as NZ2ND reads
        for (std::uint64_t tile = 0; tile < 6; ++tile) {
            tile_program.add(mmad(128, 256, 64, MmadInit::zero, mode));
            if (mode == UnitFlagMode::off) {
                tile_program.add(SetFlag{Pipe::M, Pipe::FIX, 0});
                tile_program.add(WaitFlag{Pipe::M, Pipe::FIX, 0});
            }
            tile_program.add(to_float16(store_rows(128, 256, tile * 128 * 256 * 2, mode)));
            if (mode == UnitFlagMode::off) {
                tile_program.add(SetFlag{Pipe::FIX, Pipe::M, 0});
                tile_program.add(WaitFlag{Pipe::FIX, Pipe::M, 0});
            }
        }
        bench.run(tile_program);
        for (std::uint64_t tile = 0; tile < 6; ++tile) {
            EXPECT_EQ(bench.peek(Buffer::GM, tile * 128 * 256 * 2, 128 * 256 * 2),
                      float16s(128 * 256, 0x5400)); // 64
        }
        // A tile in the steady state: from the end of its predecessor's Fixpipe to the end of its
        // own.
        const std::uint64_t per_tile = mode == UnitFlagMode::off ? 6 : 2;
        const std::uint64_t fixpipe = mode == UnitFlagMode::off ? 5 : 3;
        return (bench.done(5 * per_tile + fixpipe) - bench.done(4 * per_tile + fixpipe)).count();
    };
    const std::int64_t mmad_cycles = 60 + 512, fixpipe_cycles = 13 + 128 * 256 * 2 / 118;
    EXPECT_LE(tiles(kToggle), std::max(mmad_cycles, fixpipe_cycles) + 40);
    EXPECT_GE(tiles(UnitFlagMode::off), mmad_cycles + fixpipe_cycles);
}

} // namespace
} // namespace aicore::test
