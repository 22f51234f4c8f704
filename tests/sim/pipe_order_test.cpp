// Queues, order of issue, event flags and barriers, to the cycle.
#include "hw/cube/cube_timing.h"
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

namespace aicore::test {
namespace {

class PipeOrder : public SimTest {
protected:
    CoreBench bench;
    ProgramList program;
};

TEST_F(PipeOrder, OneDispatchEveryFourCyclesAndIssueAtTheNextEdge) {
    for (int i = 0; i < 6; ++i) program.add(load_fractals(Buffer::L0A, 1));
    bench.run(program);
    for (std::uint64_t number = 1; number <= 6; ++number) {
        EXPECT_EQ(bench.dispatched(number), Cycles(4 * static_cast<std::int64_t>(number - 1)));
        EXPECT_EQ(bench.issued(number), bench.dispatched(number) + Cycles(1));
    }
}

TEST_F(PipeOrder, FullQueueStallsTheScalarUnit) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 128));
    program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
    const std::uint64_t wait = program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
    for (int i = 0; i < 20; ++i) program.add(mmad(16, 16, 16));
    const std::uint64_t behind = program.add(load_fractals(Buffer::L0B, 1));
    bench.run(program);
    // The wait and 15 Mmads fill the queue of 16.
    const std::uint64_t last_that_fits = wait + 15;
    EXPECT_EQ(bench.dispatched(last_that_fits) - bench.dispatched(load),
              Cycles(4 * static_cast<std::int64_t>(last_that_fits - load)));
    EXPECT_EQ(bench.dispatched(last_that_fits + 1), bench.done(wait) + Cycles(1));
    EXPECT_GE(bench.dispatched(behind), bench.dispatched(behind - 1) + Cycles(4));
    EXPECT_TRUE(bench.log().waited("aic0.scalar", WaitReason::queue_full));
}

TEST_F(PipeOrder, EngineTakesOneEntryEachCycleInOrder) {
    program.add(mmad(128, 256, 64));
    program.add(SetFlag{Pipe::M, Pipe::MTE1, 0});
    const std::uint64_t wait = program.add(WaitFlag{Pipe::M, Pipe::MTE1, 0});
    for (int i = 0; i < 10; ++i) program.add(load_fractals(Buffer::L0A, 2));
    bench.run(program);
    for (std::uint64_t i = 1; i <= 10; ++i) {
        EXPECT_EQ(bench.issued(wait + i), bench.done(wait) + Cycles(static_cast<std::int64_t>(i)));
        EXPECT_GT(bench.done(wait + i), bench.done(wait + i - 1));
    }
}

TEST_F(PipeOrder, SetFlagWaitsForItsPredecessorsButDoesNotBlockItsPipe) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 128));
    const std::uint64_t set = program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
    const std::uint64_t next = program.add(load_fractals(Buffer::L0B, 1));
    const std::uint64_t wait = program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
    const std::uint64_t product = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_EQ(bench.issued(next), bench.dispatched(next) + Cycles(1));
    EXPECT_EQ(bench.done(set), bench.done(load));
    EXPECT_EQ(bench.done(wait), bench.done(set) + Cycles(1));
    EXPECT_EQ(bench.issued(product), bench.done(wait) + Cycles(1));
    EXPECT_TRUE(bench.log().waited("aic0.cube", WaitReason::event_flag));
}

TEST_F(PipeOrder, SetFlagOnAnIdlePipeExecutesAtItsIssue) {
    const std::uint64_t set = program.add(SetFlag{Pipe::MTE1, Pipe::M, 7});
    const std::uint64_t wait = program.add(WaitFlag{Pipe::MTE1, Pipe::M, 7});
    bench.run(program);
    EXPECT_EQ(bench.done(set), bench.dispatched(set) + Cycles(1));
    EXPECT_EQ(bench.done(wait), bench.dispatched(wait) + Cycles(1)) << "set already";
}

TEST_F(PipeOrder, WaitFlagConsumesTheFlag) {
    program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
    program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
    const std::uint64_t second = program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
    program.add(load_fractals(Buffer::L0A, 32));
    const std::uint64_t set = program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
    bench.run(program);
    EXPECT_EQ(bench.done(second), bench.done(set) + Cycles(1));
}

TEST_F(PipeOrder, MissingSetFlagEndsAtOnceAsStuck) {
    program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
    EXPECT_EQ(bench.simulation().run(program), tb::RunOutcome::stuck);
    EXPECT_EQ(bench.aic().engines()[0]->waiting_for(), WaitReason::event_flag);
}

TEST_F(PipeOrder, DoubleSetWarnsAndLosesAToken) {
    program.add(SetFlag{Pipe::MTE1, Pipe::M, 2});
    program.add(SetFlag{Pipe::MTE1, Pipe::M, 2});
    const ScopedExpectedReport expected(sc_core::SC_WARNING,
                                        "set_flag MTE1->M id 2 at line 2 meets a flag");
    bench.run(program);
    EXPECT_EQ(bench.aic().event_flags().set_flags().size(), 1u);
}

TEST_F(PipeOrder, BarrierHoldsItsOwnPipeOnly) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 128));
    const std::uint64_t barrier = program.add(PipeBarrier{Pipe::MTE1});
    const std::uint64_t next = program.add(load_fractals(Buffer::L0B, 1));
    const std::uint64_t other = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_EQ(bench.done(barrier), bench.done(load) + Cycles(1));
    EXPECT_EQ(bench.issued(next), bench.done(load) + Cycles(2));
    EXPECT_EQ(bench.issued(other), bench.dispatched(other) + Cycles(1));
    EXPECT_LT(bench.done(other), bench.done(load));
    EXPECT_TRUE(bench.log().waited("aic0.mte1", WaitReason::barrier));
}

TEST_F(PipeOrder, BarrierAllHoldsTheScalarUnit) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 128));
    const std::uint64_t product = program.add(mmad(16, 16, 16));
    program.add(PipeBarrier{Pipe::ALL});
    const std::uint64_t next = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_LT(bench.done(product), bench.done(load));
    // Idle pipes are seen one edge later; then the scalar unit's own four cycles.
    EXPECT_EQ(bench.dispatched(next), bench.done(load) + Cycles(1 + 4));
    EXPECT_TRUE(bench.log().waited("aic0.scalar", WaitReason::barrier));
}

TEST_F(PipeOrder, BarrierAllOnAnIdleCoreTakesOneDispatch) {
    program.add(PipeBarrier{Pipe::ALL});
    const std::uint64_t next = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_EQ(bench.dispatched(next), Cycles(4));
}

TEST_F(PipeOrder, ScalarUnitSetsAndWaitsItself) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 32));
    program.add(SetFlag{Pipe::MTE1, Pipe::S, 0});
    program.add(WaitFlag{Pipe::MTE1, Pipe::S, 0});
    const std::uint64_t set = program.add(SetFlag{Pipe::S, Pipe::M, 1});
    const std::uint64_t wait = program.add(WaitFlag{Pipe::S, Pipe::M, 1});
    bench.run(program);
    EXPECT_EQ(bench.done(set), bench.done(load) + Cycles(1 + 4));
    EXPECT_EQ(bench.done(wait), bench.done(set) + Cycles(4 + 1));
}

TEST_F(PipeOrder, DoneComesOneEdgeAfterTheLastInstruction) {
    const std::uint64_t load = program.add(load_fractals(Buffer::L0A, 128));
    bench.run(program);
    EXPECT_EQ(bench.simulation().cycles(), bench.done(load) + Cycles(1));
    EXPECT_EQ(bench.aic().scalar().retired(), 1u);
}

TEST_F(PipeOrder, EmptyProgramIsOverAtOnce) {
    bench.run(program);
    EXPECT_EQ(bench.simulation().cycles(), Cycles(0));
}

class OtherPlatform : public SimTest {};

TEST_F(OtherPlatform, MoreSetFlagsThanQueueEntriesBehindOneInstruction) {
    BenchOptions options;
    options.overrides = {"engines.mte1.queue_depth=3"};
    CoreBench bench(options);
    ProgramList program{load_fractals(Buffer::L0A, 128)};
    for (int id = 0; id < 8; ++id) {
        program.add(SetFlag{Pipe::MTE1, Pipe::M, id});
        program.add(WaitFlag{Pipe::MTE1, Pipe::M, id});
    }
    bench.run(program);
    EXPECT_TRUE(bench.log().waited("aic0.scalar", WaitReason::queue_full));
}

TEST_F(OtherPlatform, IssueAtTheEdgeOfAFirstBeatDoesNotDisturbIt) {
    // The second Mmad is released at every cycle around the first beat of the first one.
    BenchOptions options;
    options.overrides = {"engines.scalar.dispatch_cycles=3"}; // 4 would keep them at odd distances
    CoreBench bench(options);
    bool met = false;
    for (std::int64_t fractals = 1; fractals <= 12; ++fractals) {
        ProgramList sweep{load_fractals(Buffer::L0A, fractals), SetFlag{Pipe::MTE1, Pipe::M, 0}};
        for (int i = 0; i < fractals % 2; ++i) sweep.add(ClearUnitFlags{}); // shifts what follows
        const std::uint64_t first = sweep.add(mmad(64, 64, 64));
        sweep.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
        const std::uint64_t second = sweep.add(mmad(64, 64, 64));
        bench.run(sweep);
        EXPECT_EQ(bench.duration(first), Cycles(60 + 64)) << fractals;
        const Cycles startup = front_cycles(bench.platform().engines.cube);
        met = met || bench.issued(second) == bench.issued(first) + startup;
    }
    EXPECT_TRUE(met);
}

} // namespace
} // namespace aicore::test
