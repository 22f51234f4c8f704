// Timeline: events parsed back, in an order that viewers accept, the same for any order of pipes.
#include "tb/observe/event_text.h"
#include "tb/observe/timeline.h"
#include "tests/pure/observe_support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aicore::tb::test {
namespace {

constexpr int kMhz = 2000; // a cycle is 0.0005 us

std::string text_of(const SmallCore& core, const std::vector<Call>& calls, int end) {
    const TemporaryFile file("timeline.json");
    OutputFile out(file.path());
    Timeline timeline(out, core.hub, kMhz);
    play(timeline, calls);
    timeline.finish(Cycles(end));
    out.close();
    return file.content();
}

/// Events of one phase, in the order of the file.
std::vector<nlohmann::json> events(const std::string& text, const std::string& phase) {
    std::vector<nlohmann::json> found;
    const auto root = nlohmann::json::parse(text);
    for (const auto& event : root.at("traceEvents")) {
        if (event.at("ph") == phase) found.push_back(event);
    }
    return found;
}

/// "lane name start+length" in cycles of the drawn slices, in the order of the file.
std::vector<std::string> slices(const std::string& text) {
    std::vector<std::string> found;
    for (const auto& event : events(text, "X")) {
        const auto cycles = [&](const char* key) {
            return std::to_string(std::lround(event.at(key).get<double>() * kMhz));
        };
        found.push_back(event.at("tid").get<std::string>() + " " +
                        event.at("name").get<std::string>() + " " + cycles("ts") + "+" +
                        cycles("dur"));
    }
    return found;
}

Instruction set_flag(int id) { return {SetFlag{Pipe::MTE1, Pipe::M, id}, {}}; }
Instruction wait_flag(int id) { return {WaitFlag{Pipe::MTE1, Pipe::M, id}, {}}; }

/// MTE1 loads, sets a flag and loads again; the cube waits for the flag and multiplies.
std::vector<CycleOfPipes> load_and_multiply(const SmallCore& core) {
    return {
        {{activity(5, core.mte1, PipeActivity::executing), executing(5, core.mte1, 1, load2d(16))},
         {activity(5, core.cube, PipeActivity::waiting, WaitReason::event_flag)}},
        {{done(40, core.mte1, 1, load2d(16)), executing(40, core.mte1, 2, set_flag(3)),
          done(40, core.mte1, 2, set_flag(3)), executing(40, core.mte1, 5, load2d(8))}},
        {{executing(41, core.cube, 3, wait_flag(3)), done(41, core.cube, 3, wait_flag(3)),
          activity(41, core.cube, PipeActivity::executing),
          executing(41, core.cube, 4, mmad(16, 32, 64, 12)),
          stall(50, core.cube, WaitReason::unit_flag, 4)}},
        {{done(60, core.mte1, 5, load2d(8)), activity(60, core.mte1, PipeActivity::idle)},
         {done(60, core.cube, 4, mmad(16, 32, 64, 12)),
          activity(60, core.cube, PipeActivity::idle)}}};
}

TEST(Timeline, NamesCoresAndLanes) {
    SmallCore core;
    const auto root = nlohmann::json::parse(text_of(core, {}, 10));
    EXPECT_EQ(root.at("displayTimeUnit"), "ns");
    EXPECT_EQ(root.at("otherData").at("schema"), "aicore-timeline/1");
    EXPECT_EQ(root.at("otherData").at("clock_mhz"), kMhz);
    std::vector<std::string> lanes;
    for (const auto& event : root.at("traceEvents")) {
        EXPECT_EQ(event.at("ph"), "M");
        EXPECT_EQ(event.at("pid"), "aic0");
        if (event.at("name") == "thread_name") lanes.push_back(event.at("args").at("name"));
    }
    EXPECT_EQ(lanes, (std::vector<std::string>{"MTE1", "CUBE", "FIXP"}));
}

TEST(Timeline, DrawsInstructionsWaitsAndFlags) {
    SmallCore core;
    const std::string text = text_of(core, in_order(load_and_multiply(core), false), 70);
    EXPECT_EQ(slices(text), (std::vector<std::string>{
                                "MTE1 load2d L0A x16 5+35", "MTE1 set_flag MTE1->M 3 39+1",
                                "CUBE wait: event_flag 5+36", "CUBE wait_flag MTE1->M 3 40+1",
                                "MTE1 load2d L0A x8 40+20", "CUBE mmad 16x32x64 41+19"}));
}

TEST(Timeline, TellsWhatAnInstructionDid) {
    SmallCore core;
    const std::string text = text_of(core, in_order(load_and_multiply(core), false), 70);
    const auto slice = events(text, "X").at(5);
    EXPECT_NE(text.find("\"ts\":0.020500,\"dur\":0.009500"), std::string::npos);
    EXPECT_EQ(slice.at("args").at("detail"), disassemble(mmad(16, 32, 64).operation));
    EXPECT_EQ(slice.at("args").at("line"), 12);
    EXPECT_EQ(slice.at("args").at("number"), 4);
    EXPECT_EQ(slice.at("args").at("cycle"), 41);
    EXPECT_EQ(slice.at("args").at("cycles"), 19);
    EXPECT_EQ(slice.at("args").at("stall_cycles"), nlohmann::json::parse(R"({"unit_flag": 4})"));
    EXPECT_EQ(events(text, "X").at(2).at("cname"), "terrible");
    EXPECT_FALSE(events(text, "X").at(0).at("args").contains("line"));
}

TEST(Timeline, DrawsAnArrowFromSetToWait) {
    SmallCore core;
    const std::string text = text_of(core, in_order(load_and_multiply(core), false), 70);
    const auto starts = events(text, "s"), ends = events(text, "f");
    ASSERT_EQ(starts.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(starts[0].at("cat"), "MTE1ToM");
    EXPECT_EQ(starts[0].at("tid"), "MTE1");
    EXPECT_DOUBLE_EQ(starts[0].at("ts").get<double>(), 39.0 / kMhz);
    EXPECT_EQ(ends[0].at("cat"), "MTE1ToM");
    EXPECT_EQ(ends[0].at("tid"), "CUBE");
    EXPECT_EQ(ends[0].at("bp"), "e");
    EXPECT_EQ(ends[0].at("id"), starts[0].at("id"));
    EXPECT_DOUBLE_EQ(ends[0].at("ts").get<double>(), 40.0 / kMhz);
    // An arrow belongs to the slice before it, and its tail stands before its head.
    EXPECT_LT(text.find("\"ph\":\"s\""), text.find("\"ph\":\"f\""));
    const std::size_t set = text.find("\"set_flag MTE1->M 3\"");
    EXPECT_EQ(text.find("\"name\":", set), text.find("\"name\":\"flow\"", set));
}

TEST(Timeline, AWaitTakesTheOldestSet) {
    // In cycle 20 the flag is taken and set again; the arrow comes from the set in cycle 10.
    SmallCore core;
    const std::vector<CycleOfPipes> cycles{
        {{executing(10, core.mte1, 1, set_flag(0)), done(10, core.mte1, 1, set_flag(0))}},
        {{executing(20, core.mte1, 2, set_flag(0)), done(20, core.mte1, 2, set_flag(0))},
         {executing(20, core.cube, 3, wait_flag(0)), done(20, core.cube, 3, wait_flag(0))}}};
    for (const bool reversed : {false, true}) {
        const std::string text = text_of(core, in_order(cycles, reversed), 30);
        ASSERT_EQ(events(text, "f").size(), 1U);
        EXPECT_EQ(events(text, "f")[0].at("id"), events(text, "s")[0].at("id"));
        EXPECT_DOUBLE_EQ(events(text, "s")[0].at("ts").get<double>(), 9.0 / kMhz);
    }
}

/// A cube core tells two vector cores; `count` is when the counters go up.
std::string cross_core_text(int count, bool reversed) {
    ObserverHub hub;
    const PipeInfo& fixpipe = hub.register_pipe("aic0.fixpipe", Pipe::FIX);
    const PipeInfo& first = hub.register_pipe("aiv0.scalar", Pipe::S);
    const PipeInfo& second = hub.register_pipe("aiv1.scalar", Pipe::S);
    const Instruction set{CrossCoreSetFlag{Pipe::FIX, 2, 19}, {}}; // counter 3
    const Instruction wait{CrossCoreWaitFlag{3}, {}};
    const auto counted = [&](const PipeInfo& to) -> Call {
        return [=, &to, &fixpipe](Observer& observer) {
            observer.on_cross_core_count(Cycles(count), *to.core, 3, *fixpipe.core, 7);
        };
    };
    std::vector<CycleOfPipes> cycles{{{done(10, fixpipe, 7, set)}}};
    const std::vector<Call> counts{counted(first), counted(second)};
    if (count == 10) {
        cycles.front().push_back(counts);
    } else {
        cycles.push_back({counts});
    }
    cycles.push_back({{done(30, first, 1, wait)}, {done(30, second, 1, wait)}});
    const TemporaryFile file("timeline.json");
    OutputFile out(file.path());
    Timeline timeline(out, hub, kMhz);
    play(timeline, in_order(cycles, reversed));
    timeline.finish(Cycles(40));
    out.close();
    return file.content();
}

TEST(Timeline, DrawsArrowsToOtherCores) {
    for (const int count : {10, 20}) {
        const std::string text = cross_core_text(count, false);
        const auto starts = events(text, "s"), ends = events(text, "f");
        ASSERT_EQ(starts.size(), 2U);
        ASSERT_EQ(ends.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(starts[i].at("pid"), "aic0");
            EXPECT_EQ(starts[i].at("tid"), "FIXP");
            EXPECT_DOUBLE_EQ(starts[i].at("ts").get<double>(), 9.0 / kMhz);
            EXPECT_EQ(ends[i].at("pid"), "aiv" + std::to_string(i));
            EXPECT_DOUBLE_EQ(ends[i].at("ts").get<double>(), 29.0 / kMhz);
            EXPECT_EQ(ends[i].at("id"), starts[i].at("id"));
        }
        EXPECT_LT(text.find("cross_core_set_flag"), text.find("\"ph\":\"s\""));
        EXPECT_EQ(cross_core_text(count, true), text);
    }
}

TEST(Timeline, DoesNotDependOnTheOrderOfPipes) {
    SmallCore core;
    const auto cycles = load_and_multiply(core);
    EXPECT_EQ(text_of(core, in_order(cycles, false), 70),
              text_of(core, in_order(cycles, true), 70));
}

TEST(Timeline, DrawsWhatIsDoneWithoutExecuting) {
    // As engines do with flags: a set that waits for a load is done together with it.
    SmallCore core;
    const std::string text = text_of(
        core,
        {executing(0, core.mte1, 1, load2d(16)), stall(4, core.mte1, WaitReason::bank_conflict, 2),
         done(10, core.mte1, 3, wait_flag(1)), done(20, core.mte1, 1, load2d(16)),
         done(20, core.mte1, 2, set_flag(0)), executing(20, core.mte1, 4, load2d(8)),
         done(30, core.mte1, 4, load2d(8))},
        40);
    EXPECT_EQ(slices(text), (std::vector<std::string>{
                                "MTE1 wait_flag MTE1->M 1 9+1", "MTE1 load2d L0A x16 0+20",
                                "MTE1 set_flag MTE1->M 0 19+1", "MTE1 load2d L0A x8 20+10"}));
    EXPECT_EQ(events(text, "X").at(1).at("args").at("stall_cycles").at("bank_conflict"), 2);
}

TEST(Timeline, GoesOnBehindAReset) {
    SmallCore core;
    const TemporaryFile file("timeline.json");
    OutputFile out(file.path());
    Timeline timeline(out, core.hub, kMhz);
    play(timeline,
         {executing(5, core.cube, 9, mmad(16, 16, 16)), done(8, core.mte1, 8, set_flag(2))});
    timeline.on_reset(Cycles(20));
    play(timeline, {executing(3, core.cube, 1, mmad(16, 16, 32)),
                    done(9, core.cube, 1, mmad(16, 16, 32)), done(9, core.cube, 2, wait_flag(2))});
    timeline.finish(Cycles(10));
    out.close();
    EXPECT_EQ(
        slices(file.content()),
        (std::vector<std::string>{"MTE1 set_flag MTE1->M 2 7+1", "CUBE mmad 16x16x16 5+15",
                                  "CUBE mmad 16x16x32 23+6", "CUBE wait_flag MTE1->M 2 28+1"}));
    EXPECT_TRUE(events(file.content(), "f").empty());
}

TEST(Timeline, MarksWhatDidNotFinish) {
    SmallCore core;
    const std::string text =
        text_of(core,
                {executing(5, core.cube, 1, mmad(16, 16, 16)),
                 activity(8, core.fixpipe, PipeActivity::waiting, WaitReason::unit_flag)},
                20);
    EXPECT_EQ(slices(text),
              (std::vector<std::string>{"CUBE mmad 16x16x16 5+15", "FIXP wait: unit_flag 8+12"}));
    EXPECT_EQ(events(text, "X").at(0).at("args").at("unfinished"), true);
}

TEST(Timeline, InstructionsCutWaits) {
    // The pipe reports a wait while an earlier instruction still completes: pieces, no overlap.
    SmallCore core;
    const std::string text = text_of(
        core,
        {executing(0, core.cube, 1, mmad(16, 16, 16)),
         activity(10, core.cube, PipeActivity::waiting, WaitReason::event_flag),
         done(15, core.cube, 1, mmad(16, 16, 16)), activity(30, core.cube, PipeActivity::idle)},
        40);
    EXPECT_EQ(slices(text),
              (std::vector<std::string>{"CUBE mmad 16x16x16 0+15", "CUBE wait: event_flag 10+5",
                                        "CUBE wait: event_flag 15+15"}));
}

TEST(Timeline, LongerSlicesStandBeforeShorterOnesThatStartWithThem) {
    SmallCore core;
    const std::string text = text_of(
        core,
        {executing(3, core.cube, 1, mmad(16, 16, 16)),
         activity(3, core.cube, PipeActivity::waiting, WaitReason::unit_flag),
         activity(8, core.cube, PipeActivity::executing), done(15, core.cube, 1, mmad(16, 16, 16))},
        20);
    EXPECT_EQ(slices(text),
              (std::vector<std::string>{"CUBE mmad 16x16x16 3+12", "CUBE wait: unit_flag 3+5"}));
}

TEST(EventText, RoundsToPicosecondsWithoutGaps) {
    EXPECT_EQ(picoseconds_at(Cycles(1), 1850), 541);
    EXPECT_EQ(picoseconds_at(Cycles(1850), 1850), 1'000'000);
    EXPECT_EQ(microseconds(1'000'541), "1.000541");
    EXPECT_EQ(microseconds(0), "0.000000");
}

TEST(EventText, NamesSizesNotAddresses) {
    EXPECT_EQ(short_name(mmad(128, 256, 64).operation), "mmad 128x256x64");
    EXPECT_EQ(short_name(load2d(16).operation), "load2d L0A x16");
    EXPECT_EQ(short_name(PipeBarrier{Pipe::M}), "pipe_barrier M");
    EXPECT_EQ(json_string("a\"b"), "\"a\\\"b\"");
}

} // namespace
} // namespace aicore::tb::test
