// The clock as the modules see it: numbered rising edges, without a process per edge.
//
// Modules act on rising edges, but only on those where they have something to do: they ask the
// clock how long it is until an edge and notify their own event with that time. A free-running
// clock signal is therefore not needed for the model; skipping idle edges changes no result.
// Time is derived from integer cycles, never the other way round.
#pragma once

#include "tlm/units.h"

#include <systemc>

namespace aicore {

/// What modules know of the clock. Cycle 0 is the first rising edge at which reset is seen
/// inactive.
class CycleClockIf : public virtual sc_core::sc_interface {
public:
    /// Number of the current rising edge (of the last one, between edges).
    virtual Cycles now() const = 0;
    /// The first rising edge after this moment; out of reset.
    virtual Cycles next_edge() const = 0;
    /// Time from now until the rising edge `edge`; zero when it is the current one.
    virtual sc_core::sc_time until(Cycles edge) const = 0;
    virtual const sc_core::sc_time& period() const = 0;
    /// The first rising edge that is not before `delay` from now.
    virtual Cycles edge_after(const sc_core::sc_time& delay) const = 0;
    /// Notified at the rising edge of cycle 0, after every reset.
    virtual const sc_core::sc_event& started() const = 0;
};

/// A clock whose edges are known in advance.
class PeriodicClockIf : public virtual sc_core::sc_interface {
public:
    virtual sc_core::sc_time clock_period() const = 0;
    virtual sc_core::sc_time first_rising_edge() const = 0;
};

/// A clock signal that never toggles: it stands for a running clock of a known period where
/// nobody looks at the waveform, and costs nothing.
class QuietClock : public sc_core::sc_signal<bool>, public PeriodicClockIf {
public:
    QuietClock(const char* name, const sc_core::sc_time& period)
        : sc_core::sc_signal<bool>(name), period_(period) {}

    sc_core::sc_time clock_period() const override { return period_; }
    sc_core::sc_time first_rising_edge() const override { return sc_core::SC_ZERO_TIME; }

private:
    sc_core::sc_time period_;
};

/// Turns the pins clk and rst_n into numbered cycles.
///
/// With an sc_clock or a QuietClock bound to `clk`, period and phase are known at elaboration. Any
/// other boolean signal is measured: it must rise at least twice while rst_n is low, and each later
/// edge is checked against the measured period (an unsteady clock is a fatal error).
class CycleClock : public sc_core::sc_module, public CycleClockIf {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    explicit CycleClock(const sc_core::sc_module_name& name);
    SC_HAS_PROCESS(CycleClock);

    Cycles now() const override;
    Cycles next_edge() const override;
    sc_core::sc_time until(Cycles edge) const override;
    const sc_core::sc_time& period() const override { return period_; }
    Cycles edge_after(const sc_core::sc_time& delay) const override;
    const sc_core::sc_event& started() const override { return started_; }

private:
    void end_of_elaboration() override;
    void on_reset();
    void on_measured_edge();

    sc_core::sc_time period_;
    std::uint64_t period_units_ = 0;         ///< period in units of the time resolution
    std::uint64_t first_edge_units_ = 0;     ///< a rising edge of the pin
    std::uint64_t origin_units_ = 0;         ///< the rising edge of cycle 0
    mutable std::uint64_t cached_units_ = 0; ///< time at which now() was asked last, and its answer
    mutable Cycles cached_now_;
    bool measured_ = false; ///< period comes from watching the pin
    std::uint64_t edges_seen_ = 0;
    sc_core::sc_event started_{"started"};
};

} // namespace aicore
