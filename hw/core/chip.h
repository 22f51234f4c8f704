// The chip: its AI Cores and global memory, behind real pins.
//
// `clk` takes an sc_clock, a QuietClock (no waveform, no cost) or any boolean signal that runs
// during reset; `rst_n` low returns everything but the content of GM to its power-on state. The
// cores start at the first rising edge that sees rst_n high. `done` rises when all programs are
// over.
#pragma once

#include "hw/core/ai_core.h"
#include "hw/mem/global_memory.h"

#include <memory>
#include <string_view>
#include <vector>

namespace aicore {

class Chip : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    sc_core::sc_out<bool> done{"done"};

    SC_HAS_PROCESS(Chip);
    Chip(const sc_core::sc_module_name& name, const Platform& platform,
         const CoreOptions& options = {});

    AiCore& ai_core(int i) { return *ai_cores_[static_cast<std::size_t>(i)]; }
    /// The first cube core, aic0.
    Aic& aic() { return ai_cores_.front()->aic(); }
    /// Every core: AI Core by AI Core, the cube core first.
    const std::vector<Core*>& cores() const { return cores_; }
    /// Null when there is none of that name ("aic0", "aiv1").
    Core* find_core(std::string_view name) const;
    /// Observers are added before the simulation starts.
    ObserverHub& observers() { return hub_; }
    CrossCoreFlags& cross_core_flags() { return *cross_core_flags_; }
    GlobalMemory& gm() { return *gm_; }
    const CycleClock& clock() const { return clock_; }
    /// What a program did wrong while it ran, as a cross-core counter that overflows; empty:
    /// nothing since the last reset. The simulation pauses when it happens.
    const std::string& error() const { return error_; }

private:
    void end_of_elaboration() override;
    void on_done();
    void on_reset();
    void connect_cross_core_flags(const SyncConfig& sync);
    void report_error(const std::string& message);

    ObserverHub hub_;
    CycleClock clock_;
    std::vector<std::unique_ptr<AiCore>> ai_cores_;
    std::vector<Core*> cores_;
    std::unique_ptr<CrossCoreFlags> cross_core_flags_;
    std::unique_ptr<GlobalMemory> gm_;
    std::string error_;
    sc_core::sc_vector<sc_core::sc_signal<bool>> ai_core_done_{"ai_core_done"};
};

/// Period of the platform's clock, rounded to the time resolution.
sc_core::sc_time clock_period(const ClockConfig& clock);

} // namespace aicore
