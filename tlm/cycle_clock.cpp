#include "tlm/cycle_clock.h"

namespace aicore {

using sc_core::sc_time;

CycleClock::CycleClock(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(on_reset);
    sensitive << rst_n;
    dont_initialize();
}

void CycleClock::end_of_elaboration() {
    auto* channel = clk.get_interface();
    if (auto* periodic = dynamic_cast<PeriodicClockIf*>(channel)) {
        period_ = periodic->clock_period();
        first_edge_units_ = periodic->first_rising_edge().value();
    } else if (auto* clock = dynamic_cast<sc_core::sc_clock*>(channel)) {
        period_ = clock->period();
        const sc_time low = period_ - period_ * clock->duty_cycle(); // as sc_clock itself rounds
        first_edge_units_ =
            (clock->start_time() + (clock->posedge_first() ? sc_core::SC_ZERO_TIME : low)).value();
    } else {
        measured_ = true;
        SC_METHOD(on_measured_edge);
        sensitive << clk.posedge_event(); // clk.pos() means both edges once ports are bound
        dont_initialize();
    }
    period_units_ = period_.value();
}

void CycleClock::on_measured_edge() {
    const std::uint64_t now_units = sc_core::sc_time_stamp().value();
    ++edges_seen_;
    if (edges_seen_ == 1) {
        first_edge_units_ = now_units;
    } else if (edges_seen_ == 2) {
        period_units_ = now_units - first_edge_units_;
        period_ = sc_time::from_value(period_units_);
    } else if ((now_units - first_edge_units_) % period_units_ != 0) {
        SC_REPORT_FATAL(name(), "clk does not keep the period that was measured during reset");
    }
}

void CycleClock::on_reset() {
    started_.cancel();
    if (!rst_n.read()) return;
    if (period_units_ == 0) {
        SC_REPORT_FATAL(name(), "clk must rise at least twice while rst_n is low");
    }
    // rst_n is sampled at rising edges: one that rises on an edge is seen by the next edge.
    const std::uint64_t now_units = sc_core::sc_time_stamp().value();
    cached_units_ = 0;
    origin_units_ = now_units < first_edge_units_
                        ? first_edge_units_
                        : first_edge_units_ +
                              ((now_units - first_edge_units_) / period_units_ + 1) * period_units_;
    started_.notify(sc_time::from_value(origin_units_ - now_units));
}

Cycles CycleClock::now() const {
    const std::uint64_t now_units = sc_core::sc_time_stamp().value();
    if (now_units <= origin_units_) return Cycles(0);
    if (now_units != cached_units_) {
        cached_units_ = now_units;
        cached_now_ =
            Cycles(static_cast<std::int64_t>((now_units - origin_units_) / period_units_));
    }
    return cached_now_;
}

Cycles CycleClock::next_edge() const {
    return sc_core::sc_time_stamp().value() < origin_units_ ? Cycles(0) : now() + Cycles(1);
}

sc_time CycleClock::until(Cycles edge) const {
    const std::uint64_t edge_units =
        origin_units_ + static_cast<std::uint64_t>(edge.count()) * period_units_;
    const std::uint64_t now_units = sc_core::sc_time_stamp().value();
    return sc_time::from_value(edge_units > now_units ? edge_units - now_units : 0);
}

Cycles CycleClock::edge_after(const sc_time& delay) const {
    const std::uint64_t units = sc_core::sc_time_stamp().value() + delay.value();
    if (units <= origin_units_) return Cycles(0);
    return Cycles(
        static_cast<std::int64_t>((units - origin_units_ + period_units_ - 1) / period_units_));
}

} // namespace aicore
