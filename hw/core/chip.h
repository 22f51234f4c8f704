// The chip: its AI Cores, the flags between them, and global memory, behind real pins.
//
// Pins as those of an AI Core (ai_core.h): `done` when every AI Core is, `error` when one is. A
// reset leaves the content of GM alone. An example of how AI Cores are put together.
#pragma once

#include "hw/core/ai_core.h"
#include "hw/core/aic.h"
#include "hw/core/aiv.h"
#include "hw/mem/global_memory.h"
#include "hw/sync/cross_core_flags.h"

#include <memory>
#include <string_view>
#include <vector>

namespace aicore {

class Chip : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    sc_core::sc_out<bool> done{"done"};
    sc_core::sc_out<bool> error{"error"};
    /// Control registers of each AI Core.
    sc_core::sc_vector<tlm::tlm_target_socket<32>> ctrl_tsocks{"ctrl_tsock"};

    SC_HAS_PROCESS(Chip);
    Chip(const sc_core::sc_module_name& name, const Platform& platform,
         const CoreOptions& options = {});

    int ai_core_count() const { return static_cast<int>(ai_cores_.size()); }
    AiCore& ai_core(int i) { return *ai_cores_[static_cast<std::size_t>(i)]; }
    /// The first cube core, aic0.
    Aic& aic() { return ai_cores_.front()->aic(); }
    /// Every core: AI Core by AI Core, the cube core first.
    const std::vector<Core*>& cores() const { return cores_; }
    /// Null when there is none of that name ("aic0", "aiv1").
    Core* find_core(std::string_view name) const;
    /// Observers are added before the simulation starts.
    ObserverHub& observers() { return hub_; }
    CrossCoreFlags& cross_core_flags() { return cross_core_flags_; }
    GlobalMemory& gm() { return *gm_; }
    const CycleClock& clock() const { return clock_; }
    /// Of the first AI Core that has one; empty without an error.
    const std::string& error_message() const;

private:
    void end_of_elaboration() override;
    void on_pins();
    void on_reset();

    ObserverHub hub_;
    CycleClock clock_;
    CrossCoreFlags cross_core_flags_;
    std::vector<std::unique_ptr<AiCore>> ai_cores_;
    std::vector<Core*> cores_;
    std::unique_ptr<GlobalMemory> gm_;
    sc_core::sc_vector<sc_core::sc_signal<bool>> ai_core_done_{"ai_core_done"};
    sc_core::sc_vector<sc_core::sc_signal<bool>> ai_core_error_{"ai_core_error"};
};

/// Period of the platform's clock, rounded to the time resolution.
sc_core::sc_time clock_period(const ClockConfig& clock);

} // namespace aicore
