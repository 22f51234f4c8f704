// What must not change a result: who watches, how the clock is driven, checkers, and earlier runs.
#include "tests/support/core_bench.h"
#include "tests/support/gemm_run.h"

#include <sstream>

namespace aicore::test {
namespace {

class Invariance : public SimTest {
protected:
    /// Cycles and result of a product on a bench of its own, with the log when there is one.
    static std::string run(const BenchOptions& options) {
        return run_in_child([&options] {
            CoreBench bench(options);
            GemmRun gemm(busy_gemm(true, true), bench.platform());
            gemm.load(bench);
            bench.run(gemm.source());
            gemm.expect_result(bench);
            std::ostringstream out;
            out << "cycles " << bench.simulation().cycles() << '\n' << bench.log().text();
            return out.str();
        });
    }
    static std::string first_line(const std::string& text) {
        return text.substr(0, text.find('\n'));
    }
};

TEST_F(Invariance, ObserversClockAndCheckersChangeNoCycle) {
    const std::string plain = run({});
    EXPECT_GT(plain.size(), 10000u);
    for (bool check_protocol : {false, true}) {
        for (bool toggling_clock : {false, true}) {
            for (bool observed : {false, true}) {
                BenchOptions options;
                options.check_protocol = check_protocol;
                options.toggling_clock = toggling_clock;
                options.observed = observed;
                const std::string text = run(options);
                EXPECT_EQ(first_line(text), first_line(plain));
                EXPECT_TRUE(!observed || text == plain) << "the logs differ";
            }
        }
    }
}

TEST_F(Invariance, EveryRunOfAProcessIsTheSame) {
    CoreBench bench;
    GemmRun gemm(busy_gemm(true, true), bench.platform());
    std::string first;
    for (int round = 0; round < 4; ++round) {
        gemm.load(bench);
        bench.run(gemm.source());
        gemm.expect_result(bench);
        const std::string text = bench.log().text();
        if (round == 0) first = text;
        EXPECT_TRUE(text == first) << "round " << round;
    }
}

/// Toggles a plain signal, as the clock of a foreign design.
class PlainClock : public sc_core::sc_module {
public:
    sc_core::sc_signal<bool> pin{"pin"};

    SC_HAS_PROCESS(PlainClock);
    PlainClock(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
        : sc_module(name), period_(period) {
        SC_THREAD(run);
    }

private:
    void run() {
        const auto high = sc_core::sc_time::from_value(period_.value() / 2);
        while (true) {
            pin.write(true);
            wait(high);
            pin.write(false);
            wait(period_ - high);
        }
    }

    sc_core::sc_time period_;
};

TEST_F(Invariance, ChipInAForeignDesignMeasuresItsClock) {
    const std::string expected = run({});
    const Platform platform = default_platform();
    Chip chip("chip", platform, {true, 0});
    PlainClock clock("clock", clock_period(platform.clock));
    sc_core::sc_signal<bool> rst_n("rst_n"), done("done"), error("error");
    tb::Host host("host", 1);
    chip.clk(clock.pin);
    chip.rst_n(rst_n);
    chip.done(done);
    chip.error(error);
    host.done(done);
    host.error(error);
    host.ctrl_isocks[0].bind(chip.ctrl_tsocks[0]);
    GemmRun gemm(busy_gemm(true, true), platform);
    gemm.load(chip.gm());
    chip.ai_core(0).set_sources({&gemm.source(), nullptr, nullptr});
    sc_core::sc_start(clock_period(platform.clock) * 3);
    rst_n.write(true);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    host.write(0, control_register::kControl, control_register::kStart);
    sc_core::sc_start(clock_period(platform.clock) * 20000);
    EXPECT_TRUE(done.read());
    EXPECT_EQ("cycles " + std::to_string(chip.aic().scalar().done_at().count()),
              first_line(expected));
}

class ResetInTheMiddle : public SimTest {
protected:
    /// Lets the program run for `cycles`, then pulls the reset.
    void run_and_cut(InstructionSource& program, Cycles cycles) {
        tb::Simulation& simulation = bench.simulation();
        bench.reset();
        simulation.set_reset(false);
        simulation.start({{&bench.aic(), &program}});
        simulation.advance(cycles);
        bench.reset();
    }
    void expect_power_on_state() {
        EXPECT_EQ(bench.aic().outstanding_transactions(), 0u);
        EXPECT_TRUE(bench.aic().event_flags().set_flags().empty());
        for (int block = 0; block < 256; ++block)
            ASSERT_FALSE(bench.aic().unit_flags().read(block));
        for (const Engine* engine : bench.aic().engines()) {
            EXPECT_TRUE(engine->queue().empty());
            EXPECT_TRUE(engine->in_flight().empty());
            EXPECT_EQ(engine->completed(), 0u);
        }
        EXPECT_EQ(bench.aic().scalar().retired(), 0u);
        for (Buffer buffer : {Buffer::L1, Buffer::L0A, Buffer::L0B, Buffer::L0C}) {
            EXPECT_EQ(bench.peek(buffer, 0, 64 * 1024), ByteVector(64 * 1024, 0xa5))
                << to_string(buffer);
        }
    }
    void check(const tb::GemmSpec& spec, int cuts) {
        GemmRun gemm(spec, bench.platform());
        gemm.load(bench);
        bench.run(gemm.source());
        const std::string expected = bench.log().text();
        const std::int64_t length = bench.simulation().cycles().count();
        for (int cut = 0; cut < cuts; ++cut) {
            SCOPED_TRACE("cut " + std::to_string(cut));
            run_and_cut(gemm.source(), Cycles(1 + cut * length / cuts));
            expect_power_on_state();
            gemm.load(bench);
            bench.run(gemm.source());
            gemm.expect_result(bench);
            ASSERT_TRUE(bench.log().text() == expected);
        }
    }

    CoreBench bench;
};

TEST_F(ResetInTheMiddle, OfAProductWithUnitFlags) { check(busy_gemm(true, true), 60); }
TEST_F(ResetInTheMiddle, OfAProductWithEventFlags) { check(busy_gemm(false, false), 60); }

TEST_F(ResetInTheMiddle, BetweenTwoEdges) {
    GemmRun gemm(busy_gemm(true, true), bench.platform());
    gemm.load(bench);
    bench.run(gemm.source());
    const std::string expected = bench.log().text();
    bench.reset();
    bench.simulation().set_reset(false);
    bench.simulation().start({{&bench.aic(), &gemm.source()}});
    bench.simulation().advance(Cycles(700));
    sc_core::sc_start(sc_core::sc_time::from_value(12345));
    bench.reset();
    expect_power_on_state();
    bench.run(gemm.source());
    EXPECT_TRUE(bench.log().text() == expected);
}

} // namespace
} // namespace aicore::test
