// One simulation: the chip, its pins, and the run until the program is over or stuck.
#pragma once

#include "hw/core/chip.h"
#include "hw/scalar/instruction_source.h"
#include "tb/run/host.h"

#include <functional>
#include <vector>

namespace aicore::tb {

struct SimulationOptions {
    CoreOptions core;
    /// Drive `clk` with a toggling sc_clock instead of a QuietClock. Changes no result.
    bool toggling_clock = false;
    /// A run in which for so many cycles no instruction completes and none shows any work
    /// (Engine::steps) is a hang.
    Cycles no_progress_limit{20'000'000};
};

enum class RunOutcome {
    finished,
    stuck,       ///< nothing is left to happen, and the program is not over
    no_progress, ///< something happens, but no instruction makes progress
    error,       ///< the program did something illegal: Chip::error_message()
};

/// The program of a core.
struct CoreSource {
    Core* core = nullptr;
    InstructionSource* source = nullptr;
};

/// Sets the time resolution of the model. Once, before anything that has a time.
void set_time_resolution();

/// Owns the chip. SystemC allows one elaboration in a process, so there is one object of this
/// class.
class Simulation {
public:
    /// Told now and then during a run; returns false to stop it.
    using Progress = std::function<bool(Cycles now, std::uint64_t retired)>;

    explicit Simulation(const Platform& platform, const SimulationOptions& options = {});
    ~Simulation();

    Chip& chip() { return *chip_; }
    const Platform& platform() const { return platform_; }

    /// Resets the chip, then runs the programs to their end; cores without one stand still.
    RunOutcome run(const std::vector<CoreSource>& programs, const Progress& progress = {});
    /// The same with a program for aic0 only.
    RunOutcome run(InstructionSource& program, const Progress& progress = {});
    /// The same without a reset, after a run or a launch that has finished: buffers, flags and
    /// core state are as it left them, and cycles go on counting.
    RunOutcome launch(const std::vector<CoreSource>& programs, const Progress& progress = {});
    /// Cycles of the last run or launch: from its start to the edge at which all was complete.
    Cycles cycles() const { return cycles_; }
    /// Its start, in cycles since the reset; 0 for a run.
    Cycles started_at() const { return started_at_; }

    /// Starts the programs at the next edge and returns at once. Out of reset, when nothing runs.
    void start(const std::vector<CoreSource>& programs);
    /// Lets time pass with the pins as they are / drives the reset pin, for tests of the pins.
    void advance(Cycles cycles);
    void set_reset(bool active) { rst_n_.write(!active); }

private:
    RunOutcome wait_for_end(const Progress& progress);
    sc_core::sc_time time_of(Cycles cycles) const;
    std::uint64_t retired() const;
    std::uint64_t steps() const;

    Platform platform_;
    SimulationOptions options_;
    sc_core::sc_time period_;
    std::unique_ptr<sc_core::sc_signal<bool>> quiet_clk_;
    std::unique_ptr<sc_core::sc_clock> toggling_clk_;
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> rst_n_{"rst_n"};
    sc_core::sc_signal<bool> done_{"done"}, error_{"error"};
    std::unique_ptr<Chip> chip_;
    std::unique_ptr<Host> host_;
    Cycles started_at_, cycles_;
};

} // namespace aicore::tb
