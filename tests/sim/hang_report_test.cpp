// Programs that get stuck, and what the report says about them.
#include "tb/run/hang_report.h"
#include "tb/run/leftover_flags.h"
#include "tests/support/core_bench.h"

#include <gmock/gmock.h>

#include <sstream>

namespace aicore::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string place_text(SourcePlace place) { return "p:" + std::to_string(place.line); }

Load2d load(Buffer dst) {
    Load2d load;
    load.dst = dst;
    load.repeat = 1;
    return load;
}

Mmad mmad(std::int64_t m, std::int64_t n, std::int64_t k,
          UnitFlagMode unit_flag = UnitFlagMode::off) {
    Mmad mmad;
    mmad.m = m;
    mmad.n = n;
    mmad.k = k;
    mmad.unit_flag = unit_flag;
    return mmad;
}

Fixpipe fixpipe(std::int64_t m, std::int64_t n, std::int64_t src_stride, UnitFlagMode unit_flag) {
    Fixpipe fixpipe;
    fixpipe.layout = FixpipeLayout::NZ;
    fixpipe.m_size = m;
    fixpipe.n_size = n;
    fixpipe.src_stride = src_stride;
    fixpipe.dst_stride = m * 2;
    fixpipe.unit_flag = unit_flag;
    return fixpipe;
}

constexpr UnitFlagMode kToggle = UnitFlagMode::toggle;

class HangReport : public SimTest {
protected:
    static const FixpipeReadings& layout(const CoreBench& bench) {
        return bench.platform().engines.fixpipe.layout;
    }
    /// Runs a program that must get stuck; the report names places as "p:<line>".
    std::string hang(CoreBench& bench, ProgramList program) {
        bench.reset();
        EXPECT_EQ(bench.simulation().run(program), tb::RunOutcome::stuck);
        std::ostringstream text;
        tb::write_hang_report(text, {{&bench.aic(), &program}}, tb::RunOutcome::stuck,
                              bench.simulation().cycles(), layout(bench), place_text);
        return text.str();
    }
};

TEST_F(HangReport, NamesTheCircleOfALoopThatNothingPrimed) {
    CoreBench bench;
    ProgramList program;
    program.add(SetFlag{Pipe::M, Pipe::MTE1, 2});
    for (int i = 0; i < 2; ++i) {
        program.add(WaitFlag{Pipe::M, Pipe::MTE1, 2});
        program.add(load(Buffer::L0A));
        program.add(WaitFlag{Pipe::M, Pipe::MTE1, 3});
        program.add(load(Buffer::L0B));
        program.add(SetFlag{Pipe::MTE1, Pipe::M, 0});
        program.add(WaitFlag{Pipe::MTE1, Pipe::M, 0});
        program.add(mmad(16, 16, 16));
        program.add(SetFlag{Pipe::M, Pipe::MTE1, 2});
        program.add(SetFlag{Pipe::M, Pipe::MTE1, 3});
    }
    const std::string text = hang(bench, program);
    EXPECT_THAT(text,
                HasSubstr("MTE1 (aic0.mte1) waits for an event flag\n"
                          "  at    wait_flag M->MTE1 id 3 (p:4), instruction 4\n"
                          "  flag  M->MTE1 id 3 is 0: never set, never consumed\n"
                          "  needs set_flag M->MTE1 id 3 (p:10): 4th of 8 in the queue of M, which "
                          "stands at wait_flag MTE1->M id 0 (p:7)\n"));
    EXPECT_THAT(text, HasSubstr("\nM waits for MTE1, MTE1 waits for M\n"));
}

TEST_F(HangReport, ShowsASetOfOtherPipesThatNobodyWaitsFor) {
    CoreBench bench;
    const std::string text = hang(bench, {SetFlag{Pipe::S, Pipe::MTE3, 1},
                                          WaitFlag{Pipe::MTE3, Pipe::MTE1, 1}, load(Buffer::L0A)});
    EXPECT_THAT(text, HasSubstr("at    wait_flag MTE3->MTE1 id 1 (p:2)"));
    EXPECT_THAT(text, HasSubstr("S->MTE3 id 1 is set and nobody waits for it"));
    EXPECT_THAT(text, HasSubstr("needs a set_flag MTE3->MTE1 id 1: none is in a queue, and none is "
                                "left in the program"));
    EXPECT_THAT(text, HasSubstr("event flag S->MTE3 id 1 is left set: last set in cycle 0 by "
                                "instruction 1 (p:1)"));
    EXPECT_THAT(text, Not(HasSubstr("waits for MTE")));
}

TEST_F(HangReport, TellsWhoConsumedAFlagLast) {
    CoreBench bench;
    const std::string text =
        hang(bench, {SetFlag{Pipe::MTE2, Pipe::MTE1, 0}, WaitFlag{Pipe::MTE2, Pipe::MTE1, 0},
                     WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}});
    EXPECT_THAT(text,
                HasSubstr("is 0: last set in cycle 1 by instruction 1 (p:1), last consumed in "
                          "cycle 5 by instruction 2 (p:2)"));
}

TEST_F(HangReport, ASetThatIsNotDispatchedIsFoundBehindTheScalarUnit) {
    CoreBench bench;
    const std::string text =
        hang(bench, {WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}, PipeBarrier{Pipe::ALL},
                     SetFlag{Pipe::MTE2, Pipe::MTE1, 0}});
    EXPECT_THAT(text, HasSubstr("S (aic0.scalar) waits for a barrier\n"
                                "  at    pipe_barrier ALL (p:2), instruction 2\n"
                                "  needs MTE1, which stands at wait_flag MTE2->MTE1 id 0 (p:1)\n"));
    EXPECT_THAT(text, HasSubstr("needs set_flag MTE2->MTE1 id 0 (p:3): not dispatched, the scalar "
                                "unit stands at pipe_barrier ALL (p:2)"));
    EXPECT_THAT(text, HasSubstr("\nS waits for MTE1, MTE1 waits for S\n"));
}

TEST_F(HangReport, AFullQueueIsAReason) {
    CoreBench bench({{"engines.mte1.queue_depth=1"}});
    const std::string text = hang(bench, {WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}, load(Buffer::L0A),
                                          SetFlag{Pipe::MTE2, Pipe::MTE1, 0}});
    EXPECT_THAT(text, HasSubstr("S (aic0.scalar) waits for a place in a full queue\n"));
    EXPECT_THAT(text, HasSubstr("needs MTE1, which stands at wait_flag MTE2->MTE1 id 0 (p:1)"));
}

TEST_F(HangReport, TheScalarUnitItselfMayWaitForAFlag) {
    CoreBench bench;
    const std::string text = hang(bench, {WaitFlag{Pipe::MTE1, Pipe::S, 4}});
    EXPECT_THAT(text, HasSubstr("S (aic0.scalar) waits for an event flag\n"
                                "  at    wait_flag MTE1->S id 4 (p:1), instruction 1\n"));
}

TEST_F(HangReport, AFixpipeWithoutAnMmadThatHandsOver) {
    CoreBench bench;
    const std::string text =
        hang(bench, {mmad(16, 64, 128), SetFlag{Pipe::M, Pipe::FIX, 0},
                     WaitFlag{Pipe::M, Pipe::FIX, 0}, fixpipe(16, 64, 16, kToggle)});
    EXPECT_THAT(text, HasSubstr("FIX (aic0.fixpipe) waits for unit flags of L0C\n"));
    EXPECT_THAT(text,
                HasSubstr("flag  of block 0 (L0C bytes 0..511, fractal row 0, panel 0) is 0, "
                          "must be 1: never set, never cleared\n"
                          "        8 of the 8 blocks from there on are 0: 0-7\n"
                          "  needs an mmad with unit_flag 3 on this block: none is in a queue"));
}

TEST_F(HangReport, BlocksThatAFixpipeDidNotDrain) {
    CoreBench bench;
    const std::string text =
        hang(bench, {mmad(128, 128, 64, kToggle), fixpipe(64, 64, 128, kToggle),
                     mmad(128, 128, 64, kToggle)});
    EXPECT_THAT(text,
                HasSubstr("M (aic0.cube) waits for unit flags of L0C\n  at    mmad 128x128x64"));
    EXPECT_THAT(text,
                HasSubstr("flag  of block 8 (L0C bytes 4096..4607, fractal row 4, panel 0) is 1, "
                          "must be 0: last set in cycle "));
    EXPECT_THAT(text, HasSubstr("by instruction 1 (p:1), never cleared\n"
                                "        96 of the 120 blocks from there on are 1: 8-15, 24-31, "
                                "40-47, 56-127\n"));
    EXPECT_THAT(text,
                HasSubstr("needs a fixpipe with unit_flag 3 on this block, or clear_unit_flags"));
    EXPECT_THAT(text,
                HasSubstr("unit flags of L0C blocks 0-7 are left 1: set by instruction 3 (p:3)"));
}

TEST_F(HangReport, AFixpipeBehindAnEventFlagCouldFreeABlock) {
    CoreBench bench;
    const std::string text =
        hang(bench,
             {mmad(16, 16, 16, kToggle), mmad(16, 16, 16, kToggle), SetFlag{Pipe::M, Pipe::FIX, 0},
              WaitFlag{Pipe::M, Pipe::FIX, 0}, fixpipe(16, 16, 16, kToggle)});
    EXPECT_THAT(text, HasSubstr("needs fixpipe 16x16"));
    EXPECT_THAT(text, HasSubstr("(p:5): 2nd of 2 in the queue of FIX, which stands at wait_flag "
                                "M->FIX id 0 (p:4)"));
    EXPECT_THAT(text,
                HasSubstr("needs set_flag M->FIX id 0 (p:3): executes on M when what is before "
                          "it is complete; M stands at mmad 16x16x16"));
    EXPECT_THAT(text, HasSubstr("\nM waits for FIX, FIX waits for M\n"));
}

TEST_F(HangReport, ACopyToUbCountsItsMatricesInRows) {
    CoreBench bench({{}, true, false, true, 0, "3510"});
    AscCopyL0c2ub copy;
    copy.n_size = copy.m_size = copy.loop_src_stride = copy.loop_dst_stride = 16;
    copy.nz2nd_en = true;
    copy.nd_num = 2;
    copy.src_nd_stride = 16; // rows of 64 B: the second matrix begins at block 2
    copy.dst_nd_stride = 256;
    copy.unit_flag_ctl = 3;
    const std::string text = hang(bench, {mmad(16, 16, 16, kToggle), copy});
    EXPECT_THAT(text, HasSubstr("flag  of block 2 (L0C bytes 1024..1535, fractal row 0, panel 0)"));
    EXPECT_THAT(text, HasSubstr("2 of the 2 blocks from there on are 0: 2-3\n"));
}

TEST_F(HangReport, TwoSetsWithoutAWaitLoseATokenAndTheSecondWaitHangs) {
    CoreBench bench;
    const ScopedExpectedReport warning(sc_core::SC_WARNING, "one token is lost");
    const std::string text =
        hang(bench, {mmad(16, 16, 16), SetFlag{Pipe::M, Pipe::MTE1, 0},
                     SetFlag{Pipe::M, Pipe::MTE1, 0}, PipeBarrier{Pipe::ALL},
                     WaitFlag{Pipe::M, Pipe::MTE1, 0}, WaitFlag{Pipe::M, Pipe::MTE1, 0}});
    EXPECT_THAT(text, HasSubstr("at    wait_flag M->MTE1 id 0 (p:6)"));
    EXPECT_THAT(text, HasSubstr("by instruction 3 (p:3), last consumed"));
}

TEST_F(HangReport, AGeneratedProgramHasNoPlaces) {
    CoreBench bench;
    ProgramList program{WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}};
    class WithoutPlaces : public InstructionSource {
    public:
        explicit WithoutPlaces(InstructionSource& source) : source_(source) {}
        bool next(Instruction& instruction) override {
            const bool more = source_.next(instruction);
            instruction.place = {};
            return more;
        }
        void rewind() override { source_.rewind(); }

    private:
        InstructionSource& source_;
    } source(program);
    bench.reset();
    ASSERT_EQ(bench.simulation().run(source), tb::RunOutcome::stuck);
    std::ostringstream text;
    tb::write_hang_report(text, {{&bench.aic()}}, tb::RunOutcome::stuck,
                          bench.simulation().cycles(), layout(bench), place_text);
    EXPECT_THAT(text.str(), HasSubstr("at    wait_flag MTE2->MTE1 id 0, instruction 1\n"));
    EXPECT_THAT(text.str(), Not(HasSubstr("p:")));
}

TEST_F(HangReport, ARunThatIsCutOffShowsWhatIsAtWork) {
    CoreBench bench;
    ProgramList program{mmad(256, 128, 64), WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}};
    bench.reset();
    bench.simulation().set_reset(false);
    bench.simulation().start({{&bench.aic(), &program}});
    bench.simulation().advance(Cycles(100));
    std::ostringstream text;
    tb::write_hang_report(text, {{&bench.aic(), &program}}, tb::RunOutcome::no_progress, Cycles(99),
                          layout(bench), place_text);
    EXPECT_THAT(text.str(), HasSubstr("no instruction makes progress any more"));
    EXPECT_THAT(text.str(), HasSubstr("M (aic0.cube) is at work\n  at    mmad 256x128x64"));
    EXPECT_THAT(text.str(), HasSubstr("MTE1 (aic0.mte1) waits for an event flag"));
}

TEST_F(HangReport, AFinishedProgramMayLeaveFlagsBehind) {
    CoreBench bench;
    ProgramList program{mmad(16, 48, 16, kToggle), fixpipe(16, 16, 16, kToggle),
                        SetFlag{Pipe::MTE3, Pipe::MTE2, 5}};
    bench.run(program);
    const std::vector<std::string> lines = tb::leftover_flags(bench.aic(), place_text);
    EXPECT_THAT(lines,
                ElementsAre(HasSubstr("event flag MTE3->MTE2 id 5 is left set: last set in cycle "),
                            "unit flags of L0C blocks 2-5 are left 1: set by instruction 1 (p:1)"));
    ProgramList clean{mmad(16, 16, 16)};
    bench.run(clean);
    EXPECT_THAT(tb::leftover_flags(bench.aic(), place_text), IsEmpty());
}

} // namespace
} // namespace aicore::test
