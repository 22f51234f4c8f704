// What the report says about cores that wait for one another.
#include "tb/run/hang_report.h"
#include "tests/support/program_list.h"
#include "tests/support/sim_test.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>

namespace aicore::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CrossCoreHang : public SimTest {
protected:
    /// Runs programs that must get stuck; the report names places as "p:<line>".
    std::string hang(std::map<std::string, ProgramList> programs) {
        std::vector<tb::CoreSource> sources;
        std::vector<tb::RunCore> cores;
        for (auto& [name, program] : programs) {
            Core* const core = simulation_.chip().find_core(name);
            sources.push_back({core, &program});
            cores.push_back({core, &program});
        }
        EXPECT_EQ(simulation_.run(sources), tb::RunOutcome::stuck);
        std::ostringstream text;
        tb::write_hang_report(text, cores, tb::RunOutcome::stuck, simulation_.cycles(), {},
                              [](SourcePlace place) { return "p:" + std::to_string(place.line); });
        return text.str();
    }

private:
    tb::Simulation simulation_{default_platform({"chip.ai_cores=2"})};
};

TEST_F(CrossCoreHang, CoresThatWaitForOneAnotherAreACircle) {
    const std::string text =
        hang({{"aic0",
               {CrossCoreWaitFlag{1}, PipeBarrier{Pipe::ALL}, CrossCoreSetFlag{Pipe::FIX, 2, 2}}},
              {"aiv0", {CrossCoreWaitFlag{2}, CrossCoreSetFlag{Pipe::V, 2, 1}}}});
    EXPECT_THAT(text, HasSubstr("S (aiv0.scalar) waits for another core\n"
                                "  at    cross_core_wait_flag id 2 (p:1), instruction 1\n"
                                "  flag  cross-core counter 2 is 0, it was never counted\n"
                                "  needs cross_core_set_flag"));
    EXPECT_THAT(text, HasSubstr("(p:3): not dispatched, the scalar unit of aic0 stands at "
                                "cross_core_wait_flag id 1 (p:1)\n"));
    EXPECT_THAT(text,
                HasSubstr("\nS of aic0 waits for S of aiv0, S of aiv0 waits for S of aic0\n"));
}

TEST_F(CrossCoreHang, ASetInAQueueOfAnotherCoreIsFound) {
    const std::string text =
        hang({{"aic0",
               {WaitFlag{Pipe::M, Pipe::FIX, 0}, CrossCoreSetFlag{Pipe::FIX, 2, 2},
                CrossCoreWaitFlag{1}, SetFlag{Pipe::M, Pipe::FIX, 0}}},
              {"aiv0", {CrossCoreWaitFlag{2}, CrossCoreSetFlag{Pipe::V, 2, 1}}}});
    EXPECT_THAT(text, HasSubstr("(p:2): 2nd of 2 in the queue of FIX of aic0, which stands at "
                                "wait_flag M->FIX id 0 (p:1)\n"));
    EXPECT_THAT(text, HasSubstr("\nS of aic0 waits for S of aiv0, S of aiv0 waits for FIX of aic0, "
                                "FIX of aic0 waits for S of aic0\n"));
}

TEST_F(CrossCoreHang, TheLastSetterIsNamedWithItsPlace) {
    const std::string text = hang({{"aic0", {CrossCoreSetFlag{Pipe::FIX, 2, 2}}},
                                   {"aiv0", {CrossCoreWaitFlag{2}, CrossCoreWaitFlag{2}}}});
    EXPECT_THAT(text, HasSubstr("flag  cross-core counter 2 is 0, last counted in cycle "));
    EXPECT_THAT(text,
                HasSubstr(" after a set by aic0 (p:1)\n"
                          "  needs a cross_core_set_flag id 2 that counts for this core: none "
                          "is in a queue, and none is left in the program\n"));
    EXPECT_THAT(text, Not(HasSubstr("hang of aic0"))) << "it is done";
}

TEST_F(CrossCoreHang, ACounterThatALaterWaitTakesIsNotMistaken) {
    const std::map<std::string, ProgramList> programs{
        {"aic0", {CrossCoreSetFlag{Pipe::FIX, 2, 3}, CrossCoreSetFlag{Pipe::FIX, 2, 4}}},
        {"aiv0", {CrossCoreWaitFlag{2}, CrossCoreWaitFlag{3}}}};
    const std::string text = hang(programs);
    EXPECT_THAT(text, Not(HasSubstr("counter 3 is 1 and nobody waits for it")));
    EXPECT_THAT(text, HasSubstr("counter 4 is 1 and nobody waits for it\n"));
}

TEST_F(CrossCoreHang, ParticipantsThatHaveNotSetAreNamed) {
    const std::string text =
        hang({{"aiv0", {CrossCoreSetFlag{Pipe::MTE3, 1, 5}, CrossCoreWaitFlag{5}}},
              {"aiv1", {CrossCoreWaitFlag{5}, CrossCoreSetFlag{Pipe::MTE3, 1, 5}}}});
    EXPECT_THAT(text, HasSubstr("        aiv0 has set id 5\n        aiv1 has not set id 5\n"
                                "  needs cross_core_set_flag"));
    EXPECT_THAT(text, HasSubstr("(p:2): not dispatched, the scalar unit of aiv1 stands at "
                                "cross_core_wait_flag id 5 (p:1)\n"));
    EXPECT_THAT(text, HasSubstr("\nS of aiv1 waits for S of aiv1\n"));
}

TEST_F(CrossCoreHang, StepsOfASyncAllAreNotCounted) {
    const std::string text = hang({{"aiv0",
                                    {SyncAll{}, SetFlag{Pipe::MTE2, Pipe::V, 0}, SyncAll{},
                                     PipeBarrier{Pipe::ALL}, CrossCoreWaitFlag{3}}},
                                   {"aiv1", {SyncAll{}, SyncAll{}}}});
    EXPECT_THAT(text, HasSubstr("\n4 instructions dispatched, the next one waits\n"));
    EXPECT_THAT(text, HasSubstr("at    cross_core_wait_flag id 3 (p:5), instruction 5\n"));
    EXPECT_THAT(text, HasSubstr("event flag MTE2->V id 0 is left set: last set in cycle "));
    EXPECT_THAT(text, HasSubstr(" by instruction 2 (p:2)\n"));
}

TEST_F(CrossCoreHang, SetsOfOtherAiCoresDoNotCount) {
    const std::string text =
        hang({{"aic1", {WaitFlag{Pipe::M, Pipe::FIX, 0}, CrossCoreSetFlag{Pipe::FIX, 2, 2}}},
              {"aiv0", {CrossCoreWaitFlag{2}}}});
    EXPECT_THAT(text,
                HasSubstr("needs a cross_core_set_flag id 2 that counts for this core: none is"));
}

} // namespace
} // namespace aicore::test
