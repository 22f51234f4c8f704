// Event flags are registered: what happens at an edge is seen at the next one, in any order.
#include "hw/sync/event_flags.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"

#include <map>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

using List = std::vector<std::int64_t>;

class EventFlagsTest : public SimTest {
protected:
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
        flags.on_change = [this](Cycles at, const EventFlags::Name&, bool value) {
            changes += (value ? "1@" : "0@") + std::to_string(at.count()) + " ";
        };
        flags.on_double_set = [this](Cycles at, const EventFlags::Name&,
                                     const EventFlags::History& first,
                                     const EventFlags::History& second) {
            double_sets += std::to_string(at.count()) + ":" + std::to_string(first.instruction) +
                           "," + std::to_string(second.instruction) + " ";
        };
    }
    void set(std::int64_t cycle, std::uint64_t instruction = 1) {
        bench.at(cycle, [=] { flags.set(flag, instruction, {7, 1}); });
    }
    void clear(std::int64_t cycle) {
        bench.at(cycle, [this] { flags.clear(flag, 2, {8, 1}); });
    }
    void wait(std::int64_t cycle) {
        bench.at(cycle, [this] { flags.wake_when_set(flag, waiter.wake); });
    }
    void look(std::int64_t cycle) {
        bench.at(cycle, [this, cycle] { seen[cycle].push_back(flags.read(flag)); });
    }
    using Looks = std::vector<bool>;

    ClockBench bench;
    EventFlags flags{"flags", SyncConfig{8, Cycles(1)}};
    const EventFlags::Name flag{Pipe::MTE1, Pipe::M, 3};
    Waiter waiter{"waiter", bench.clock};
    std::map<std::int64_t, Looks> seen;
    std::string changes, double_sets;
};

TEST_F(EventFlagsTest, SetAndClearAreSeenFromTheNextEdgeOn) {
    look(10);
    set(10);
    look(10);
    look(11);
    clear(20);
    look(20);
    look(21);
    bench.run();
    EXPECT_EQ(seen[10], (Looks{false, false}));
    EXPECT_EQ(seen[11], Looks{true});
    EXPECT_EQ(seen[20], Looks{true});
    EXPECT_EQ(seen[21], Looks{false});
    EXPECT_EQ(changes, "1@10 0@20 ");
    EXPECT_EQ(double_sets, "");
}

TEST_F(EventFlagsTest, WaiterWakesOneEdgeAfterTheSet) {
    wait(5);
    set(10);
    clear(11);
    set(20); // set and wait at one edge, set first
    wait(20);
    clear(21);
    wait(30); // and wait first
    set(30);
    bench.run();
    EXPECT_EQ(waiter.woken, (List{11, 21, 31}));
}

TEST_F(EventFlagsTest, SetAtTheEdgeOfTheWaitLeavesTheFlagSet) {
    set(5, 1);
    set(10, 2);
    clear(10); // the token of 5 is consumed, the one of 10 stays
    look(11);
    set(20, 3); // the other way round
    clear(20);
    look(21);
    bench.run();
    EXPECT_EQ(seen[11], Looks{true});
    EXPECT_EQ(seen[21], Looks{true});
    EXPECT_EQ(double_sets, "");
    EXPECT_EQ(changes, "1@5 ");
}

TEST_F(EventFlagsTest, DoubleSetIsTold) {
    set(5, 1);
    set(10, 2);
    clear(15);
    look(16);
    bench.run();
    EXPECT_EQ(double_sets, "10:1,2 ");
    EXPECT_EQ(seen[16], Looks{false}) << "one token is lost";
}

TEST_F(EventFlagsTest, FlagsAreIndependent) {
    set(5);
    bench.at(6, [this] {
        int count = 0;
        for (int src = 0; src < kPipes; ++src) {
            for (int dst = 0; dst < kPipes; ++dst) {
                for (int id = 0; id < 8; ++id) {
                    if (flags.read({static_cast<Pipe>(src), static_cast<Pipe>(dst), id})) ++count;
                }
            }
        }
        EXPECT_EQ(count, 1);
        ASSERT_EQ(flags.set_flags().size(), 1u);
        EXPECT_EQ(flags.set_flags()[0].src, Pipe::MTE1);
        EXPECT_EQ(flags.set_flags()[0].dst, Pipe::M);
        EXPECT_EQ(flags.set_flags()[0].id, 3);
    });
    bench.run();
}

TEST_F(EventFlagsTest, HistoryAndReset) {
    set(5, 11);
    clear(9);
    set(12, 13);
    wait(12);
    bench.run(12); // the waiter would wake at 13
    EXPECT_EQ(flags.last_set(flag).at, Cycles(12));
    EXPECT_EQ(flags.last_set(flag).instruction, 13u);
    EXPECT_EQ(flags.last_set(flag).place.line, 7);
    EXPECT_EQ(flags.last_cleared(flag).at, Cycles(9));
    EXPECT_EQ(flags.last_cleared(flag).place.line, 8);
    look(0);
    bench.run(20);
    EXPECT_EQ(seen[0], Looks{false});
    EXPECT_EQ(flags.last_set(flag).at, Cycles(-1));
    EXPECT_TRUE(flags.set_flags().empty());
}

} // namespace
} // namespace aicore::test
