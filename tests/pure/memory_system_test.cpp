// L2 and HBM without a simulation: what is held, what it costs, who waits for whom.
#include "hw/mem/memory_system.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

constexpr std::int64_t kLine = 512;

L2Config small_l2() {
    L2Config config;
    config.size_bytes = Bytes(8 * kLine);
    config.ways = 2;
    config.sector_bytes = Bytes(128);
    config.latency_cycles = Cycles(100);
    config.write_miss_cycles = Cycles(30);
    config.slices = {1, BytesPerCycle(128), Cycles(0), Cycles(0)};
    return config;
}

HbmConfig slow_hbm() {
    HbmConfig config;
    config.latency_cycles = Cycles(200);
    config.channels = {1, BytesPerCycle(32), Cycles(3), Cycles(0)};
    return config;
}

class L2CacheTest : public testing::Test {
protected:
    L2Cache cache{small_l2()}; // four sets of two ways
};

TEST_F(L2CacheTest, TheLeastRecentlyUsedLineMakesRoom) {
    EXPECT_FALSE(cache.use(0, false).hit);
    EXPECT_FALSE(cache.use(5, false).hit) << "the same set, one turn on";
    EXPECT_TRUE(cache.use(0, false).hit);
    EXPECT_FALSE(cache.use(10, false).hit);
    EXPECT_TRUE(cache.holds(0));
    EXPECT_FALSE(cache.holds(5));
    EXPECT_TRUE(cache.holds(10));
    EXPECT_FALSE(cache.use(1, false).hit) << "another set";
    EXPECT_TRUE(cache.holds(0));
}

TEST_F(L2CacheTest, ADirtyLineIsWrittenBackOnce) {
    cache.use(0, true);
    EXPECT_TRUE(cache.use(0, false).hit) << "a read leaves it dirty";
    cache.use(5, false);
    EXPECT_EQ(cache.use(10, false).written_back, 0u);
    EXPECT_EQ(cache.use(15, false).written_back, std::nullopt) << "5 was clean";
    EXPECT_EQ(cache.use(0, false).written_back, std::nullopt);
}

TEST_F(L2CacheTest, AProbeAllocatesNothing) {
    EXPECT_EQ(cache.use_if_held(0), std::nullopt);
    EXPECT_FALSE(cache.holds(0));
    cache.use(0, false);
    cache.use(5, false);
    EXPECT_NE(cache.use_if_held(0), std::nullopt) << "and counts as a use";
    cache.use(10, false);
    EXPECT_TRUE(cache.holds(0));
    cache.clear();
    EXPECT_FALSE(cache.holds(0));
}

TEST(InterleavedChannels, AChannelServesOneAccessAfterTheOther) {
    InterleavedChannels one({1, BytesPerCycle(32), Cycles(3), Cycles(0)});
    EXPECT_EQ(one.reserve(0, Cycles(10), Bytes(512)).first, Cycles(10));
    EXPECT_EQ(one.reserve(0, Cycles(10), Bytes(512)).first, Cycles(10 + 16 + 3));
    EXPECT_EQ(one.reserve(7, Cycles(10), Bytes(512)).first, Cycles(10 + 2 * (16 + 3)));
    one.reset();
    EXPECT_EQ(one.reserve(0, Cycles(10), Bytes(512)).first, Cycles(10));
}

TEST(InterleavedChannels, AnAccessToALineUnderWayCostsMore) {
    InterleavedChannels one({1, BytesPerCycle(32), Cycles(3), Cycles(5)});
    one.reserve(0, Cycles(10), Bytes(32));
    one.reserve(7, Cycles(10), Bytes(32));
    one.reserve(0, Cycles(10), Bytes(32)); // 4 + 4 + 9 cycles so far
    EXPECT_EQ(one.reserve(9, Cycles(10), Bytes(32)).first, Cycles(10 + 17));
    one.reserve(0, Cycles(27), Bytes(32)); // the one before has just ended
    EXPECT_EQ(one.reserve(9, Cycles(50), Bytes(32)).first, Cycles(50));
    one.reserve(7, Cycles(100), Bytes(32));
    EXPECT_EQ(one.reserve(7, Cycles(104), Bytes(32)).until, Cycles(108)) << "long over";
}

TEST(InterleavedChannels, AHeldChannelBeginsLater) {
    InterleavedChannels two({2, BytesPerCycle(32), Cycles(0), Cycles(0)});
    two.hold(0, Cycles(50));
    two.hold(0, Cycles(40)); // changes nothing
    EXPECT_EQ(two.reserve(0, Cycles(10), Bytes(32)).first, Cycles(50));
    std::uint64_t other = 1;
    while (other < 16 && two.reserve(other, Cycles(10), Bytes(32)).first != Cycles(10)) ++other;
    EXPECT_LT(other, 16u) << "the other channel is not held";
    two.reset();
    EXPECT_EQ(two.reserve(0, Cycles(0), Bytes(32)).first, Cycles(0));
}

TEST(InterleavedChannels, AQueueHasRoomWhenItsOldestEntryHasLeft) {
    ChannelsConfig config{1, BytesPerCycle(32), Cycles(0), Cycles(0)};
    config.queue_entries = 2;
    InterleavedChannels one(config);
    EXPECT_EQ(one.enqueue(0, Cycles(30)), Cycles(0));
    EXPECT_EQ(one.enqueue(7, Cycles(40)), Cycles(0));
    EXPECT_EQ(one.enqueue(0, Cycles(50)), Cycles(30));
    EXPECT_EQ(one.enqueue(0, Cycles(60)), Cycles(40));
    one.reset();
    EXPECT_EQ(one.enqueue(0, Cycles(10)), Cycles(0));
}

TEST(InterleavedChannels, StridesSpreadOverAllChannels) {
    for (const std::uint64_t stride : {1u, 2u, 8u, 32u, 48u, 64u, 1024u}) {
        InterleavedChannels channels({32, BytesPerCycle(32), Cycles(0), Cycles(0)});
        std::int64_t last = 0;
        const std::int64_t lines = 4096;
        for (std::int64_t i = 0; i < lines; ++i) {
            const std::uint64_t line = stride * static_cast<std::uint64_t>(i);
            last = std::max(last, channels.reserve(line, Cycles(0), Bytes(kLine)).until.count());
        }
        EXPECT_LT(last, 1.25 * static_cast<double>(lines) * 16 / 32) << "stride " << stride;
    }
}

class MemorySystemTest : public testing::Test {
protected:
    MemorySystem memory{small_l2(), slow_hbm()};
};

TEST_F(MemorySystemTest, AMissTakesHbmAndLeavesTheLine) {
    EXPECT_EQ(memory.read(Cycles(10), 0, Bytes(512)), Cycles(10 + 100 + 200));
    EXPECT_EQ(memory.read(Cycles(1000), 0, Bytes(512)), Cycles(1000 + 100));
    EXPECT_EQ(memory.traffic().l2_read_misses, 1);
    EXPECT_EQ(memory.traffic().l2_read_hits, 1);
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(512));
}

TEST_F(MemorySystemTest, ALineThatIsBeingFetchedComesWithItsFirstReader) {
    EXPECT_EQ(memory.read(Cycles(10), 0, Bytes(512)), Cycles(310));
    EXPECT_EQ(memory.read(Cycles(20), 0, Bytes(512)), Cycles(310));
    EXPECT_EQ(memory.read(Cycles(250), 0, Bytes(512)), Cycles(350));
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(512));
    memory.write(Cycles(400), 512, Bytes(512));
    EXPECT_EQ(memory.read(Cycles(410), 512, Bytes(512)), Cycles(510)) << "nothing is fetched";
}

TEST_F(MemorySystemTest, ASectorFetchesItsLine) {
    memory.read(Cycles(0), 0, Bytes(128));
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(512));
    EXPECT_EQ(memory.read(Cycles(1000), 128, Bytes(128)), Cycles(1100));
}

TEST_F(MemorySystemTest, PiecesOffTheSectorsCostALineEachAndLeaveNothing) {
    memory.read(Cycles(0), 2, Bytes(510));
    memory.read(Cycles(0), 0, Bytes(2));
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(2 * 512));
    EXPECT_EQ(memory.traffic().l2_read_hits, 0);
    memory.read(Cycles(1000), 0, Bytes(512));
    memory.read(Cycles(2000), 2, Bytes(510));
    EXPECT_EQ(memory.traffic().l2_read_hits, 1) << "the line is there now";
}

TEST_F(MemorySystemTest, ReadsWithoutTheCacheCostTheirBytes) {
    memory.disable_l2(512, 512);
    memory.read(Cycles(0), 512, Bytes(128));
    memory.read(Cycles(1000), 512, Bytes(128));
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(256));
    EXPECT_EQ(memory.traffic().l2_read_hits, 0);
    memory.write(Cycles(2000), 512, Bytes(512));
    memory.read(Cycles(3000), 512, Bytes(128));
    EXPECT_EQ(memory.traffic().l2_read_hits, 1) << "L2 has the newer data";
    memory.read(Cycles(4000), 1024, Bytes(128));
    EXPECT_EQ(memory.traffic().hbm_read, Bytes(256 + 512)) << "the next line is an ordinary one";
}

TEST_F(MemorySystemTest, WritesAreAbsorbedUntilTheirLineMakesRoom) {
    EXPECT_EQ(memory.write(Cycles(10), 0, Bytes(512)), Cycles(11 + 30)) << "not held yet";
    EXPECT_EQ(memory.write(Cycles(10), 0, Bytes(512)), Cycles(15)) << "the slice is busy";
    memory.read(Cycles(100), 5 * kLine, Bytes(512));
    EXPECT_EQ(memory.traffic().hbm_written, Bytes(0));
    // The dirty line goes out before the new one comes in: 16 cycles of data and 3 of access.
    EXPECT_EQ(memory.read(Cycles(1000), 10 * kLine, Bytes(512)), Cycles(1000 + 19 + 300));
    EXPECT_EQ(memory.traffic().hbm_written, Bytes(512));
}

TEST_F(MemorySystemTest, AWriteWaitsForRoomInTheQueueOfHbm) {
    for (std::uint64_t line : {0u, 1u}) { // a dirty and a clean line in each of two sets
        memory.write(Cycles(0), line * kLine, Bytes(512));
        memory.read(Cycles(100), (line + 5) * kLine, Bytes(512));
    }
    // HBM has two lines to fetch, 19 cycles each, before it takes a dirty one.
    memory.read(Cycles(1000), 2 * kLine, Bytes(512));
    memory.read(Cycles(1000), 3 * kLine, Bytes(512));
    EXPECT_EQ(memory.write(Cycles(1000), 10 * kLine, Bytes(512)), Cycles(1000 + 1 + 30))
        << "the queue has one place";
    EXPECT_EQ(memory.write(Cycles(1001), 11 * kLine, Bytes(512)), Cycles(1000 + 2 * 19 + 1 + 30));
    EXPECT_EQ(memory.traffic().hbm_written, Bytes(2 * 512));
    EXPECT_EQ(memory.write(Cycles(2000), 15 * kLine, Bytes(512)), Cycles(2000 + 1 + 30))
        << "the line that it replaces was only read";
}

TEST_F(MemorySystemTest, AccessesWaitBehindReadsThatFillTheirSlice) {
    memory.write(Cycles(0), 0, Bytes(512));
    memory.disable_l2(8 * kLine, 4 * kLine);
    const auto read_past = [this](std::uint64_t line) {
        memory.read(Cycles(1000), line * kLine, Bytes(512));
    };
    read_past(8); // HBM takes it at once
    EXPECT_EQ(memory.write(Cycles(1000), 0, Bytes(512)), Cycles(1001));
    read_past(9); // HBM takes it at 1019
    read_past(10);
    EXPECT_EQ(memory.write(Cycles(1005), 0, Bytes(512)), Cycles(1019 + 1));
    EXPECT_EQ(memory.read(Cycles(1006), 0, Bytes(512)), Cycles(1019 + 4 + 100));
    memory.reset();
    EXPECT_EQ(memory.write(Cycles(0), 0, Bytes(512)), Cycles(1 + 30));
}

TEST_F(MemorySystemTest, ManyReadersOfALineWaitForItsSlice) {
    memory.preload(0, 512);
    for (std::int64_t reader = 0; reader < 4; ++reader)
        EXPECT_EQ(memory.read(Cycles(10), 0, Bytes(512)), Cycles(10 + 100 + 4 * reader));
}

TEST_F(MemorySystemTest, ResetBringsBackWhatTheHostHasCopied) {
    memory.preload(0, 512);
    for (std::uint64_t line = 0; line < 64; ++line) memory.read(Cycles(0), line * 512, Bytes(512));
    memory.reset();
    EXPECT_EQ(memory.traffic().l2_read_hits, 0);
    EXPECT_EQ(memory.read(Cycles(0), 0, Bytes(512)), Cycles(100));
    EXPECT_EQ(memory.read(Cycles(100), 512, Bytes(512)), Cycles(100 + 300));
}

TEST_F(MemorySystemTest, TheHostLeavesNothingOfADisabledRange) {
    memory.disable_l2(512, 512);
    memory.preload(0, 1536);
    memory.reset();
    memory.read(Cycles(0), 0, Bytes(512));
    memory.read(Cycles(0), 1024, Bytes(512));
    EXPECT_EQ(memory.traffic().l2_read_hits, 2);
    memory.read(Cycles(0), 512, Bytes(512));
    EXPECT_EQ(memory.traffic().l2_read_misses, 1);
}

TEST(MemorySystem, MayBeginWithNothing) {
    L2Config config = small_l2();
    config.at_reset = L2AtReset::nothing;
    MemorySystem memory(config, slow_hbm());
    memory.preload(0, 512);
    memory.read(Cycles(0), 0, Bytes(512));
    EXPECT_EQ(memory.traffic().l2_read_misses, 1);
}

} // namespace
} // namespace aicore
