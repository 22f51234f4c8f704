#include "hw/core/chip.h"

#include <algorithm>
#include <string>

namespace aicore {

Chip::Chip(const sc_core::sc_module_name& name, const Platform& platform,
           const CoreOptions& options)
    : sc_module(name), clock_("clock") {
    clock_.clk(clk);
    clock_.rst_n(rst_n);
    ai_core_done_.init(static_cast<std::size_t>(platform.chip.ai_cores));
    for (int i = 0; i < platform.chip.ai_cores; ++i) {
        ai_cores_.push_back(std::make_unique<AiCore>(("ai_core" + std::to_string(i)).c_str(), i,
                                                     platform, hub_, options));
        AiCore& ai_core = *ai_cores_.back();
        ai_core.clk(clock_);
        ai_core.rst_n(rst_n);
        ai_core.done(ai_core_done_[static_cast<std::size_t>(i)]);
        for (Core* core : ai_core.cores()) cores_.push_back(core);
        ai_core.biu().on_error = [this](const std::string& message) { report_error(message); };
    }
    connect_cross_core_flags(platform.sync);
    gm_ = std::make_unique<GlobalMemory>("gm", platform.memories, platform.chip.ai_cores);
    gm_->clk(clock_);
    gm_->rst_n(rst_n);
    for (std::size_t i = 0; i < ai_cores_.size(); ++i) ai_cores_[i]->gm_isock.bind(gm_->tsocks[i]);
    SC_METHOD(on_done);
    for (const auto& ai_core : ai_core_done_) sensitive << ai_core;
    sensitive << cross_core_flags_->drained();
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

void Chip::connect_cross_core_flags(const SyncConfig& sync) {
    std::vector<CrossCoreFlags::Place> places;
    const std::size_t per_ai_core = cores_.size() / ai_cores_.size();
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        places.push_back({cores_[i]->basename(), cores_[i]->core_kind() == CoreKind::aic,
                          static_cast<int>(i / per_ai_core)});
    }
    cross_core_flags_ = std::make_unique<CrossCoreFlags>(
        "cross_core_flags", sync.cross_core_latency_cycles, std::move(places));
    cross_core_flags_->clk(clock_);
    cross_core_flags_->rst_n(rst_n);
    cross_core_flags_->on_overflow = [this](const std::string& message) { report_error(message); };
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        cores_[i]->on_error = [this](const std::string& message) { report_error(message); };
        cores_[i]->connect(*cross_core_flags_, static_cast<int>(i));
    }
}

void Chip::report_error(const std::string& message) {
    if (error_.empty()) error_ = message;
    sc_core::sc_pause();
}

Core* Chip::find_core(std::string_view name) const {
    for (Core* core : cores_) {
        if (name == core->basename()) return core;
    }
    return nullptr;
}

void Chip::on_done() {
    // A count on its way may still be one too many.
    done.write(cross_core_flags_->is_drained() &&
               std::all_of(ai_core_done_.begin(), ai_core_done_.end(),
                           [](const sc_core::sc_signal<bool>& one) { return one.read(); }));
}

void Chip::on_reset() {
    error_.clear();
    hub_.publish(&Observer::on_reset, clock_.now());
}

void Chip::end_of_elaboration() {
    if (hub_.empty()) return;
    cross_core_flags_->on_change = [this](Cycles now, int core, int id, int count,
                                          const CrossCoreFlags::History* set) {
        const auto info = [this](int i) -> const CoreInfo& {
            return cores_[static_cast<std::size_t>(i)]->info();
        };
        hub_.publish(&Observer::on_cross_core_flag, now, info(core), id, count);
        if (set == nullptr) return;
        hub_.publish(&Observer::on_cross_core_count, now, info(core), id, info(set->core),
                     set->instruction);
    };
}

sc_core::sc_time clock_period(const ClockConfig& clock) {
    // In units of the resolution, so that no rounding depends on floating point.
    const auto per_second =
        static_cast<std::uint64_t>(1.0 / sc_core::sc_get_time_resolution().to_seconds() + 0.5);
    const auto hertz = static_cast<std::uint64_t>(clock.frequency_mhz) * 1000000;
    return sc_core::sc_time::from_value((per_second + hertz / 2) / hertz);
}

} // namespace aicore
