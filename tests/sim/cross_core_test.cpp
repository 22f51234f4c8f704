// Flags between cores: modes, counters, order of construction.
#include "hw/sync/cross_core_flags.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"

#include <string>
#include <vector>

namespace aicore::test {
namespace {

constexpr std::int64_t kLatency = 5;

/// Two AI Cores of one cube core and two vector cores: 0 aic0, 1 aiv0, 2 aiv1, 3 aic1, 4 aiv2, 5
/// aiv3.
std::vector<CrossCoreFlags::Place> two_ai_cores() {
    return {{"aic0", true, 0}, {"aiv0", false, 0}, {"aiv1", false, 0},
            {"aic1", true, 1}, {"aiv2", false, 1}, {"aiv3", false, 1}};
}

/// Notes when it is woken.
struct Waiter : sc_core::sc_module {
    sc_core::sc_event wake{"wake"};
    std::int64_t woken = -1; ///< cycle

    SC_HAS_PROCESS(Waiter);
    Waiter(const sc_core::sc_module_name& name, const CycleClock& clock)
        : sc_module(name), clock_(clock) {
        SC_METHOD(on_wake);
        sensitive << wake;
        dont_initialize();
    }
    void on_wake() { woken = clock_.now().count(); }

    const CycleClock& clock_;
};

class CrossCoreTest : public SimTest {
protected:
    void SetUp() override { bench.connect(flags); }
    void set_at(std::int64_t cycle, int core, int mode, int id) {
        bench.at(cycle, [=] { flags.set(core, mode, id, 12, {7, 1}); });
    }
    /// Counters of `id`, one digit for each core, as seen in `cycle`.
    void note_counts(std::int64_t cycle, int id, std::string& text) {
        bench.at(cycle, [=, &text] {
            text.clear();
            for (int core = 0; core < 6; ++core) text += std::to_string(flags.count(core, id));
        });
    }

    ClockBench bench;
    CrossCoreFlags flags{"flags", Cycles(kLatency), two_ai_cores()};
};

TEST_F(CrossCoreTest, TheCubeCoreTellsItsOwnVectorCores) {
    std::string before, after;
    set_at(10, 3, 2, 4);
    note_counts(10 + kLatency - 1, 4, before);
    note_counts(10 + kLatency, 4, after);
    bench.run();
    EXPECT_EQ(before, "000000");
    EXPECT_EQ(after, "000011");
}

TEST_F(CrossCoreTest, BothVectorCoresMustTellTheCubeCore) {
    std::string one, both;
    set_at(10, 1, 2, 0);
    note_counts(30, 0, one);
    set_at(40, 2, 2, 0);
    note_counts(60, 0, both);
    bench.run();
    EXPECT_EQ(one, "000000");
    EXPECT_EQ(both, "100000");
}

TEST_F(CrossCoreTest, Mode0JoinsTheWholeGridOfOneKind) {
    std::string early, cubes, vectors;
    set_at(10, 1, 0, 14);
    set_at(10, 2, 0, 14);
    set_at(10, 4, 0, 14);
    note_counts(30, 14, early);
    set_at(31, 5, 0, 14);
    note_counts(50, 14, vectors);
    set_at(60, 0, 0, 11);
    set_at(61, 3, 0, 11);
    note_counts(80, 11, cubes);
    bench.run();
    EXPECT_EQ(early, "000000");
    EXPECT_EQ(vectors, "011011");
    EXPECT_EQ(cubes, "100100");
}

TEST_F(CrossCoreTest, CoresOutsideTheGridAreNotWaitedFor) {
    flags.set_grid({true, true, true, false, false, false});
    std::string counts;
    set_at(10, 1, 0, 3);
    set_at(10, 2, 0, 3);
    note_counts(30, 3, counts);
    bench.run();
    EXPECT_EQ(counts, "011000");
}

TEST_F(CrossCoreTest, Mode1JoinsTheVectorCoresOfOneAiCore) {
    std::string counts;
    set_at(10, 4, 1, 5);
    set_at(12, 5, 1, 5);
    note_counts(30, 5, counts);
    bench.run();
    EXPECT_EQ(counts, "000011");
}

TEST_F(CrossCoreTest, EachWaitTakesOne) {
    std::vector<bool> taken;
    set_at(10, 0, 2, 1);
    set_at(20, 0, 2, 1);
    bench.at(40, [&] {
        for (int i = 0; i < 3; ++i) taken.push_back(flags.take(1, 1));
    });
    bench.run();
    EXPECT_EQ(taken, (std::vector<bool>{true, true, false}));
}

TEST_F(CrossCoreTest, AWaiterWakesOneEdgeAfterTheCount) {
    Waiter waiter("waiter", bench.clock);
    set_at(10, 0, 2, 9);
    bench.at(12, [&] { flags.wake_when_counted(2, 9, waiter.wake); });
    bench.run();
    EXPECT_EQ(waiter.woken, 10 + kLatency);
}

TEST_F(CrossCoreTest, TheSixteenthCountIsAnErrorThatNamesBoth) {
    std::string message;
    flags.on_overflow = [&](int, const std::string& text) { message = text; };
    for (int i = 0; i < 16; ++i) set_at(10 + i, 0, 2, 2);
    std::string counts;
    note_counts(60, 2, counts);
    bench.run();
    EXPECT_EQ(counts, "0" + std::to_string(kMostCrossCoreCount) +
                          std::to_string(kMostCrossCoreCount) + "000");
    EXPECT_NE(message.find("cross-core flag 2 of aiv1 exceeds 15: set by aic0 at line 7"),
              std::string::npos)
        << message;
}

TEST_F(CrossCoreTest, EachChangeOfACounterIsTold) {
    std::string told;
    flags.on_change = [&](Cycles now, int core, int id, int count,
                          const CrossCoreFlags::History* set) {
        told += std::to_string(now.count()) + ": core " + std::to_string(core) + " flag " +
                std::to_string(id) + " = " + std::to_string(count);
        if (set != nullptr) {
            told += " by " + std::to_string(set->instruction) + " of " + std::to_string(set->core);
        }
        told += "; ";
    };
    set_at(10, 0, 2, 3);
    bench.at(20, [this] { EXPECT_TRUE(flags.take(2, 3)); });
    bench.at(21, [this] { EXPECT_FALSE(flags.take(2, 3)); });
    bench.run();
    // Seen from cycle 15 on.
    EXPECT_EQ(told, "14: core 1 flag 3 = 1 by 12 of 0; 14: core 2 flag 3 = 1 by 12 of 0; "
                    "20: core 2 flag 3 = 0; ");
}

TEST_F(CrossCoreTest, AWaitMakesRoomForACountOfItsEdge) {
    std::string message;
    flags.on_overflow = [&](int, const std::string& text) { message = text; };
    for (int i = 0; i < 16; ++i) set_at(10 + i, 0, 2, 2);
    for (const int core : {1, 2}) {
        bench.at(25 + kLatency - 1, [=] { EXPECT_TRUE(flags.take(core, 2)); });
    }
    bench.run();
    EXPECT_EQ(message, "");
    EXPECT_EQ(flags.count(1, 2), kMostCrossCoreCount);
    EXPECT_TRUE(flags.is_drained());
}

TEST_F(CrossCoreTest, ResetClearsCountersAndWhatIsUnderWay) {
    std::string counts;
    set_at(10, 0, 2, 1);
    bench.at(11, [this] { bench.rst_n.write(false); });
    bench.run();
    EXPECT_EQ(flags.collected(0, 1), 0);
    bench.rst_n.write(true);
    sc_core::sc_start(bench.period * 50);
    EXPECT_EQ(flags.count(1, 1), 0);
}

} // namespace
} // namespace aicore::test
