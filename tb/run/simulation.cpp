#include "tb/run/simulation.h"

#include <algorithm>

namespace aicore::tb {

namespace {

/// Cycles between two looks at the progress of a run.
constexpr std::int64_t kSliceCycles = 500'000;

} // namespace

void set_time_resolution() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

/// Ends a slice when the program is over: with a toggling clock there is always something to do.
class Simulation::DoneWatcher : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> done{"done"};

    SC_HAS_PROCESS(DoneWatcher);
    explicit DoneWatcher(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_METHOD(on_done);
        sensitive << done.pos();
        dont_initialize();
    }

private:
    void on_done() { sc_core::sc_pause(); }
};

Simulation::Simulation(const Platform& platform, const SimulationOptions& options)
    : platform_(platform), options_(options), period_(clock_period(platform.clock)) {
    chip_ = std::make_unique<Chip>("chip", platform_, options_.core);
    if (options_.toggling_clock) {
        toggling_clk_ = std::make_unique<sc_core::sc_clock>("clk", period_);
        chip_->clk(*toggling_clk_);
    } else {
        quiet_clk_ = std::make_unique<QuietClock>("clk", period_);
        chip_->clk(*quiet_clk_);
    }
    chip_->rst_n(rst_n_);
    chip_->done(done_);
    watcher_ = std::make_unique<DoneWatcher>("done_watcher");
    watcher_->done(done_);
}

Simulation::~Simulation() = default;

void Simulation::advance(Cycles cycles) {
    sc_core::sc_start(
        sc_core::sc_time::from_value(period_.value() * static_cast<std::uint64_t>(cycles.count())));
}

RunOutcome Simulation::run(InstructionSource& program, const Progress& progress) {
    return run({{&chip_->aic(), &program}}, progress);
}

RunOutcome Simulation::run(const std::vector<CoreSource>& programs, const Progress& progress) {
    for (Core* core : chip_->cores()) core->scalar().set_source(nullptr);
    for (const CoreSource& program : programs) program.core->scalar().set_source(program.source);
    set_grid(programs);
    set_reset(true);
    advance(Cycles(2));
    set_reset(false);
    return wait_for_end(progress);
}

RunOutcome Simulation::launch(const std::vector<CoreSource>& programs, const Progress& progress) {
    set_grid(programs);
    for (const CoreSource& program : programs) program.core->scalar().start(*program.source);
    return wait_for_end(progress);
}

void Simulation::set_grid(const std::vector<CoreSource>& programs) {
    std::vector<bool> in_grid(chip_->cores().size(), false);
    for (const CoreSource& program : programs) {
        const auto at = std::find(chip_->cores().begin(), chip_->cores().end(), program.core);
        in_grid[static_cast<std::size_t>(at - chip_->cores().begin())] = true;
    }
    chip_->cross_core_flags().set_grid(in_grid);
}

RunOutcome Simulation::wait_for_end(const Progress& progress) {
    std::uint64_t last_work = 0;
    Cycles last_progress = chip_->clock().now();
    while (true) {
        sc_core::sc_start(
            sc_core::sc_time::from_value(period_.value() * std::uint64_t(kSliceCycles)),
            sc_core::SC_EXIT_ON_STARVATION);
        const Cycles now = chip_->clock().now();
        cycles_ = now;
        if (!chip_->error().empty()) return RunOutcome::error;
        if (done_.read()) {
            cycles_ = Cycles(0);
            for (Core* core : chip_->cores()) {
                cycles_ = std::max(cycles_, core->scalar().done_at());
            }
            return RunOutcome::finished;
        }
        if (!sc_core::sc_pending_activity()) return RunOutcome::stuck;
        const std::uint64_t retired_now = retired();
        if (retired_now + steps() > last_work) { // less: an instruction that polls has begun
            last_work = retired_now + steps();
            last_progress = now;
        } else if (now - last_progress >= options_.no_progress_limit) {
            return RunOutcome::no_progress;
        }
        if (progress && !progress(now, retired_now)) return RunOutcome::no_progress;
    }
}

std::uint64_t Simulation::retired() const {
    std::uint64_t total = 0;
    for (const Core* core : chip_->cores()) total += core->scalar().retired();
    return total;
}

/// Work inside of instructions that may last for any time: counter mode has up to 2^32 elements.
std::uint64_t Simulation::steps() const {
    std::uint64_t total = 0;
    for (const Core* core : chip_->cores()) {
        for (const Engine* engine : core->engines()) total += engine->steps();
    }
    return total;
}

} // namespace aicore::tb
