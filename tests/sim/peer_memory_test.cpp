// The GM of another chip behind the HCCS link: what copies bring and take, and how long they do.
#include "hw/mem/bus_interface.h"
#include "hw/mem/global_memory.h"
#include "tests/support/clock_bench.h"
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"
#include "tests/support/program_test.h"
#include "tests/support/test_initiator.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

ByteVector pattern(std::size_t bytes, unsigned seed) {
    ByteVector data(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        data[i] = static_cast<std::uint8_t>(seed + i * 37 + i / 256);
    return data;
}

std::uint64_t peer_address(const Platform& platform) {
    return static_cast<std::uint64_t>(platform.memories.hccs.peer_address.count());
}

// ---- a lone core -------------------------------------------------------------------------------

class PeerCopyTiming : public SimTest {
protected:
    /// Cycles more than a copy of one line to or from the own GM: the latency there and back, and
    /// the bytes at the rate of the link, which is less than that of any other part of the way.
    std::int64_t expected_extra(std::int64_t bytes) const {
        return 2 * hccs.latency_cycles.count() + ceil_div(bytes, hccs.bytes_per_cycle.count());
    }

    CoreBench bench;
    const HccsConfig& hccs = bench.platform().memories.hccs;
    const std::uint64_t peer = peer_address(bench.platform());
};

TEST_F(PeerCopyTiming, ALoadTakesTheLinkInAddition) {
    const ByteVector data = pattern(16384, 1);
    bench.simulation().chip().gm().load(peer, data.data(), data.size());
    const std::int64_t own = bench.alone({load_l1(512)}).front();
    for (const std::int64_t bytes : {512, 4096, 16384}) {
        EXPECT_EQ(bench.alone({load_l1(bytes, peer)}).front(), own + expected_extra(bytes))
            << bytes;
        const auto count = static_cast<std::size_t>(bytes);
        EXPECT_EQ(bench.peek(Buffer::L1, 0, count), ByteVector(data.begin(), data.begin() + bytes));
    }
}

TEST_F(PeerCopyTiming, ThePeersHbmAnswersWhatItsL2DoesNotHold) {
    const std::int64_t held = bench.alone({load_l1(512)}).front() + expected_extra(512);
    const Cycles hbm = bench.platform().memories.hbm.latency_cycles;
    EXPECT_EQ(bench.alone({load_l1(512, peer), load_l1(512, peer)}),
              (std::vector<std::int64_t>{held + hbm.count(), held}))
        << "from there on the peer's L2 holds the line, the own one does not";
}

TEST_F(PeerCopyTiming, AStoreIsCompleteWhenTheLinkHasTakenIt) {
    const ByteVector data = pattern(4096, 5);
    const LinkConfig& out = bench.platform().links.l1_to_gm;
    const std::int64_t first_line =
        out.latency_cycles.count() + ceil_div(512, out.bytes_per_cycle.count());
    for (const std::int64_t bytes : {512, 2048, 4096, 65536}) {
        EXPECT_EQ(bench.alone({store_l1(bytes, 0, peer)}).front(),
                  first_line + ceil_div(bytes, hccs.bytes_per_cycle.count()))
            << bytes;
    }
    ProgramList program;
    program.add(store_l1(4096, 0, peer + 512));
    bench.reset();
    bench.poke(Buffer::L1, 0, data);
    EXPECT_EQ(bench.simulation().run(program), tb::RunOutcome::finished);
    EXPECT_EQ(bench.peek(Buffer::GM, peer + 512, data.size()), data);
    EXPECT_EQ(bench.peek(Buffer::GM, 512, data.size()), ByteVector(data.size(), 0))
        << "nothing of it is in the own GM";
}

TEST_F(PeerCopyTiming, AnUnalignedMatrixArrivesAsFractals) {
    const ByteVector data = pattern(16384, 9);
    bench.simulation().chip().gm().load(peer, data.data(), data.size());
    Nd2Nz rows;
    rows.src_addr = peer + 300;
    rows.elem_bytes = 2;
    rows.n_value = rows.dst_nz_c0_stride = 16;
    rows.d_value = 16;
    rows.src_d_value = 251;
    bench.alone({rows});
    for (std::size_t row = 0; row < 16; ++row) {
        const auto first = data.begin() + static_cast<std::ptrdiff_t>(300 + row * 502);
        EXPECT_EQ(bench.peek(Buffer::L1, row * 32, 32), ByteVector(first, first + 32)) << row;
    }
}

// ---- several cores -----------------------------------------------------------------------------

class PeerPrograms : public ProgramTest {
protected:
    std::int64_t cycles_of(const std::string& cores) {
        EXPECT_EQ(run(cores), tb::RunOutcome::finished);
        return length.front();
    }
    std::string copy_in(const std::string& core) const {
        return "  " + core + ": [{op: data_copy, src: GM, src_addr: " + text(peer) +
               " + core * 16384, dst: UB, dst_addr: 0, block_len: 512}]\n";
    }
    std::string copy_out(const std::string& core) const {
        return "  " + core +
               ": [{op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: " + text(peer) +
               " + 131072 + core * 4096, block_len: 128}]\n";
    }
    static std::string text(std::uint64_t address) { return std::to_string(address); }

    const std::uint64_t peer = peer_address(simulation.platform());
    const std::int64_t rate = simulation.platform().memories.hccs.bytes_per_cycle.count();
};

TEST_F(PeerPrograms, CoresShareTheLink) {
    load(peer, pattern(65536, 3));
    const std::int64_t one = cycles_of(copy_in("aiv0"));
    const auto expected = [&](std::int64_t cores, std::int64_t bytes) {
        return ceil_div(cores * bytes, rate) - ceil_div(bytes, rate);
    };
    EXPECT_EQ(cycles_of(copy_in("aiv0") + copy_in("aiv1")) - one, expected(2, 16384));
    EXPECT_EQ(cycles_of(copy_in("aiv0") + copy_in("aiv2")) - one, expected(2, 16384))
        << "of two AI Cores";
    EXPECT_EQ(cycles_of(copy_in("aiv")) - one, expected(4, 16384));
    const std::int64_t out = cycles_of(copy_out("aiv0"));
    EXPECT_EQ(cycles_of(copy_out("aiv")) - out, expected(4, 4096));
}

TEST_F(PeerPrograms, CopiesInAndOutDoNotWaitForOneAnother) {
    load(peer, pattern(65536, 3));
    const std::int64_t in = cycles_of(copy_in("aiv0"));
    const std::int64_t out = cycles_of(copy_out("aiv1"));
    EXPECT_EQ(cycles_of(copy_in("aiv0") + copy_out("aiv1")), std::max(in, out));
}

TEST_F(PeerPrograms, RowsOffTheLinesGoToAndFro) {
    const ByteVector data = pattern(4096, 7);
    load(peer + 509, data);
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy_pad, src: GM, src_addr: )" +
                  text(peer + 509) + R"(, dst: UB, dst_addr: 0,
       block_count: 3, block_len: 1001, src_gap: 6}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy_pad, src: UB, src_addr: 0, dst: GM, dst_addr: )" +
                  text(peer + 10001) + R"(,
       block_count: 3, block_len: 1001, dst_gap: 50}
)"),
              tb::RunOutcome::finished);
    for (std::size_t row = 0; row < 3; ++row) {
        const auto first = data.begin() + static_cast<std::ptrdiff_t>(row * 1007);
        EXPECT_EQ(dump(peer + 10001 + row * 1051, 1001), ByteVector(first, first + 1001)) << row;
        EXPECT_EQ(dump(peer + 10001 + row * 1051 + 1001, 50), ByteVector(50, 0));
    }
    const MemoryTraffic traffic = simulation.chip().gm().traffic();
    EXPECT_EQ(traffic.hccs_read, Bytes(3 * 1001));
    EXPECT_EQ(traffic.hccs_written, Bytes(3 * 1001));
    EXPECT_EQ(traffic.l2_read_hits + traffic.l2_read_misses, 0) << "of the own chip";
}

TEST_F(PeerPrograms, ALoadThatIsLaterSeesWhatWasStored) {
    load(0, pattern(512, 1));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 0, block_len: 16}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: )" +
                  text(peer) + R"(, block_len: 16}
    - {sync: [MTE3, MTE2], event: 0}
    - {op: data_copy, src: GM, src_addr: )" +
                  text(peer) + R"(, dst: UB, dst_addr: 512, block_len: 16}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(ub(512, 512), pattern(512, 1));
}

// ---- transactions ------------------------------------------------------------------------------

class PeerTransactions : public SimTest {
protected:
    void SetUp() override {
        bench.connect(gm);
        bench.connect(biu);
        biu.gm_isock.bind(gm.tsocks[0]);
        reader.isock.socket.bind(biu.tsocks[0]);
        writer.isock.socket.bind(biu.tsocks[1]);
    }

    const Platform platform = default_platform();
    const std::uint64_t peer = peer_address(platform);
    const std::uint64_t end =
        peer + static_cast<std::uint64_t>(platform.memories.gm.size_bytes.count());
    ClockBench bench;
    GlobalMemory gm{"gm", platform.memories, 1};
    BusInterface biu{"biu", {{0, true, platform.links.gm_to_l1}, {}}};
    std::vector<std::int64_t> reads;
    TestInitiator<4096> reader{
        "reader", [this](void*, const sc_core::sc_time&) { reads.push_back(bench.now()); }},
        writer{"writer", [](void*, const sc_core::sc_time&) {}};
    std::array<std::uint8_t, 512> buffer{};
};

TEST_F(PeerTransactions, WhatThePeerRefuses) {
    std::vector<std::string> errors;
    biu.on_error = [&](const std::string& message) { errors.push_back(message); };
    bench.at(10, [this] { reader.read(end - 256, buffer.data(), 512); });
    bench.at(20, [this] { reader.read(peer - 512, buffer.data(), 512); });
    bench.at(30, [this] {
        Access access = Access::write(peer, buffer.data(), 8);
        access.atomic = {AtomicOperation::add, AtomicElement::float32, false};
        writer.isock.start(access);
    });
    bench.run();
    const auto refused = [](const std::string& answer, int bytes, std::uint64_t address) {
        return "global memory answers " + answer + " to " + std::to_string(bytes) +
               " bytes at address " + std::to_string(address);
    };
    EXPECT_EQ(errors,
              (std::vector<std::string>{refused("TLM_ADDRESS_ERROR_RESPONSE", 512, end - 256),
                                        refused("TLM_ADDRESS_ERROR_RESPONSE", 512, peer - 512),
                                        refused("TLM_COMMAND_ERROR_RESPONSE", 8, peer)}));
    EXPECT_EQ(biu.outstanding(), 0u);
}

TEST_F(PeerTransactions, UntimedAccessEndsWithTheMemory) {
    bench.run(1);
    buffer.fill(7);
    EXPECT_EQ(gm.load(end - 3, buffer.data(), 8), 3u);
    EXPECT_EQ(gm.load(end, buffer.data(), 8), 0u);
    EXPECT_EQ(gm.load(peer - 8, buffer.data(), 16), 0u) << "a hole";
    EXPECT_EQ(gm.dump(peer, buffer.data(), 512), 512u);
    EXPECT_EQ(buffer[0], 0) << "never written";
    EXPECT_EQ(gm.dump(end - 3, buffer.data(), 8), 3u);
    EXPECT_EQ(buffer[2], 7);
}

TEST_F(PeerTransactions, WithoutALinkEveryAddressIsOfTheOwnGm) {
    MemoriesConfig config = platform.memories;
    config.hccs.bytes_per_cycle = BytesPerCycle(0);
    GlobalMemory lone("lone", config, 0);
    bench.connect(lone);
    bench.run(1);
    for (const std::uint64_t address : {peer, ~std::uint64_t{0}}) {
        EXPECT_EQ(lone.load(address, buffer.data(), 8), 0u) << address;
        EXPECT_EQ(lone.dump(address, buffer.data(), 8), 0u) << address;
    }
}

TEST_F(PeerTransactions, AResetFreesTheLinkAndKeepsTheContent) {
    buffer.fill(3);
    gm.load(peer, buffer.data(), 512);
    bench.at(5, [this] { reader.read(peer, buffer.data(), 512); });
    bench.run(5000);
    ASSERT_EQ(reads.size(), 1u);
    const std::int64_t alone = reads.front() - 5;
    reads.clear();
    bench.at(5, [this] {
        writer.write(peer + 512, buffer.data(), 512);
        for (int burst = 0; burst < 100; ++burst) reader.read(peer, buffer.data(), 512);
    });
    bench.run(1000);
    EXPECT_TRUE(reads.empty()) << "all of them under way";
    bench.at(5, [this] { reader.read(peer, buffer.data(), 512); });
    bench.run(5000);
    EXPECT_EQ(reads, std::vector<std::int64_t>{5 + alone});
    EXPECT_EQ(gm.traffic().hccs_read, Bytes(512));
    EXPECT_EQ(gm.traffic().hccs_written, Bytes(0));
    EXPECT_EQ(gm.dump(peer + 512, buffer.data(), 1), 1u);
    EXPECT_EQ(buffer[0], 3) << "the write had arrived";
    EXPECT_EQ(reader.pool.outstanding() + writer.pool.outstanding() + biu.outstanding(), 0u);
}

} // namespace
} // namespace aicore::test
