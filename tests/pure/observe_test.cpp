// The list of observers, and the file that results go to.
#include "tests/pure/observe_support.h"

#include <gtest/gtest.h>

#include <set>

namespace aicore::tb::test {
namespace {

TEST(ObserverHub, NumbersPipesAndLinksDensely) {
    SmallCore core;
    ASSERT_EQ(core.hub.pipes().size(), 3U);
    ASSERT_EQ(core.hub.links().size(), 2U);
    EXPECT_EQ(core.cube.index, 1);
    EXPECT_EQ(core.cube.pipe, Pipe::M);
    EXPECT_EQ(core.to_l0b.index, 1);
    EXPECT_EQ(core.hub.pipes()[1], &core.cube);
}

TEST(ObserverHub, KnowsAPipeThatRegistersAgain) {
    SmallCore core;
    EXPECT_EQ(&core.hub.register_pipe("aic0.cube", Pipe::M), &core.cube);
    EXPECT_EQ(core.hub.pipes().size(), 3U);
}

TEST(ObserverHub, RefusesASecondLinkOfAName) {
    SmallCore core;
    EXPECT_THROW(core.hub.register_link("aic0.l1_to_l0a"), std::logic_error);
}

TEST(ObserverHub, PublishesToEveryObserver) {
    struct Counter : Observer {
        void on_unit_flag(Cycles, const CoreInfo&, int block, bool) override { sum += block; }
        int sum = 0;
    };
    SmallCore core;
    Counter first, second;
    EXPECT_TRUE(core.hub.empty());
    core.hub.add(first);
    core.hub.add(second);
    core.hub.publish(&Observer::on_unit_flag, Cycles(1), *core.cube.core, 5, true);
    EXPECT_EQ(first.sum, 5);
    EXPECT_EQ(second.sum, 5);
}

TEST(ObserverNames, AreDistinct) {
    std::set<std::string_view> names;
    for (int i = 0; i < kWaitReasons; ++i) names.insert(to_string(static_cast<WaitReason>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kWaitReasons));
    EXPECT_EQ(names.count("?"), 0U);
    EXPECT_EQ(to_string(WaitReason::memory_latency), "memory_latency");
    EXPECT_EQ(to_string(PipeActivity::executing), "executing");
}

TEST(OutputFile, HoldsWhatWasWritten) {
    const TemporaryFile file("out.txt");
    OutputFile out(file.path());
    out.write("one ");
    out.write("two");
    out.close();
    EXPECT_EQ(file.content(), "one two");
    EXPECT_THROW(out.write("three"), OutputError);
}

TEST(OutputFile, CanBeReadWhileItGrows) {
    const TemporaryFile file("out.txt");
    OutputFile out(file.path());
    out.write(std::string(64 * 1024, 'x'));
    EXPECT_EQ(file.content().size(), 64U * 1024U);
    out.write("y");
    out.flush();
    EXPECT_EQ(file.content().size(), 64U * 1024U + 1U);
}

TEST(OutputFile, AbortLeavesNothing) {
    const TemporaryFile file("out.txt");
    OutputFile out(file.path());
    out.write("half of a result");
    out.flush();
    out.abort();
    EXPECT_FALSE(std::filesystem::exists(file.path()));
}

TEST(OutputFile, AbortKeepsDevices) {
    OutputFile out("/dev/null");
    out.abort();
    EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

TEST(OutputFile, NamesTheFileAndTheReason) {
    const TemporaryFile file("out.txt");
    const std::string path = file.path() + "/inside";
    try {
        OutputFile out(path);
        FAIL() << "opened " << path;
    } catch (const OutputError& error) {
        EXPECT_EQ(error.what(), path + ": cannot write: No such file or directory");
    }
}

TEST(OutputFile, ReportsAFullDisk) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    OutputFile out("/dev/full");
    out.write("text");
    EXPECT_THROW(out.flush(), OutputError);
}

} // namespace
} // namespace aicore::tb::test
