// One simulation: the chip, its pins, and the run until the program is over or stuck.
#pragma once

#include "hw/core/chip.h"
#include "hw/scalar/instruction_source.h"

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
    error,       ///< the program did something illegal: Chip::error()
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
    /// Runs further programs when the last ones are over, without a reset: memories, flags,
    /// counters, CTRL and the vector masks are as those have left them.
    RunOutcome launch(const std::vector<CoreSource>& programs, const Progress& progress = {});
    /// Cycles since the last reset: from cycle 0 to the edge at which everything was complete.
    Cycles cycles() const { return cycles_; }

    /// Lets time pass with the pins as they are / drives the reset pin, for tests of the pins.
    void advance(Cycles cycles);
    void set_reset(bool active) { rst_n_.write(!active); }

private:
    class DoneWatcher;

    /// Names the cores that take part in cross-core flags.
    void set_grid(const std::vector<CoreSource>& programs);
    RunOutcome wait_for_end(const Progress& progress);
    std::uint64_t retired() const;
    std::uint64_t steps() const;

    Platform platform_;
    SimulationOptions options_;
    sc_core::sc_time period_;
    std::unique_ptr<sc_core::sc_signal<bool>> quiet_clk_;
    std::unique_ptr<sc_core::sc_clock> toggling_clk_;
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> rst_n_{"rst_n"};
    sc_core::sc_signal<bool> done_{"done"};
    std::unique_ptr<Chip> chip_;
    std::unique_ptr<DoneWatcher> watcher_;
    Cycles cycles_;
};

} // namespace aicore::tb
