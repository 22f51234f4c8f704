// On-chip buffers: data lands at its cycle and is seen from the next one on.
#include "hw/mem/sram.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <map>
#include <random>
#include <vector>

namespace aicore::test {
namespace {

using ByteVector = std::vector<std::uint8_t>;
constexpr std::uint8_t kPowerOn = 0xa5;

class Storage : public ::testing::Test {
protected:
    void write(std::int64_t now, std::int64_t due, std::uint64_t address, const ByteVector& data,
               const ByteVector& enable = {}) {
        storage.write(Cycles(now), Cycles(due), address, data.data(), data.size(),
                      enable.empty() ? nullptr : enable.data(), enable.size());
    }
    ByteVector read(std::int64_t now, std::uint64_t address, std::size_t bytes) {
        ByteVector data(bytes);
        storage.read(Cycles(now), address, data.data(), bytes);
        return data;
    }

    SramStorage storage{Bytes(8192), kPowerOn};
};

TEST_F(Storage, WriteIsSeenFromTheCycleAfterItLands) {
    write(10, 15, 100, {1, 2, 3});
    for (std::int64_t cycle : {10, 14, 15}) {
        EXPECT_EQ(read(cycle, 100, 3), ByteVector(3, kPowerOn)) << cycle;
    }
    EXPECT_EQ(read(16, 99, 5), (ByteVector{kPowerOn, 1, 2, 3, kPowerOn}));
}

TEST_F(Storage, WriteOfThisCycleIsNotSeenInIt) {
    write(10, 10, 0, {7});
    EXPECT_EQ(read(10, 0, 1), ByteVector{kPowerOn});
    EXPECT_EQ(read(11, 0, 1), ByteVector{7});
}

TEST_F(Storage, LandsInOrderOfDueAndThenOfIssue) {
    write(1, 30, 0, {30});
    write(2, 20, 0, {20}); // handed over later, lands earlier
    write(3, 25, 0, {25});
    write(4, 25, 0, {26}); // same cycle: the later call wins
    EXPECT_EQ(read(20, 0, 1), ByteVector{kPowerOn});
    EXPECT_EQ(read(21, 0, 1), ByteVector{20});
    EXPECT_EQ(read(26, 0, 1), ByteVector{26});
    EXPECT_EQ(read(31, 0, 1), ByteVector{30});
}

TEST_F(Storage, ByteEnablesRepeatOverTheData) {
    const ByteVector data{1, 2, 3, 4, 5, 6, 7};
    write(0, 0, 0, data, {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_DISABLED});
    EXPECT_EQ(read(1, 0, 7), (ByteVector{1, kPowerOn, kPowerOn, 4, kPowerOn, kPowerOn, 7}));
}

TEST_F(Storage, ByteEnablesOfALongWriteKeepTheirPhase) {
    ByteVector data(3000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i);
    ByteVector enable(7, TLM_BYTE_ENABLED); // no divisor of any power of two
    enable[5] = TLM_BYTE_DISABLED;
    write(0, 0, 64, data, enable);
    ByteVector expected = data;
    for (std::size_t i = 5; i < data.size(); i += 7) expected[i] = kPowerOn;
    EXPECT_EQ(read(1, 64, 3000), expected);
}

TEST_F(Storage, DebugAccessSeesWhatHasLandedByNow) {
    write(5, 8, 0, {1});
    ByteVector data(1);
    storage.debug_read(Cycles(7), 0, data.data(), 1);
    EXPECT_EQ(data[0], kPowerOn);
    storage.debug_read(Cycles(8), 0, data.data(), 1);
    EXPECT_EQ(data[0], 1);
}

TEST_F(Storage, ResetForgetsDataAndWhatHasNotLanded) {
    write(0, 0, 0, {1});
    write(1, 50, 1, {2});
    EXPECT_EQ(read(2, 0, 1), ByteVector{1});
    storage.reset();
    EXPECT_EQ(read(100, 0, 2), ByteVector(2, kPowerOn));
}

TEST_F(Storage, ConditionalReadMovesNothingWhenNothingChanged) {
    ByteVector data(512);
    std::uint64_t version = storage.read(Cycles(0), 512, data.data(), 512, 0);
    EXPECT_NE(version, 0u) << "0 says that the reader holds nothing";
    data[0] = 99; // the reader's own copy is left alone
    EXPECT_EQ(storage.read(Cycles(1), 512, data.data(), 512, version), version);
    EXPECT_EQ(data[0], 99);
    write(2, 3, 1023, {1}); // the last byte of the row
    EXPECT_EQ(storage.read(Cycles(3), 512, data.data(), 512, version), version) << "not landed";
    EXPECT_NE(storage.read(Cycles(4), 512, data.data(), 512, version), version);
    EXPECT_EQ(data[0], kPowerOn);
    EXPECT_EQ(data[511], 1);
}

TEST_F(Storage, ConditionalReadsNeverGiveStaleBytes) {
    std::mt19937 random(5);
    SramStorage plain{Bytes(8192), kPowerOn}; // the same writes, read without conditions
    std::map<std::pair<std::uint64_t, std::size_t>, std::pair<ByteVector, std::uint64_t>> copies;
    for (std::int64_t now = 0; now < 4000; ++now) {
        const std::uint64_t address = random() % 16 * 480;
        const std::size_t bytes = 1 + random() % 900;
        ByteVector data(bytes, static_cast<std::uint8_t>(random()));
        if (now == 2000) {
            storage.reset();
            plain.reset();
        } else if (random() % 3 == 0) {
            const ByteVector enable{TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
            const Cycles due(now + static_cast<std::int64_t>(random() % 30));
            const std::uint8_t* pattern = random() % 2 == 0 ? enable.data() : nullptr;
            for (SramStorage* s : {&storage, &plain}) {
                s->write(Cycles(now), due, address, data.data(), bytes, pattern, enable.size());
            }
        } else if (random() % 20 == 0) {
            storage.debug_write(Cycles(now), address, data.data(), bytes);
            plain.debug_write(Cycles(now), address, data.data(), bytes);
        }
        const std::uint64_t from = random() % 12 * 512;
        const std::size_t size = random() % 2 == 0 ? 512 : 700;
        auto& [copy, version] = copies[{from, size}];
        copy.resize(size);
        version = storage.read(Cycles(now), from, copy.data(), size, version);
        ByteVector expected(size);
        plain.read(Cycles(now), from, expected.data(), size);
        ASSERT_EQ(copy, expected) << "cycle " << now;
    }
}

/// A buffer between two initiators.
class SramTest : public SimTest {
protected:
    void SetUp() override {
        bench.connect(sram);
        writer.isock.socket.bind(sram.write_tsock);
        reader.isock.socket.bind(sram.read_tsock);
    }
    static MemoryConfig config() { return {Bytes(4096), Bytes(0), Bytes(32)}; }

    ClockBench bench;
    Sram<64, 64> sram{"sram", config(), kPowerOn};
    TestInitiator<64> writer{"writer"}, reader{"reader"};
    std::array<std::uint8_t, 4> data{1, 2, 3, 4};
};

TEST_F(SramTest, AnnotatedWriteLandsAtItsCycleInAnyProcessOrder) {
    std::map<std::int64_t, std::array<std::uint8_t, 4>> seen;
    const auto look = [&](std::int64_t cycle) {
        bench.at(cycle, [&, cycle] { reader.read(0, seen[cycle].data(), 4); });
    };
    look(20);
    bench.at(20, [this] { writer.write(0, data.data(), 4, bench.period * 3); });
    look(20);
    for (std::int64_t cycle : {22, 23, 24}) look(cycle);
    bench.run();
    const std::array<std::uint8_t, 4> nothing{kPowerOn, kPowerOn, kPowerOn, kPowerOn};
    EXPECT_EQ(seen[20], nothing);
    EXPECT_EQ(seen[22], nothing);
    EXPECT_EQ(seen[23], nothing);
    EXPECT_EQ(seen[24], data);
    EXPECT_EQ(writer.pool.outstanding() + reader.pool.outstanding(), 0u);
}

TEST_F(SramTest, PortsKeepTheirDirection) {
    bench.run(1);
    {
        const ScopedExpectedReport expected(sc_core::SC_FATAL, "TLM_COMMAND_ERROR_RESPONSE");
        EXPECT_THROW(writer.read(0, data.data(), 4), sc_core::sc_report);
    }
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "TLM_COMMAND_ERROR_RESPONSE");
    EXPECT_THROW(reader.write(0, data.data(), 4), sc_core::sc_report);
}

TEST_F(SramTest, DmiIsRefused) {
    bench.run(1);
    for (TestInitiator<64>* initiator : {&writer, &reader}) {
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        payload.set_read();
        EXPECT_FALSE(initiator->isock.socket->get_direct_mem_ptr(payload, dmi));
        EXPECT_FALSE(payload.is_dmi_allowed());
    }
}

TEST_F(SramTest, DebugTransportTakesNoTimeAndWorksBeforeTimePasses) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    payload.set_write();
    payload.set_address(4094);
    EXPECT_EQ(writer.isock.socket->transport_dbg(payload), 2u) << "up to the end of the memory";
    std::array<std::uint8_t, 4> back{};
    payload.set_data_ptr(back.data());
    payload.set_read();
    payload.set_address(4093);
    EXPECT_EQ(reader.isock.socket->transport_dbg(payload), 3u);
    EXPECT_EQ(back, (std::array<std::uint8_t, 4>{kPowerOn, 1, 2, 0}));
    payload.set_address(4096);
    EXPECT_EQ(reader.isock.socket->transport_dbg(payload), 0u);
    payload.set_address(0);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(reader.isock.socket->transport_dbg(payload), 0u);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST_F(SramTest, ResetInTheMiddleOfARun) {
    bench.at(5, [this] { writer.write(0, data.data(), 4); });
    bench.at(9, [this] { writer.write(4, data.data(), 4, bench.period * 50); });
    bench.run(10);
    std::array<std::uint8_t, 8> seen{};
    bench.at(80, [&] { reader.read(0, seen.data(), 8); });
    bench.run(100);
    for (std::uint8_t byte : seen) EXPECT_EQ(byte, kPowerOn);
}

} // namespace
} // namespace aicore::test
