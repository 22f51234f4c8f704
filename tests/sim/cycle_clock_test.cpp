// Cycles are numbered rising edges of the pin, whatever drives it.
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"

#include <vector>

// AddressSanitizer of this compiler reports its own stack handling when an exception leaves a
// SystemC process on its way through the kernel.
#ifdef __SANITIZE_ADDRESS__
#define SKIP_UNDER_ADDRESS_SANITIZER() GTEST_SKIP() << "an exception crosses the SystemC kernel"
#else
#define SKIP_UNDER_ADDRESS_SANITIZER() static_cast<void>(0)
#endif

namespace aicore::test {
namespace {

using sc_core::sc_time;

sc_time femtoseconds(std::uint64_t count) { return sc_time::from_value(count); }

/// Watches the pin itself and compares each rising edge with the numbered cycles.
class EdgeWatcher : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    SC_HAS_PROCESS(EdgeWatcher);
    EdgeWatcher(const sc_core::sc_module_name& name, const CycleClock& clock)
        : sc_module(name), clock_(clock) {
        SC_METHOD(on_edge);
        sensitive << clk.pos();
        dont_initialize();
    }

    std::int64_t edges = 0; ///< since reset

private:
    void on_edge() {
        if (!rst_n.read()) {
            edges = 0;
            return;
        }
        EXPECT_EQ(clock_.now(), Cycles(edges));
        EXPECT_EQ(clock_.until(Cycles(edges)), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(clock_.until(Cycles(edges + 3)), clock_.period() * 3);
        ++edges;
    }

    const CycleClock& clock_;
};

/// Notes when cycle 0 comes.
class StartWatcher : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(StartWatcher);
    StartWatcher(const sc_core::sc_module_name& name, const CycleClock& clock)
        : sc_module(name), clock_(clock) {
        SC_METHOD(on_start);
        sensitive << clock_.started();
        dont_initialize();
    }

    std::vector<sc_time> starts;

private:
    void on_start() {
        EXPECT_EQ(clock_.now(), Cycles(0));
        starts.push_back(sc_core::sc_time_stamp());
    }

    const CycleClock& clock_;
};

/// A pin that is toggled by hand: `rise` periods from one rising edge to the next.
class HandDriver : public sc_core::sc_module {
public:
    sc_core::sc_out<bool> clk{"clk"};

    SC_HAS_PROCESS(HandDriver);
    HandDriver(const sc_core::sc_module_name& name, std::vector<std::uint64_t> periods)
        : sc_module(name), periods_(std::move(periods)) {
        SC_THREAD(run);
    }

private:
    void run() {
        for (std::uint64_t period : periods_) {
            clk.write(true);
            wait(femtoseconds(period / 3));
            clk.write(false);
            wait(femtoseconds(period - period / 3));
        }
    }

    std::vector<std::uint64_t> periods_;
};

class CycleClockTest : public SimTest {
protected:
    void connect(sc_core::sc_signal_inout_if<bool>& pin) {
        clock.clk(pin);
        clock.rst_n(rst_n);
        edges.clk(pin);
        edges.rst_n(rst_n);
    }
    void reset_for(const sc_time& time) {
        rst_n.write(false);
        sc_core::sc_start(time);
        rst_n.write(true);
    }

    sc_core::sc_signal<bool> rst_n{"rst_n"};
    CycleClock clock{"clock"};
    EdgeWatcher edges{"edges", clock};
    StartWatcher start{"start", clock};
};

TEST_F(CycleClockTest, QuietClockNumbersEdgesThatNobodySees) {
    QuietClock pin("pin", femtoseconds(540541));
    connect(pin);
    reset_for(femtoseconds(540541 * 2 + 7)); // between edges 2 and 3
    sc_core::sc_start(femtoseconds(540535)); // one past edge 3, which is then over
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(540541 * 3)});
    EXPECT_EQ(clock.period(), femtoseconds(540541));
    EXPECT_EQ(clock.now(), Cycles(0));
    EXPECT_EQ(clock.until(Cycles(5)), femtoseconds(540541 * 5 - 1));
    sc_core::sc_start(femtoseconds(540539));
    EXPECT_EQ(clock.now(), Cycles(0)) << "one femtosecond before the edge";
    EXPECT_EQ(clock.until(Cycles(1)), femtoseconds(1));
    sc_core::sc_start(femtoseconds(1));
    EXPECT_EQ(clock.now(), Cycles(1));
    EXPECT_EQ(clock.until(Cycles(0)), sc_core::SC_ZERO_TIME) << "past edges need no waiting";
    sc_core::sc_start(femtoseconds(540541 * 1000000000ull));
    EXPECT_EQ(clock.now(), Cycles(1000000001)) << "no drift";
    EXPECT_EQ(edges.edges, 0);
}

TEST_F(CycleClockTest, ResetThatEndsOnAnEdgeIsSeenByTheNext) {
    QuietClock pin("pin", femtoseconds(1000));
    connect(pin);
    reset_for(femtoseconds(4000));
    sc_core::sc_start(femtoseconds(10000));
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(5000)});
}

TEST_F(CycleClockTest, ScClockWithOddPeriod) {
    sc_core::sc_clock pin("pin", femtoseconds(540541));
    connect(pin);
    reset_for(femtoseconds(540541 * 2 + 1));
    sc_core::sc_start(femtoseconds(540541 * 50));
    EXPECT_EQ(edges.edges, 50);
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(540541 * 3)});
}

TEST_F(CycleClockTest, ScClockThatStartsLowAndLate) {
    sc_core::sc_clock pin("pin", femtoseconds(540541), 0.5, femtoseconds(333), false);
    connect(pin);
    reset_for(femtoseconds(540541 * 2));
    sc_core::sc_start(femtoseconds(540541 * 50));
    EXPECT_EQ(edges.edges, 50);
}

TEST_F(CycleClockTest, ScClockWithUnevenDutyCycle) {
    sc_core::sc_clock pin("pin", femtoseconds(999), 0.3, femtoseconds(10), false);
    connect(pin);
    reset_for(femtoseconds(5000));
    sc_core::sc_start(femtoseconds(99900));
    EXPECT_EQ(edges.edges, 100);
}

TEST_F(CycleClockTest, ResetBeforeTheFirstEdge) {
    sc_core::sc_clock pin("pin", femtoseconds(1000), 0.5, femtoseconds(50000), true);
    connect(pin);
    reset_for(femtoseconds(100));
    sc_core::sc_start(femtoseconds(60000));
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(50000)});
}

TEST_F(CycleClockTest, AnyOtherSignalIsMeasuredInReset) {
    sc_core::sc_signal<bool> pin("pin");
    HandDriver driver("driver", std::vector<std::uint64_t>(40, 777));
    driver.clk(pin);
    connect(pin);
    reset_for(femtoseconds(777 * 3 + 5)); // rising edges at 0, 777, 1554, 2331
    sc_core::sc_start(femtoseconds(777 * 30));
    EXPECT_EQ(clock.period(), femtoseconds(777));
    EXPECT_EQ(edges.edges, 30);
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(777 * 4)});
}

TEST_F(CycleClockTest, UnsteadyClockIsFatal) {
    SKIP_UNDER_ADDRESS_SANITIZER();
    std::vector<std::uint64_t> periods(20, 777);
    periods[10] = 778;
    sc_core::sc_signal<bool> pin("pin");
    HandDriver driver("driver", periods);
    driver.clk(pin);
    connect(pin);
    reset_for(femtoseconds(777 * 3 + 5));
    sc_core::sc_start(femtoseconds(777 * 6));
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "clk does not keep the period");
    EXPECT_THROW(sc_core::sc_start(femtoseconds(777 * 6)), sc_core::sc_report);
}

TEST_F(CycleClockTest, ClockThatStandsStillInResetIsFatal) {
    SKIP_UNDER_ADDRESS_SANITIZER();
    sc_core::sc_signal<bool> pin("pin");
    HandDriver driver("driver", {777});
    driver.clk(pin);
    connect(pin);
    reset_for(femtoseconds(5000)); // one rising edge only
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "clk must rise at least twice");
    EXPECT_THROW(sc_core::sc_start(femtoseconds(1000)), sc_core::sc_report);
}

TEST_F(CycleClockTest, ResetInTheMiddleOfARunRenumbersCycles) {
    sc_core::sc_clock pin("pin", femtoseconds(1000));
    connect(pin);
    reset_for(femtoseconds(2500));
    sc_core::sc_start(femtoseconds(10000));
    EXPECT_EQ(clock.now(), Cycles(9)); // 12.5 periods, cycle 0 at 3
    reset_for(femtoseconds(3000));
    sc_core::sc_start(femtoseconds(700));
    EXPECT_EQ(clock.now(), Cycles(0));
    EXPECT_EQ(start.starts, (std::vector<sc_time>{femtoseconds(3000), femtoseconds(16000)}));
    sc_core::sc_start(femtoseconds(5000));
    EXPECT_EQ(clock.now(), Cycles(5));
    EXPECT_EQ(edges.edges, 6);
}

TEST_F(CycleClockTest, ResetWithinTheSameCycleDoesNotStart) {
    sc_core::sc_clock pin("pin", femtoseconds(1000));
    connect(pin);
    reset_for(femtoseconds(2500));
    sc_core::sc_start(femtoseconds(200)); // high between two edges only
    reset_for(femtoseconds(4000));
    sc_core::sc_start(femtoseconds(2000));
    EXPECT_EQ(start.starts, std::vector<sc_time>{femtoseconds(7000)});
}

} // namespace
} // namespace aicore::test
