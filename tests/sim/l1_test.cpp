// L1: its banks, and how bursts of several engines share them.
#include "hw/mem/l1_buffer.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

constexpr std::uint64_t kHalf = 256 * 1024; ///< where the second bank of each group begins
constexpr std::uint64_t kRow = 32;

BankConfig bank_config() { return {8, 2, Bytes(32)}; }

class BanksTest : public ::testing::Test {
protected:
    /// first:until:conflict of a burst.
    std::string reserve(std::int64_t now, std::uint64_t address, std::int64_t bytes, bool write,
                        int owner) {
        const L1Banks::Slot slot = banks.reserve(Cycles(now), address, Bytes(bytes), write, owner);
        return std::to_string(slot.first.count()) + ":" + std::to_string(slot.until.count()) + ":" +
               std::to_string(slot.conflict.count());
    }
    L1Banks banks{bank_config(), Bytes(512 * 1024)};
};

TEST_F(BanksTest, BeatsAreTheRowsOfTheFullestBank) {
    EXPECT_EQ(reserve(0, 0, 1, false, 0), "0:1:0");
    EXPECT_EQ(reserve(10, 0, 32, false, 0), "10:11:0");
    EXPECT_EQ(reserve(20, 0, 256, false, 0), "20:21:0");
    EXPECT_EQ(reserve(30, 0, 257, false, 0), "30:32:0");
    EXPECT_EQ(reserve(40, 0, 512, false, 0), "40:42:0");
    EXPECT_EQ(reserve(50, 16, 512, false, 0), "50:53:0") << "17 rows when it begins inside one";
    EXPECT_EQ(reserve(60, kHalf - 256, 512, false, 0), "60:62:0") << "two reads of each group";
}

TEST_F(BanksTest, ReadAndWriteOfDifferentHalvesDoNotMeet) {
    EXPECT_EQ(reserve(5, 0, 512, true, 0), "5:7:0");
    EXPECT_EQ(reserve(5, kHalf, 512, false, 1), "5:7:0");
}

TEST_F(BanksTest, ReadAndWriteOfOneBankTakeTurns) {
    EXPECT_EQ(reserve(5, 0, 512, true, 0), "5:7:0");
    EXPECT_EQ(reserve(5, 1024, 512, false, 1), "7:9:2");
}

TEST_F(BanksTest, TwoReadsOfOneGroupTakeTurnsEvenInDifferentBanks) {
    EXPECT_EQ(reserve(5, 0, 512, false, 0), "5:7:0");
    EXPECT_EQ(reserve(5, kHalf, 512, false, 1), "7:9:2");
    EXPECT_EQ(reserve(20, 0, 512, true, 0), "20:22:0");
    EXPECT_EQ(reserve(21, kHalf, 512, true, 1), "22:24:1");
}

TEST_F(BanksTest, DifferentGroupsDoNotMeet) {
    EXPECT_EQ(reserve(5, 0, 32, true, 0), "5:6:0");
    EXPECT_EQ(reserve(5, kRow, 32, true, 1), "5:6:0");
    EXPECT_EQ(reserve(5, 8 * kRow, 32, true, 2), "6:7:1") << "group 0 again";
}

TEST_F(BanksTest, WaitingForOneselfIsNoConflict) {
    EXPECT_EQ(reserve(5, 0, 512, false, 3), "5:7:0");
    EXPECT_EQ(reserve(5, 0, 512, false, 3), "7:9:0");
    EXPECT_EQ(reserve(6, 0, 512, true, 4), "9:11:3");
    EXPECT_EQ(reserve(6, 0, 512, false, 3), "11:13:2") << "the two cycles of owner 4";
}

TEST_F(BanksTest, ResetFreesEverything) {
    reserve(0, 0, 4096, true, 0);
    banks.reset();
    EXPECT_EQ(reserve(0, 0, 32, true, 1), "0:1:0");
}

class L1Test : public SimTest {
protected:
    using Port = L1Buffer::Port;

    void SetUp() override {
        bench.connect(l1);
        for (int port = 0; port < L1Buffer::kPorts; ++port) {
            initiators.push_back(std::make_unique<TestInitiator<2048>>(
                ("initiator" + std::to_string(port)).c_str(),
                [this, port](void*, const sc_core::sc_time& delay) {
                    const auto cycles =
                        static_cast<std::int64_t>(delay.value() / bench.period.value());
                    done[static_cast<std::size_t>(port)].push_back(bench.now() + cycles);
                }));
        }
        initiators[Port::kMte2]->isock.socket.bind(l1.mte2_tsock);
        initiators[Port::kFixpipe]->isock.socket.bind(l1.fixpipe_tsock);
        initiators[Port::kMte1]->isock.socket.bind(l1.mte1_tsock);
        initiators[Port::kMte3]->isock.socket.bind(l1.mte3_tsock);
        l1.on_conflict = [this](Port port, Cycles from, Cycles cycles) {
            conflicts += std::to_string(port) + "@" + std::to_string(from.count()) + "+" +
                         std::to_string(cycles.count()) + " ";
        };
    }
    void read(int port, std::int64_t cycle, std::uint64_t address, Cycles pace = Cycles(0)) {
        bench.at(cycle, [=] {
            initiators[static_cast<std::size_t>(port)]->read(address, buffer.data(), 512, pace);
        });
    }
    void write(int port, std::int64_t cycle, std::uint64_t address) {
        bench.at(cycle, [=] {
            initiators[static_cast<std::size_t>(port)]->write(address, ones.data(), 512);
        });
    }
    using List = std::vector<std::int64_t>;

    ClockBench bench;
    L1Buffer l1{"l1", {Bytes(512 * 1024), Bytes(256), Bytes(32)}, bank_config(), 0xa5};
    std::vector<std::unique_ptr<TestInitiator<2048>>> initiators;
    std::array<List, L1Buffer::kPorts> done; ///< cycles in which accesses were complete
    std::string conflicts;
    std::array<std::uint8_t, 512> buffer{};
    std::array<std::uint8_t, 512> ones = [] {
        std::array<std::uint8_t, 512> data{};
        data.fill(1);
        return data;
    }();
};

TEST_F(L1Test, BurstsInDifferentHalvesOverlap) {
    write(Port::kMte2, 10, 0);
    read(Port::kMte1, 10, kHalf);
    bench.run();
    EXPECT_EQ(done[Port::kMte2], List{12});
    EXPECT_EQ(done[Port::kMte1], List{12});
    EXPECT_EQ(conflicts, "");
}

TEST_F(L1Test, PortsOfOneEdgeAreServedInTheOrderOfTheirPriority) {
    read(Port::kMte3, 10, 0);
    read(Port::kMte1, 10, 0);
    write(Port::kFixpipe, 10, 0);
    write(Port::kMte2, 10, 0);
    bench.run();
    EXPECT_EQ(done[Port::kMte2], List{12});
    EXPECT_EQ(done[Port::kFixpipe], List{14});
    EXPECT_EQ(done[Port::kMte1], List{16});
    EXPECT_EQ(done[Port::kMte3], List{18});
    EXPECT_EQ(conflicts, "1@10+2 2@10+4 3@10+6 ");
}

TEST_F(L1Test, EarlierBurstsComeFirstWhateverTheirPort) {
    read(Port::kMte3, 10, 0);
    write(Port::kMte2, 11, 0);
    bench.run();
    EXPECT_EQ(done[Port::kMte3], List{12});
    EXPECT_EQ(done[Port::kMte2], List{14});
    EXPECT_EQ(conflicts, "0@11+1 ");
}

TEST_F(L1Test, PaceOfTheInitiatorDelaysTheAnswerButNotTheBanks) {
    read(Port::kMte1, 10, 0, Cycles(16));
    write(Port::kMte2, 11, 0);
    bench.run();
    EXPECT_EQ(done[Port::kMte1], List{26});
    EXPECT_EQ(done[Port::kMte2], List{14});
}

TEST_F(L1Test, WriteIsSeenByBurstsThatEndAfterIt) {
    std::array<std::uint8_t, 512> early{}, late{};
    write(Port::kMte2, 10, kHalf); // over at 12
    bench.at(10,
             [&] { initiators[Port::kMte1]->read(kHalf, early.data(), 32); });  // after it: 12..13
    bench.at(40, [&] { initiators[Port::kMte1]->read(0, late.data(), 512); });  // 40..42
    bench.at(41, [&] { initiators[Port::kMte2]->write(0, ones.data(), 512); }); // 42..44
    bench.run();
    EXPECT_EQ(early[0], 1);
    EXPECT_EQ(late[0], 0xa5);
    EXPECT_EQ(done[Port::kMte1], (List{13, 42}));
    EXPECT_EQ(done[Port::kMte2], (List{12, 44}));
}

TEST_F(L1Test, DirectionsOfThePorts) {
    bench.run(1);
    const auto refused = [this](int port, bool is_write) {
        const ScopedExpectedReport expected(sc_core::SC_FATAL, "TLM_COMMAND_ERROR_RESPONSE");
        TestInitiator<2048>& initiator = *initiators[static_cast<std::size_t>(port)];
        EXPECT_THROW(is_write ? initiator.write(0, ones.data(), 32)
                              : initiator.read(0, buffer.data(), 32),
                     sc_core::sc_report);
    };
    refused(Port::kMte2, false);
    refused(Port::kMte1, true);
    refused(Port::kMte3, true);
}

TEST_F(L1Test, DmiIsRefusedOnEveryPort) {
    bench.run(1);
    for (const auto& initiator : initiators) {
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(initiator->isock.socket->get_direct_mem_ptr(payload, dmi));
    }
}

TEST_F(L1Test, ResetDropsBurstsAndFreesBanks) {
    for (int i = 0; i < 8; ++i) read(Port::kMte1, 10, 0, Cycles(100));
    bench.run(20);
    EXPECT_EQ(initiators[Port::kMte1]->pool.outstanding(), 8u);
    write(Port::kMte2, 0, 0);
    bench.run(100);
    EXPECT_EQ(initiators[Port::kMte1]->pool.outstanding(), 0u);
    EXPECT_EQ(done[Port::kMte1], List{});
    EXPECT_EQ(done[Port::kMte2], List{2});
}

} // namespace
} // namespace aicore::test
