// The bus interface of an AI Core on global memory: paths, rates, order, reset.
#include "hw/mem/bus_interface.h"

#include "hw/mem/global_memory.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <vector>

namespace aicore::test {
namespace {

using List = std::vector<std::int64_t>;
constexpr std::int64_t kSize = std::int64_t(1) << 30;
constexpr std::int64_t kL2Latency = 120;
constexpr std::int64_t kPath = 86; ///< latency of the way to MTE2
constexpr std::int64_t kPathL0 = 44;

MemoriesConfig memories() {
    MemoriesConfig config = default_platform().memories;
    config.gm.size_bytes = Bytes(kSize);
    config.l2.slices = {4096, BytesPerCycle(65536), Cycles(0),
                        Cycles(0)}; // nobody waits for a slice here
    return config;
}

class BusInterfaceTest : public SimTest {
protected:
    void SetUp() override {
        bench.connect(gm);
        bench.connect(biu);
        biu.gm_isock.bind(gm.tsocks[0]);
        mte2.isock.socket.bind(biu.tsocks[0]);
        mte2_l0.isock.socket.bind(biu.tsocks[1]);
        fixpipe.isock.socket.bind(biu.tsocks[2]);
        mte3.isock.socket.bind(biu.tsocks[3]);
        gm.timing().preload(0, 1 << 20);
    }
    static LinkConfig link(std::int64_t rate, std::int64_t latency) {
        LinkConfig config;
        config.bytes_per_cycle = BytesPerCycle(rate);
        config.latency_cycles = Cycles(latency);
        return config;
    }
    InitiatorProtocol::ResponseHandler note(List& list) {
        return [this, &list](void*, const sc_core::sc_time& delay) {
            list.push_back(bench.now() +
                           static_cast<std::int64_t>(delay.value() / bench.period.value()));
        };
    }

    ClockBench bench;
    GlobalMemory gm{"gm", memories(), 1};
    BusInterface biu{"biu", {{0, true, link(168, kPath)}, {0, true, link(128, kPathL0)}, {}, {}}};
    List reads, writes;
    TestInitiator<4096> mte2{"mte2", note(reads)}, mte2_l0{"mte2_l0", note(reads)},
        fixpipe{"fixpipe", note(writes)}, mte3{"mte3", note(writes)};
    std::array<std::uint8_t, 512> buffer{};
};

TEST_F(BusInterfaceTest, LoneReadTakesLatencyAndBandwidth) {
    bench.at(10, [this] { mte2.read(0, buffer.data(), 1); });
    bench.at(300, [this] { mte2.read(0, buffer.data(), 512); });
    bench.run();
    EXPECT_EQ(reads, (List{10 + 206 + 1, 300 + 206 + 4}));
}

TEST_F(BusInterfaceTest, ReadsForL0HaveALinkOfTheirOwnButNoRateOfTheirOwn) {
    bench.at(10, [this] {
        mte2_l0.read(0, buffer.data(), 512);
        mte2_l0.read(512, buffer.data(), 512);
    });
    bench.at(300, [this] { mte2_l0.read(0, buffer.data(), 512); });
    bench.at(300 + 164 - 206, [this] { mte2.read(0, buffer.data(), 512); });
    bench.run();
    // The two that meet at GM move one after the other.
    const std::int64_t meet = 300 + 164;
    EXPECT_EQ(reads, (List{10 + 164 + 4, 10 + 164 + 8, meet + 4, meet + 8}));
}

TEST_F(BusInterfaceTest, BurstsOverlapTheirLatencyAndShareTheBandwidth) {
    bench.at(10, [this] {
        for (std::uint64_t burst = 0; burst < 64; ++burst)
            mte2.read(512 * burst, buffer.data(), 512);
    });
    bench.run();
    ASSERT_EQ(reads.size(), 64u);
    for (std::int64_t burst = 1; burst <= 64; ++burst) {
        EXPECT_EQ(reads[static_cast<std::size_t>(burst - 1)],
                  10 + 206 + ceil_div(burst * 512, 168));
    }
}

TEST_F(BusInterfaceTest, PaceOfTheInitiatorIsALowerBound) {
    bench.at(10, [this] {
        for (int burst = 0; burst < 3; ++burst) mte2.read(0, buffer.data(), 32, Cycles(4));
    });
    bench.run();
    EXPECT_EQ(reads, (List{220, 224, 228}));
}

TEST_F(BusInterfaceTest, WritesAreAbsorbedInOneCycleAndDoNotSlowReads) {
    bench.at(10, [this] {
        mte2.read(0, buffer.data(), 512);
        for (std::uint64_t i = 8; i < 12; ++i) fixpipe.write(512 * i, buffer.data(), 512);
        mte3.write(8192, buffer.data(), 512);
    });
    bench.run();
    EXPECT_EQ(writes, List(5, 11));
    EXPECT_EQ(reads, List{220});
    EXPECT_EQ(mte2.pool.outstanding() + fixpipe.pool.outstanding() + mte3.pool.outstanding(), 0u);
}

TEST_F(BusInterfaceTest, ReadSeesWhatWasWrittenBeforeItArrived) {
    std::array<std::uint8_t, 4> early{}, late{}, ones{1, 1, 1, 1};
    bench.at(10, [&] { mte2.read(0, early.data(), 4); });
    bench.at(11, [&] { mte3.write(0, ones.data(), 4); });
    bench.at(12, [&] { mte2.read(0, late.data(), 4); });
    bench.run();
    EXPECT_EQ(early, (std::array<std::uint8_t, 4>{}));
    EXPECT_EQ(late, ones);
}

TEST_F(BusInterfaceTest, ReadsTellTheirTransfer) {
    std::vector<List> transfers;
    biu.on_read_transfer = [&](int, Cycles first, Cycles until, Bytes bytes) {
        transfers.push_back({first.count(), until.count(), bytes.count()});
    };
    bench.at(10, [this] {
        mte2.read(0, buffer.data(), 512);
        fixpipe.write(8192, buffer.data(), 512);
        mte2.read(512, buffer.data(), 512);
    });
    bench.run();
    EXPECT_EQ(transfers, (std::vector<List>{{216, 220, 512}, {220, 223, 512}}));
}

TEST_F(BusInterfaceTest, UntimedAccessBeforeTheFirstCycleAndAcrossPages) {
    std::vector<std::uint8_t> data(3 << 20), back(3 << 20);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<std::uint8_t>(i * 7 + i / 4096);
    const std::uint64_t address = (5 << 20) - 100;
    EXPECT_EQ(gm.load(address, data.data(), data.size()), data.size());
    EXPECT_EQ(gm.dump(address, back.data(), back.size()), back.size());
    EXPECT_EQ(back, data);
    EXPECT_EQ(gm.dump(100, back.data(), 8), 8u);
    EXPECT_EQ(back[0], 0) << "never written";
    EXPECT_EQ(gm.load(kSize - 3, data.data(), 8), 3u) << "up to the end of the memory";
    EXPECT_EQ(gm.load(kSize, data.data(), 8), 0u);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST_F(BusInterfaceTest, RefusesDmi) {
    bench.run(1);
    for (auto* initiator : {&mte2, &fixpipe, &mte3}) {
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(initiator->isock.socket->get_direct_mem_ptr(payload, dmi));
    }
}

TEST_F(BusInterfaceTest, TellsWhatGlobalMemoryRefuses) {
    std::vector<std::string> errors;
    biu.on_error = [&](const std::string& message) { errors.push_back(message); };
    bench.at(10, [this] { mte2.read(kSize, buffer.data(), 512); });
    bench.at(20, [this] {
        Access access = Access::write(0, buffer.data(), 8);
        access.byte_enable = buffer.data();
        access.byte_enable_length = 8;
        mte3.isock.start(access);
    });
    bench.run();
    EXPECT_EQ(errors, (std::vector<std::string>{
                          "global memory answers TLM_ADDRESS_ERROR_RESPONSE to 512 bytes at "
                          "address 1073741824",
                          "global memory answers TLM_BYTE_ENABLE_ERROR_RESPONSE to 8 bytes at "
                          "address 0"}));
    EXPECT_EQ(biu.outstanding(), 0u);
}

TEST_F(BusInterfaceTest, ResetKeepsTheContentAndFreesTheLink) {
    buffer.fill(3);
    bench.at(5, [this] { fixpipe.write(0, buffer.data(), 512); });
    bench.at(6, [this] {
        for (int burst = 0; burst < 100; ++burst) mte2.read(0, buffer.data(), 512);
    });
    bench.run(20);
    bench.at(5, [this] { mte2.read(0, buffer.data(), 512); });
    bench.run();
    EXPECT_EQ(reads, List{5 + 210});
    EXPECT_EQ(mte2.pool.outstanding() + biu.outstanding(), 0u);
    EXPECT_EQ(gm.dump(0, buffer.data(), 1), 1u);
    EXPECT_EQ(buffer[0], 3);
}

} // namespace
} // namespace aicore::test
