// L0C: who waits for whom at its banks, and the unit flags of its blocks.
#include "hw/mem/l0c_buffer.h"
#include "hw/mem/l0c_unit_flags.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

using List = std::vector<std::int64_t>;

class L0cTest : public SimTest {
protected:
    void SetUp() override {
        bench.connect(l0c);
        cube.isock.socket.bind(l0c.cube_tsock);
        fixpipe.isock.socket.bind(l0c.fixpipe_tsock);
        l0c.on_conflict = [this](Cycles from, Cycles cycles) {
            EXPECT_EQ(cycles, Cycles(1));
            conflicts.push_back(from.count());
        };
    }
    void cube_reads(std::int64_t cycle, std::size_t bytes = 1024) {
        bench.at(cycle, [this, bytes] { cube.read(0, cube_data.data(), bytes); });
    }
    void fixpipe_reads(std::int64_t cycle, std::uint64_t address = 1024, std::size_t bytes = 1024,
                       Cycles pace = Cycles(0)) {
        bench.at(cycle, [=] { fixpipe.read(address, fixpipe_data.data(), bytes, pace); });
    }

    ClockBench bench;
    L0cBuffer l0c{"l0c", {Bytes(128 * 1024), Bytes(0), Bytes(64)}, {16, Bytes(64)}, 0xa5};
    TestInitiator<8192> cube{"cube"};
    TestInitiator<2048> fixpipe{
        "fixpipe", [this](void*, const sc_core::sc_time&) { done.push_back(bench.now()); }};
    std::array<std::uint8_t, 1024> cube_data{}, fixpipe_data{};
    List done, conflicts;
};

TEST_F(L0cTest, FractalTakesFourBeats) {
    fixpipe_reads(10);
    fixpipe_reads(20, 1024, 256);
    fixpipe_reads(30, 1024, 320);
    fixpipe_reads(40, 1024, 1024, Cycles(9));
    bench.run();
    EXPECT_EQ(done, (List{14, 21, 32, 49}));
    EXPECT_EQ(conflicts, List{});
}

TEST_F(L0cTest, BeatIsRepeatedWhenTheCubeReads) {
    fixpipe_reads(10);
    cube_reads(12);
    bench.run();
    EXPECT_EQ(done, List{15});
    EXPECT_EQ(conflicts, List{12});
}

TEST_F(L0cTest, EachReadOfTheCubeCostsOneBeat) {
    fixpipe_reads(10);
    for (std::int64_t cycle : {9, 10, 11, 12, 13, 14, 20}) cube_reads(cycle);
    bench.run();
    EXPECT_EQ(conflicts, (List{10, 11, 12, 13, 14}));
    EXPECT_EQ(done, List{19});
}

TEST_F(L0cTest, OrderOfTheProcessesOfAnEdgeDoesNotMatter) {
    cube_reads(10);
    fixpipe_reads(10); // runs after the cube's process
    fixpipe_reads(30);
    cube_reads(30); // runs before it
    bench.run();
    EXPECT_EQ(done, (List{15, 35}));
    EXPECT_EQ(conflicts, (List{10, 30}));
}

TEST_F(L0cTest, CubeReadAtTheEndOfABurstIsTooLate) {
    fixpipe_reads(10);
    cube_reads(14);
    bench.run();
    EXPECT_EQ(done, List{14});
    EXPECT_EQ(conflicts, List{});
}

TEST_F(L0cTest, LastBeatCanConflictToo) {
    fixpipe_reads(10);
    cube_reads(13);
    cube_reads(14);
    bench.run();
    EXPECT_EQ(conflicts, (List{13, 14}));
    EXPECT_EQ(done, List{16});
}

TEST_F(L0cTest, CubeReadOfOtherBanksDoesNotMatter) {
    fixpipe_reads(10, 1024);
    cube_reads(10, 256); // banks 0..3, where the first beat is
    fixpipe_reads(20, 1024);
    cube_reads(21, 256); // the second beat is in banks 4..7
    bench.run();
    EXPECT_EQ(done, (List{15, 24}));
    EXPECT_EQ(conflicts, List{10});
}

TEST_F(L0cTest, CubeWritesDoNotDisturb) {
    fixpipe_reads(10);
    bench.at(11, [this] { cube.write(0, cube_data.data(), 1024); });
    bench.at(9, [this] { cube.write(0, cube_data.data(), 1024, bench.period * 3); });
    bench.run();
    EXPECT_EQ(done, List{14});
}

TEST_F(L0cTest, BurstSeesWhatLandedBeforeItsEnd) {
    cube_data.fill(7);
    bench.at(9, [this] { cube.write(1024, cube_data.data(), 1024, bench.period * 5); }); // 14
    fixpipe_reads(10);
    bench.run(30);
    EXPECT_EQ(fixpipe_data[0], 0xa5);
    fixpipe_reads(31);
    bench.run(40);
}

TEST_F(L0cTest, DmiIsRefused) {
    bench.run(1);
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(cube.isock.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_FALSE(fixpipe.isock.socket->get_direct_mem_ptr(payload, dmi));
}

TEST_F(L0cTest, ResetDropsTheBurst) {
    fixpipe_reads(10, 1024, 1024, Cycles(500));
    bench.run(20);
    EXPECT_EQ(fixpipe.pool.outstanding(), 1u);
    fixpipe_reads(5);
    bench.run(50);
    EXPECT_EQ(fixpipe.pool.outstanding(), 0u);
    EXPECT_EQ(done, List{9});
}

class UnitFlagsTest : public SimTest {
protected:
    /// Notes the cycles in which a waiter is woken.
    struct Waiter : sc_core::sc_module {
        SC_HAS_PROCESS(Waiter);
        Waiter(const sc_core::sc_module_name& name, const CycleClock& cycle_clock)
            : sc_module(name), clock(cycle_clock) {
            SC_METHOD(on_wake);
            sensitive << wake;
            dont_initialize();
        }
        void on_wake() { woken.push_back(clock.now().count()); }

        const CycleClock& clock;
        sc_core::sc_event wake{"wake"};
        List woken;
    };

    void SetUp() override {
        bench.connect(flags);
        flags.on_change = [this](Cycles at, int block, bool value) {
            changes +=
                std::to_string(block) + (value ? "=1@" : "=0@") + std::to_string(at.count()) + " ";
        };
    }
    void set(std::int64_t cycle, std::int64_t due, int block, bool value = true, int count = 1) {
        bench.at(cycle, [=] { flags.write_at(Cycles(due), block, count, value, 1, {}); });
    }
    void wait_for(std::int64_t cycle, int block, bool value = true) {
        bench.at(cycle, [=] { flags.wake_when(block, value, waiter.wake); });
    }

    ClockBench bench;
    L0cUnitFlags flags{"flags", 256};
    Waiter waiter{"waiter", bench.clock};
    std::string changes;
};

TEST_F(UnitFlagsTest, ChangeIsSeenFromTheNextEdgeOn) {
    std::map<std::int64_t, bool> seen;
    const auto look = [&](std::int64_t cycle) {
        bench.at(cycle, [&, cycle] { seen[cycle] = flags.read(3); });
    };
    for (std::int64_t cycle : {9, 10}) look(cycle);
    set(5, 10, 3);
    look(11);
    look(20);
    set(20, 20, 3, false); // in this very cycle
    look(20);
    look(21);
    bench.run();
    EXPECT_FALSE(seen[9]);
    EXPECT_FALSE(seen[10]);
    EXPECT_TRUE(seen[11]);
    EXPECT_TRUE(seen[20]);
    EXPECT_FALSE(seen[21]);
    EXPECT_EQ(changes, "3=1@10 3=0@20 ");
}

TEST_F(UnitFlagsTest, WaiterWakesAtTheFirstEdgeThatSeesTheValue) {
    set(2, 10, 0);
    wait_for(5, 0); // before
    set(20, 20, 1);
    wait_for(20, 1); // at the edge of the change, after it
    wait_for(30, 2);
    set(30, 30, 2); // and before it
    wait_for(40, 0, false);
    set(45, 45, 0, false); // waiting for zero
    bench.run();
    EXPECT_EQ(waiter.woken, (List{11, 21, 31, 46}));
}

TEST_F(UnitFlagsTest, WaiterSleepsOnWhenAnotherBlockOrValueComes) {
    wait_for(5, 8);
    set(6, 6, 7);
    set(7, 7, 9);
    set(8, 8, 8, false);
    set(9, 9, 8);
    bench.run();
    EXPECT_EQ(waiter.woken, List{10});
}

TEST_F(UnitFlagsTest, ScheduledChangesComeInOrderOfTheirCycle) {
    set(5, 30, 0, true, 2);
    set(6, 20, 4, true, 2);
    set(7, 25, 0, true);
    bench.run();
    EXPECT_EQ(changes, "4=1@20 5=1@20 0=1@25 1=1@30 ");
}

TEST_F(UnitFlagsTest, HistoryNamesTheInstruction) {
    bench.at(5, [this] { flags.write_at(Cycles(8), 3, 2, true, 17, {42, 1}); });
    bench.at(10, [this] { flags.write_at(Cycles(10), 3, 1, false, 18, {43, 1}); });
    bench.run();
    EXPECT_EQ(flags.last_set(3).at, Cycles(8));
    EXPECT_EQ(flags.last_set(4).instruction, 17u);
    EXPECT_EQ(flags.last_set(4).place.line, 42);
    EXPECT_EQ(flags.last_cleared(3).at, Cycles(10));
    EXPECT_EQ(flags.last_cleared(3).instruction, 18u);
    EXPECT_EQ(flags.last_cleared(4).at, Cycles(-1));
    EXPECT_EQ(flags.last_set(5).at, Cycles(-1));
}

TEST_F(UnitFlagsTest, ClearAllAndReset) {
    set(1, 1, 0, true, 256);
    bench.at(5, [this] { flags.clear_all(9, {}); });
    set(8, 8, 100);
    set(8, 500, 101);
    bench.at(7, [this] {
        for (int block = 0; block < flags.blocks(); ++block)
            EXPECT_FALSE(flags.read(block)) << block;
    });
    bench.run(20);
    EXPECT_TRUE(flags.read(100));
    changes.clear();
    bench.run(600);
    EXPECT_FALSE(flags.read(100));
    EXPECT_EQ(changes, "") << "the change of cycle 500 is gone";
}

} // namespace
} // namespace aicore::test
