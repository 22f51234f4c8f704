// Clock, reset and actions at stated cycles: the bench for tests of single modules.
#pragma once

#include "tlm/cycle_clock.h"

#include <systemc>

#include <functional>
#include <map>

namespace aicore::test {

/// A process that runs actions at rising edges, as the process of an engine would. Actions of one
/// cycle run in the order in which they were added.
class Stimulus : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};

    SC_HAS_PROCESS(Stimulus);
    explicit Stimulus(const sc_core::sc_module_name& name) : sc_module(name) {}

    /// Before the clock starts, or from an action for a later cycle.
    void at(std::int64_t cycle, std::function<void()> action) {
        actions_.emplace(cycle, std::move(action));
    }

private:
    void end_of_elaboration() override {
        SC_METHOD(on_edge);
        sensitive << edge_ev_ << clk->started();
        dont_initialize();
    }
    void on_edge() {
        const std::int64_t now = clk->now().count();
        while (!actions_.empty() && actions_.begin()->first <= now) {
            const auto action = std::move(actions_.begin()->second);
            actions_.erase(actions_.begin());
            action();
        }
        if (!actions_.empty()) edge_ev_.notify(clk->until(Cycles(actions_.begin()->first)));
    }

    std::multimap<std::int64_t, std::function<void()>> actions_;
    sc_core::sc_event edge_ev_{"edge"};
};

struct ClockBench {
    sc_core::sc_time period{10, sc_core::SC_NS};
    QuietClock clk{"clk", period};
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> rst_n{"rst_n"};
    CycleClock clock{"clock"};
    Stimulus stimulus{"stimulus"};

    ClockBench() {
        clock.clk(clk);
        clock.rst_n(rst_n);
        stimulus.clk(clock);
    }

    /// Binds the clock and reset of a module under test.
    template <typename Module>
    void connect(Module& module) {
        module.clk(clock);
        module.rst_n(rst_n);
    }
    void at(std::int64_t cycle, std::function<void()> action) {
        stimulus.at(cycle, std::move(action));
    }

    /// Reset, then until the middle of cycle `cycles`.
    void run(std::int64_t cycles = 1000) {
        rst_n.write(false);
        sc_core::sc_start(period * 2);
        rst_n.write(true);
        sc_core::sc_start(period * (static_cast<double>(cycles) + 1.5));
    }
    std::int64_t now() const { return clock.now().count(); }
};

} // namespace aicore::test
