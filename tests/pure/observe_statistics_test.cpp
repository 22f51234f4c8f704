// Statistics: exact counts from hand-made events.
#include "tb/observe/statistics.h"
#include "tests/pure/observe_support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace aicore::tb::test {
namespace {

Cycles waiting(const PipeCounts& counts, WaitReason reason) {
    return counts.waiting[static_cast<std::size_t>(reason)];
}

void expect_complete(const Statistics& statistics, const ObserverHub& hub, Cycles end) {
    for (const PipeInfo* info : hub.pipes()) {
        const PipeCounts& counts = statistics.pipe(info->index);
        EXPECT_EQ(counts.busy + counts.waiting_total() + counts.idle, end) << info->path;
    }
}

/// Cube: idle to 10, waits for an event to 30, executes to 100 with stalls of 5 and 7 cycles.
std::vector<Call> cube_run(const SmallCore& core) {
    return {activity(10, core.cube, PipeActivity::waiting, WaitReason::event_flag),
            activity(30, core.cube, PipeActivity::executing),
            executing(30, core.cube, 1, mmad(128, 256, 64)),
            stall(40, core.cube, WaitReason::bank_conflict, 5),
            done(60, core.cube, 1, mmad(128, 256, 64)),
            executing(60, core.cube, 2, mmad(128, 256, 64)),
            stall(80, core.cube, WaitReason::unit_flag, 7),
            done(100, core.cube, 2, mmad(128, 256, 64)),
            activity(100, core.cube, PipeActivity::idle)};
}

TEST(Statistics, SplitsTheRunOfAPipe) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics, cube_run(core));
    statistics.finish(Cycles(120));
    const PipeCounts& cube = statistics.pipe(core.cube.index);
    EXPECT_EQ(cube.instructions, 2);
    EXPECT_EQ(cube.busy, Cycles(70 - 12));
    EXPECT_EQ(cube.idle, Cycles(10 + 20));
    EXPECT_EQ(waiting(cube, WaitReason::event_flag), Cycles(20));
    EXPECT_EQ(waiting(cube, WaitReason::bank_conflict), Cycles(5));
    EXPECT_EQ(waiting(cube, WaitReason::unit_flag), Cycles(7));
    EXPECT_EQ(statistics.pipe(core.mte1.index).idle, Cycles(120));
    expect_complete(statistics, core.hub, Cycles(120));
}

TEST(Statistics, CutsWhatWasAnnouncedBeyondTheEnd) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics, {activity(10, core.cube, PipeActivity::executing),
                      stall(45, core.cube, WaitReason::link_busy, 20),
                      stall(70, core.cube, WaitReason::unit_flag, 20),
                      transfer(core.to_l0a, 40, 60, 5120), transfer(core.to_l0a, 70, 80, 2560)});
    statistics.finish(Cycles(50));
    const PipeCounts& cube = statistics.pipe(core.cube.index);
    EXPECT_EQ(cube.busy, Cycles(35));
    EXPECT_EQ(waiting(cube, WaitReason::link_busy), Cycles(5));
    EXPECT_EQ(waiting(cube, WaitReason::unit_flag), Cycles(0));
    expect_complete(statistics, core.hub, Cycles(50));
    EXPECT_EQ(statistics.link(core.to_l0a.index).busy, Cycles(10));
    EXPECT_EQ(statistics.link(core.to_l0a.index).bytes, Bytes(7680));
}

TEST(Statistics, CountsOverlappingStallsOnce) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics, {activity(0, core.cube, PipeActivity::executing),
                      stall(10, core.cube, WaitReason::link_busy, 10),
                      stall(15, core.cube, WaitReason::bank_conflict, 10),
                      activity(40, core.cube, PipeActivity::waiting, WaitReason::event_flag),
                      // A pipe that waits loses nothing on top.
                      stall(45, core.cube, WaitReason::link_busy, 10)});
    statistics.finish(Cycles(60));
    const PipeCounts& cube = statistics.pipe(core.cube.index);
    EXPECT_EQ(cube.busy, Cycles(25));
    EXPECT_EQ(waiting(cube, WaitReason::link_busy), Cycles(10));
    EXPECT_EQ(waiting(cube, WaitReason::bank_conflict), Cycles(5));
    EXPECT_EQ(waiting(cube, WaitReason::event_flag), Cycles(20));
    expect_complete(statistics, core.hub, Cycles(60));
}

TEST(Statistics, TakesStallsThatAreReportedLate) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics,
         {activity(0, core.fixpipe, PipeActivity::executing), done(20, core.fixpipe, 1, load2d(1)),
          stall(15, core.fixpipe, WaitReason::bank_conflict, 8)});
    statistics.finish(Cycles(30));
    const PipeCounts& fixpipe = statistics.pipe(core.fixpipe.index);
    EXPECT_EQ(fixpipe.busy, Cycles(22));
    EXPECT_EQ(waiting(fixpipe, WaitReason::bank_conflict), Cycles(8));
    expect_complete(statistics, core.hub, Cycles(30));
}

TEST(Statistics, GoesOnBehindAReset) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics,
         {activity(10, core.cube, PipeActivity::executing),
          stall(35, core.cube, WaitReason::unit_flag, 50), transfer(core.to_l0a, 30, 60, 3000)});
    statistics.on_reset(Cycles(40));
    play(statistics,
         {activity(5, core.cube, PipeActivity::executing), transfer(core.to_l0a, 6, 10, 400),
          activity(15, core.cube, PipeActivity::idle)});
    statistics.finish(Cycles(20));
    const PipeCounts& cube = statistics.pipe(core.cube.index);
    EXPECT_EQ(cube.busy, Cycles(25 + 10));
    EXPECT_EQ(waiting(cube, WaitReason::unit_flag), Cycles(5));
    EXPECT_EQ(statistics.link(core.to_l0a.index).busy, Cycles(10 + 4));
    expect_complete(statistics, core.hub, Cycles(60));
}

TEST(Statistics, LinkIsBusyForTheUnionOfItsTransfers) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics,
         {transfer(core.to_l0a, 10, 20, 100), transfer(core.to_l0a, 20, 25, 100),
          transfer(core.to_l0a, 22, 24, 100), transfer(core.to_l0a, 30, 40, 100),
          activity(90, core.mte1, PipeActivity::idle), transfer(core.to_l0a, 95, 99, 100)});
    statistics.finish(Cycles(100));
    const LinkCounts& link = statistics.link(core.to_l0a.index);
    EXPECT_EQ(link.bytes, Bytes(500));
    EXPECT_EQ(link.busy, Cycles(15 + 10 + 4));
    EXPECT_EQ(link.span, Cycles(89));
    EXPECT_EQ(statistics.link(core.to_l0b.index).busy, Cycles(0));
}

TEST(Statistics, JsonFollowsItsSchema) {
    SmallCore core;
    Statistics statistics(core.hub);
    play(statistics, cube_run(core));
    play(statistics, {transfer(core.to_l0a, 100, 110, 2560)});
    statistics.finish(Cycles(120));
    RunSummary run{Cycles(120), 1850, 64, 2, 0.5};
    run.memory = {7, 3, Bytes(1536), Bytes(512), Bytes(64), Bytes(32)};
    const auto json = nlohmann::json::parse(statistics.to_json(run).dump(2));
    const auto expected = nlohmann::json::parse(R"({
        "schema": "aicore-stats/1", "cycles": 120, "clock_mhz": 1850,
        "pipes": {
            "aic0.mte1": {"busy_cycles": 0, "instructions": 0, "waiting_cycles": {}},
            "aic0.cube": {"busy_cycles": 58, "instructions": 2, "waiting_cycles":
                {"event_flag": 20, "unit_flag": 7, "bank_conflict": 5}},
            "aic0.fixpipe": {"busy_cycles": 0, "instructions": 0, "waiting_cycles": {}}},
        "links": {"aic0.l1_to_l0a": {"bytes": 2560, "busy_cycles": 10},
                  "aic0.l1_to_l0b": {"bytes": 0, "busy_cycles": 0}},
        "memory": {"l2_read_hits": 7, "l2_read_misses": 3, "hbm_read_bytes": 1536,
                   "hbm_written_bytes": 512, "hccs_read_bytes": 64, "hccs_written_bytes": 32},
        "result": {"checked": 64, "mismatches": 2, "max_abs_error": 0.5}})");
    EXPECT_EQ(json, expected) << json.dump(2);
}

} // namespace
} // namespace aicore::tb::test
