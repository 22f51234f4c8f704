#include "hw/core/chip.h"

#include <algorithm>
#include <string>

namespace aicore {

Chip::Chip(const sc_core::sc_module_name& name, const Platform& platform,
           const CoreOptions& options)
    : sc_module(name), clock_("clock"),
      cross_core_flags_("cross_core_flags", platform.sync.cross_core_latency_cycles,
                        CrossCoreFlags::places_of(platform.chip, 0, platform.chip.ai_cores)) {
    clock_.clk(clk);
    clock_.rst_n(rst_n);
    cross_core_flags_.clk(clock_);
    cross_core_flags_.rst_n(rst_n);
    gm_ = std::make_unique<GlobalMemory>("gm", platform.memories, platform.chip.ai_cores);
    gm_->clk(clock_);
    gm_->rst_n(rst_n);
    const auto count = static_cast<std::size_t>(platform.chip.ai_cores);
    ctrl_tsocks.init(count);
    ai_core_done_.init(count);
    ai_core_error_.init(count);
    for (std::size_t i = 0; i < count; ++i) {
        const AiCoreOptions shared{options, static_cast<int>(i), &hub_, &cross_core_flags_};
        ai_cores_.push_back(
            std::make_unique<AiCore>(("ai_core" + std::to_string(i)).c_str(), platform, shared));
        AiCore& ai_core = *ai_cores_.back();
        ai_core.clk(clk);
        ai_core.rst_n(rst_n);
        ai_core.done(ai_core_done_[i]);
        ai_core.error(ai_core_error_[i]);
        ai_core.gm_isock.bind(gm_->tsocks[i]);
        ctrl_tsocks[i].bind(ai_core.ctrl_tsock);
        cores_.insert(cores_.end(), ai_core.cores().begin(), ai_core.cores().end());
    }
    cross_core_flags_.on_overflow = [this](int core, const std::string& message) {
        const std::size_t per_ai_core = ai_cores_.front()->cores().size();
        const auto at = static_cast<std::size_t>(core);
        ai_cores_[at / per_ai_core]->fail(LaunchError::program_error, at % per_ai_core, message);
    };
    SC_METHOD(on_pins);
    for (const auto& one : ai_core_done_) sensitive << one;
    for (const auto& one : ai_core_error_) sensitive << one;
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

Core* Chip::find_core(std::string_view name) const {
    for (Core* core : cores_) {
        if (name == core->basename()) return core;
    }
    return nullptr;
}

const std::string& Chip::error_message() const {
    const auto failed = std::find_if(ai_cores_.begin(), ai_cores_.end(),
                                     [](const auto& one) { return !one->error_message().empty(); });
    return (failed == ai_cores_.end() ? ai_cores_.front() : *failed)->error_message();
}

void Chip::on_pins() {
    const auto is_high = [](const sc_core::sc_signal<bool>& one) { return one.read(); };
    done.write(std::all_of(ai_core_done_.begin(), ai_core_done_.end(), is_high));
    error.write(std::any_of(ai_core_error_.begin(), ai_core_error_.end(), is_high));
}

void Chip::on_reset() { hub_.publish(&Observer::on_reset, clock_.now()); }

void Chip::end_of_elaboration() {
    if (hub_.empty()) return;
    publish_counters(cross_core_flags_, cores_, hub_);
}

sc_core::sc_time clock_period(const ClockConfig& clock) {
    // In units of the resolution, so that no rounding depends on floating point.
    const auto per_second =
        static_cast<std::uint64_t>(1.0 / sc_core::sc_get_time_resolution().to_seconds() + 0.5);
    const auto hertz = static_cast<std::uint64_t>(clock.frequency_mhz) * 1000000;
    return sc_core::sc_time::from_value((per_second + hertz / 2) / hertz);
}

} // namespace aicore
