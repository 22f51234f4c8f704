// Several launches on one chip without a reset between them.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

namespace aicore::test {
namespace {

class LaunchTest : public SimTest {
protected:
    tb::Simulation simulation{default_platform({"chip.ai_cores=2"}), {}};

    Core* core(const char* name) { return simulation.chip().find_core(name); }
};

TEST_F(LaunchTest, BuffersAndCountersStay) {
    ByteVector data(512);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(3 * i);
    simulation.chip().gm().load(0, data.data(), data.size());
    ProgramList first{load_l1(512), CrossCoreSetFlag{Pipe::MTE2, 2, 3}};
    ASSERT_EQ(
        simulation.run({{core("aic0"), &first}, {core("aiv0"), nullptr}, {core("aiv1"), nullptr}}),
        tb::RunOutcome::finished);
    EXPECT_EQ(simulation.started_at(), Cycles(0));
    const Cycles end = simulation.chip().clock().now();

    ProgramList store{store_l1(512, 0, 8192)}, wait{CrossCoreWaitFlag{3}}, other{mmad(16, 16, 16)};
    ASSERT_EQ(simulation.launch({{core("aic0"), &store},
                                 {core("aiv0"), &wait},
                                 {core("aiv1"), &wait},
                                 {core("aic1"), &other}}),
              tb::RunOutcome::finished);
    EXPECT_EQ(simulation.started_at(), end + Cycles(1));
    EXPECT_LT(simulation.cycles(), Cycles(500));
    ByteVector back(512);
    simulation.chip().gm().dump(8192, back.data(), back.size());
    EXPECT_EQ(back, data);
    EXPECT_EQ(simulation.chip().cross_core_flags().count(1, 3), 0);
}

TEST_F(LaunchTest, ALaunchTakesTheCyclesOfARun) {
    ProgramList program;
    for (int i = 0; i < 5; ++i) program.add(mmad(64, 64, 64));
    ASSERT_EQ(simulation.run({{core("aic1"), &program}}), tb::RunOutcome::finished);
    const Cycles alone = simulation.cycles();
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(simulation.launch({{core("aic1"), &program}}), tb::RunOutcome::finished);
        EXPECT_EQ(simulation.cycles(), alone);
    }
    EXPECT_EQ(core("aic1")->scalar().retired(), 4u * 5u);
    ASSERT_EQ(simulation.run({{core("aic1"), &program}}), tb::RunOutcome::finished);
    EXPECT_EQ(simulation.cycles(), alone);
    EXPECT_EQ(simulation.started_at(), Cycles(0));
}

TEST_F(LaunchTest, AHangIsSeenInAnyLaunch) {
    ProgramList good{mmad(16, 16, 16)}, hang{WaitFlag{Pipe::MTE2, Pipe::MTE1, 0}};
    ASSERT_EQ(simulation.run({{core("aic0"), &good}}), tb::RunOutcome::finished);
    EXPECT_EQ(simulation.launch({{core("aic0"), &hang}}), tb::RunOutcome::stuck);
    EXPECT_EQ(simulation.run({{core("aic0"), &good}}), tb::RunOutcome::finished);
}

TEST_F(LaunchTest, AnErrorEndsWithTheResetOfARun) {
    ProgramList sets, good{mmad(16, 16, 16)};
    for (int i = 0; i < 16; ++i) sets.add(CrossCoreSetFlag{Pipe::MTE2, 2, 0});
    ASSERT_EQ(simulation.run({{core("aic1"), &good}}), tb::RunOutcome::finished);
    EXPECT_EQ(simulation.launch({{core("aic1"), &sets}, {core("aiv2"), nullptr}}),
              tb::RunOutcome::error);
    EXPECT_NE(simulation.chip().error_message().find("flag 0 of aiv2 exceeds 15"),
              std::string::npos)
        << simulation.chip().error_message();
    EXPECT_EQ(simulation.run({{core("aic1"), &good}}), tb::RunOutcome::finished);
    EXPECT_EQ(simulation.chip().error_message(), "");
}

} // namespace
} // namespace aicore::test
