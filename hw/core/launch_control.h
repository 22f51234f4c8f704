// The life of a launch: starts the cores of an AI Core, tells when they are done or what went
// wrong.
//
// idle -> running -> done -> running ...; error ends in a reset alone. A launch starts at the first
// rising edge after its request and leaves the state of the last one as it is: buffers, flags,
// CTRL, masks.
#pragma once

#include "hw/core/control_registers.h"
#include "hw/core/core.h"
#include "hw/core/program_window.h"
#include "hw/isa/program_image.h"
#include "hw/scalar/instruction_list.h"

#include <string>
#include <vector>

namespace aicore {

class LaunchControl : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// The launch is over; falls at the edge at which the next one starts.
    sc_core::sc_out<bool> done{"done"};
    /// Rises with the error, falls with the reset.
    sc_core::sc_out<bool> error{"error"};

    SC_HAS_PROCESS(LaunchControl);
    /// `cores`: the cube core, then the vector cores. `is_grid`: they are all that the cross-core
    /// flags join, so that those with a program are the grid of the launch.
    LaunchControl(const sc_core::sc_module_name& name, const Platform& platform,
                  const ProgramWindow& window, std::vector<Core*> cores, CrossCoreFlags& flags,
                  bool is_grid);

    /// Asks for a start with block `index` of `count`. False: refused, in reset, while a launch
    /// runs or after an error.
    bool request(std::uint32_t index, std::uint32_t count);
    /// Programs of the launches to come, in place of the window's image: one for each of the cores,
    /// null for none. Empty: the image again.
    void set_sources(std::vector<InstructionSource*> sources);

    LaunchStatus status() const { return status_; }
    LaunchError error_code() const { return code_; }
    const std::string& error_message() const { return message_; }
    /// Launches since the last reset.
    std::uint32_t launches() const { return launches_; }
    /// Edge of the last start.
    Cycles started_at() const { return started_at_; }
    /// From the start to now; of a launch that is over: to the edge at which all was complete.
    Cycles cycles() const;

    /// Ends the launch: the cores dispatch nothing after this edge. Of errors in one delta cycle
    /// that of the first core counts.
    void fail(LaunchError code, std::size_t core, const std::string& message);

private:
    void end_of_elaboration() override;
    void on_request();
    void on_step();
    void on_reset();
    void start();
    void check_done();
    bool is_requested() const {
        return status_ == LaunchStatus::running && phase_ == Phase::requested;
    }
    /// The programs of the window's image; empty after a failure.
    std::vector<InstructionSource*> load_image();
    /// False after a failure.
    bool check_image();

    const ProgramWindow& window_;
    std::vector<Core*> cores_;
    std::vector<IsaLimits> limits_; ///< of each core
    CrossCoreFlags& flags_;
    bool is_grid_;

    std::vector<InstructionSource*> sources_;
    ProgramImage image_;                 ///< of the launch
    std::vector<InstructionList> lists_; ///< of its sections
    std::uint32_t block_index_ = 0, block_count_ = 1, launches_ = 0;
    LaunchStatus status_ = LaunchStatus::idle;
    enum class Phase { requested, starting, under_way };
    Phase phase_ = Phase::under_way; ///< of a launch that runs
    bool is_settled_ = false;        ///< the clock knows of the end of the reset
    Cycles started_at_, ended_at_;

    LaunchError code_ = LaunchError::none;
    std::string message_;
    std::size_t failed_core_ = 0;
    sc_dt::uint64 failed_delta_ = 0;

    sc_core::sc_event request_ev_{"request"}, start_ev_{"start"}, step_ev_{"step"};
};

} // namespace aicore
