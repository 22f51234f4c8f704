// The chip as far as it is modelled: one cube core and its global memory, behind real pins.
//
// `clk` takes an sc_clock, a QuietClock (no waveform, no cost) or any boolean signal that runs
// during reset; `rst_n` low returns everything but the content of GM to its power-on state. The
// core starts at the first rising edge that sees rst_n high. `done` rises when the program is over.
#pragma once

#include "hw/core/aic.h"
#include "hw/mem/global_memory.h"

namespace aicore {

class Chip : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    sc_core::sc_out<bool> done{"done"};

    Chip(const sc_core::sc_module_name& name, const Platform& platform,
         const CoreOptions& options = {});

    Aic& aic() { return aic_; }
    GlobalMemory& gm() { return gm_; }
    const CycleClock& clock() const { return clock_; }

private:
    void end_of_elaboration() override;

    CycleClock clock_;
    GlobalMemory gm_;
    Aic aic_;
    const LinkInfo& gm_to_l1_;
    const LinkInfo& gm_to_l0_;
};

/// Period of the platform's clock, rounded to the time resolution.
sc_core::sc_time clock_period(const ClockConfig& clock);

} // namespace aicore
