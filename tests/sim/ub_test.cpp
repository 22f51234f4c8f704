// UB: its banks, and how the Vector unit, MTE2 and MTE3 share them.
#include "hw/mem/ub_buffer.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

constexpr std::uint64_t kRow = 32;
constexpr std::uint64_t kGroups = 16 * kRow; ///< one row of every group
constexpr std::uint64_t kBank = 64 * 1024;   ///< where the next bank of each group begins

BankConfig bank_config() { return {16, 3, Bytes(32)}; }

class UbBanksTest : public ::testing::Test {
protected:
    /// "" when the row is taken, else the owner in the way.
    std::string take(std::int64_t now, std::uint64_t address, bool write, int owner) {
        const auto winner = banks.take(Cycles(now), address / kRow, write, owner);
        return winner ? std::to_string(*winner) : "";
    }
    UbBanks banks{bank_config(), Bytes(192 * 1024)};
};

TEST_F(UbBanksTest, AGroupServesOneReadAndOneWriteInDifferentBanks) {
    EXPECT_EQ(take(0, 0, false, 1), "");
    EXPECT_EQ(take(0, kBank, true, 0), "");
    EXPECT_EQ(take(0, 2 * kBank, false, 2), "1") << "a second read of the group";
    EXPECT_EQ(take(0, 2 * kBank, true, 3), "0") << "a second write of the group";
    EXPECT_EQ(take(1, 2 * kBank, false, 2), "") << "free again in the next cycle";
}

TEST_F(UbBanksTest, ReadAndWriteOfOneBankTakeTurns) {
    EXPECT_EQ(take(5, 0, true, 0), "");
    EXPECT_EQ(take(5, kGroups, false, 1), "0");
    EXPECT_EQ(take(5, kGroups + kRow, false, 1), "") << "the next group";
}

TEST_F(UbBanksTest, ResetFreesEverything) {
    take(0, 0, true, 0);
    banks.reset();
    EXPECT_EQ(take(0, 0, false, 1), "");
}

class UbTest : public SimTest {
protected:
    void SetUp() override {
        bench.connect(ub);
        dst.isock.socket.bind(ub.vector_dst_tsock);
        src0.isock.socket.bind(ub.vector_src0_tsock);
        src1.isock.socket.bind(ub.vector_src1_tsock);
        mte2.isock.socket.bind(ub.mte2_tsock);
        mte3.isock.socket.bind(ub.mte3_tsock);
        ub.on_conflict = [this](Cycles now, UbBuffer::Port loser, UbBuffer::Port winner) {
            conflicts += std::to_string(now.count()) + ":" + UbBuffer::name_of(loser) + "<" +
                         UbBuffer::name_of(winner) + " ";
        };
    }
    InitiatorProtocol::ResponseHandler note(const char* name) {
        return [this, name](void*, const sc_core::sc_time& delay) {
            const auto until =
                bench.now() + static_cast<std::int64_t>(delay.value() / bench.period.value());
            responses += std::string(name) + "@" + std::to_string(until) + " ";
        };
    }

    ClockBench bench;
    UbBuffer ub{"ub", {Bytes(192 * 1024), Bytes(0), Bytes(32)}, bank_config(), 0xa5};
    std::string responses, conflicts;
    TestInitiator<2048> dst{"dst", note("dst")}, src0{"src0", note("src0")},
        src1{"src1", note("src1")}, mte2{"mte2", note("mte2")}, mte3{"mte3", note("mte3")};
    std::array<std::uint8_t, 256> in{}, out0{}, out1{};
};

TEST_F(UbTest, OperandsInDifferentGroupsAreReadInOneCycle) {
    bench.at(10, [this] {
        src1.read(kBank + 8 * kRow, out1.data(), 256);
        src0.read(0, out0.data(), 256);
    });
    bench.run();
    EXPECT_EQ(responses, "src0@11 src1@11 ");
    EXPECT_EQ(conflicts, "");
    EXPECT_EQ(out0[0], 0xa5);
}

TEST_F(UbTest, OperandsInOneGroupTakeTurnsInTheOrderOfThePorts) {
    bench.at(10, [this] {
        src1.read(kBank, out1.data(), 256);
        src0.read(0, out0.data(), 256);
    });
    bench.run();
    EXPECT_EQ(responses, "src0@11 src1@12 ");
    EXPECT_EQ(conflicts, "10:vector_src1<vector_src0 ");
}

TEST_F(UbTest, AResultWinsOverAnOperandThatHasWaited) {
    bench.at(10, [this] {
        src0.read(0, out0.data(), 32);
        src1.read(2 * kBank, out1.data(), 32); // group 0 as well: waits for cycle 11
    });
    bench.at(11, [this] { dst.write(2 * kBank, in.data(), 32); });
    bench.run();
    EXPECT_EQ(responses, "src0@11 dst@12 src1@13 ");
    EXPECT_EQ(conflicts, "10:vector_src1<vector_src0 11:vector_src1<vector_dst ");
}

TEST_F(UbTest, BlocksThatAreFreeDoNotWaitForThoseThatAreNot) {
    bench.at(10, [this] {
        dst.write(kRow, in.data(), 32);
        src0.read(0, out0.data(), 64); // its second block shares the bank of the result
    });
    bench.at(11, [this] { src1.read(kBank, out1.data(), 32); }); // group 0 is free again
    bench.run();
    EXPECT_EQ(responses, "dst@11 src0@12 src1@12 ");
}

TEST_F(UbTest, MteTrafficComesAfterTheVectorUnit) {
    bench.at(10, [this] {
        mte3.read(0, out1.data(), 256);
        mte2.write(kBank, in.data(), 256);
        src0.read(2 * kBank, out0.data(), 256);
        dst.write(2 * kBank + 8 * kRow, in.data(), 256);
    });
    bench.run();
    EXPECT_EQ(responses, "dst@11 mte2@11 src0@11 mte3@12 ");
    EXPECT_EQ(conflicts, "10:mte3<vector_src0 ");
}

TEST_F(UbTest, APortMoves256BytesInACycle) {
    std::array<std::uint8_t, 512> line{};
    bench.at(10, [&] { mte2.write(0, line.data(), 512); });
    bench.at(20, [&] { mte3.read(0, line.data(), 257); });
    bench.run();
    EXPECT_EQ(responses, "mte2@12 mte3@22 ");
}

TEST_F(UbTest, AReadSeesWhatWasWrittenInAnEarlierCycle) {
    in.fill(0x11);
    bench.at(10, [this] {
        dst.write(0, in.data(), 32);
        src0.read(kBank, out0.data(), 32);
    });
    bench.at(11, [this] { src0.read(0, out0.data(), 32); });
    bench.run();
    EXPECT_EQ(out0[0], 0x11);
    EXPECT_EQ(out0[31], 0x11);
}

} // namespace
} // namespace aicore::test
