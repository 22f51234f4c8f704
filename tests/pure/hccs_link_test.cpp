// The link to another chip's memory without a simulation: latency, both directions, their sharing.
#include "hw/mem/hccs_link.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

constexpr std::int64_t kLine = 512;
constexpr std::int64_t kL2 = 100, kHbm = 200;
constexpr std::int64_t kLatency = 1000, kRate = 10;

L2Config l2() {
    L2Config config;
    config.size_bytes = Bytes(1024 * kLine);
    config.ways = 2;
    config.sector_bytes = Bytes(128);
    config.latency_cycles = Cycles(kL2);
    config.slices = {1, BytesPerCycle(kLine), Cycles(0), Cycles(0)};
    return config;
}

HbmConfig hbm() {
    HbmConfig config;
    config.latency_cycles = Cycles(kHbm);
    config.channels = {1, BytesPerCycle(kLine), Cycles(0), Cycles(0)};
    return config;
}

/// Cycles that `bytes` take to cross.
std::int64_t crossing(std::int64_t bytes) { return ceil_div(bytes, kRate); }

class HccsLinkTest : public testing::Test {
protected:
    std::int64_t read(std::int64_t now, std::int64_t line, std::int64_t bytes = kLine) {
        return link.read(Cycles(now), address(line), Bytes(bytes)).count();
    }
    std::int64_t write(std::int64_t now, std::int64_t line, std::int64_t bytes = kLine) {
        return link.write(Cycles(now), address(line), Bytes(bytes)).count();
    }
    static std::uint64_t address(std::int64_t line) {
        return static_cast<std::uint64_t>(line * kLine);
    }

    MemorySystem peer{l2(), hbm()};
    HccsLink link{{BytesPerCycle(kRate), Cycles(kLatency), Bytes(0)}, peer};
};

TEST_F(HccsLinkTest, AReadGoesThereAndComesBack) {
    EXPECT_EQ(read(10, 0), 10 + 2 * kLatency + kL2 + kHbm + crossing(kLine));
    EXPECT_EQ(read(5000, 0), 5000 + 2 * kLatency + kL2 + crossing(kLine)) << "the peer's L2 has it";
    EXPECT_EQ(read(9000, 0, 32), 9000 + 2 * kLatency + kL2 + crossing(32));
    EXPECT_EQ(peer.traffic().l2_read_hits, 2);
}

TEST_F(HccsLinkTest, AWriteIsAcknowledgedByTheLink) {
    EXPECT_EQ(write(10, 0), 10 + crossing(kLine));
    EXPECT_EQ(write(5000, 1, 32), 5000 + crossing(32));
    EXPECT_EQ(read(9000, 0), 9000 + 2 * kLatency + kL2 + crossing(kLine)) << "the peer's L2 has it";
}

TEST_F(HccsLinkTest, ReadsShareTheWayIn) {
    peer.preload(0, 64 * kLine);
    const std::int64_t first_data = 10 + 2 * kLatency + kL2;
    for (std::int64_t line = 0; line < 64; ++line)
        EXPECT_EQ(read(10, line), first_data + crossing((line + 1) * kLine)) << line;
}

TEST_F(HccsLinkTest, WritesShareTheWayOut) {
    for (std::int64_t line = 0; line < 64; ++line)
        EXPECT_EQ(write(10, line), 10 + crossing((line + 1) * kLine)) << line;
}

TEST_F(HccsLinkTest, TheTwoWaysDoNotWaitForOneAnother) {
    peer.preload(0, 64 * kLine);
    for (std::int64_t i = 0; i < 32; ++i) {
        const std::int64_t now = 10 + 60 * i; // longer than a line takes to cross
        EXPECT_EQ(read(now, i), now + 2 * kLatency + kL2 + crossing(kLine));
        EXPECT_EQ(write(now + 10, 32 + i), now + 10 + crossing(kLine));
    }
}

TEST_F(HccsLinkTest, DataComeInTheOrderOfTheirRequests) {
    peer.preload(0, kLine);
    const std::int64_t fetched = 10 + 2 * kLatency + kL2 + kHbm + crossing(kLine);
    EXPECT_EQ(read(10, 7), fetched);
    EXPECT_EQ(read(11, 0), 10 + 2 * kLatency + kL2 + kHbm + crossing(2 * kLine))
        << "what the peer's L2 holds waits for what HBM has to bring";
}

TEST_F(HccsLinkTest, CountsItsBytesAndForgetsAtAReset) {
    for (std::int64_t line = 0; line < 100; ++line) {
        read(10, line);
        write(10, line, 32);
    }
    EXPECT_EQ(link.bytes_read(), Bytes(100 * kLine));
    EXPECT_EQ(link.bytes_written(), Bytes(3200));
    link.reset();
    peer.reset();
    EXPECT_EQ(link.bytes_read() + link.bytes_written(), Bytes(0));
    EXPECT_EQ(write(10, 0), 10 + crossing(kLine));
    EXPECT_EQ(read(20, 0), 20 + 2 * kLatency + kL2 + crossing(kLine));
}

} // namespace
} // namespace aicore
