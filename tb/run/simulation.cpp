#include "tb/run/simulation.h"

#include <algorithm>

namespace aicore::tb {

namespace {

/// Cycles between two looks at the progress of a run: the most, and at least so many of them before
/// a run without progress counts as a hang.
constexpr std::int64_t kSliceCycles = 500'000;
constexpr std::int64_t kLooks = 4;

} // namespace

void set_time_resolution() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

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
    chip_->error(error_);
    host_ = std::make_unique<Host>("host", chip_->ai_core_count());
    host_->done(done_);
    host_->error(error_);
    for (std::size_t i = 0; i < host_->ctrl_isocks.size(); ++i) {
        host_->ctrl_isocks[i].bind(chip_->ctrl_tsocks[i]);
    }
}

Simulation::~Simulation() = default;

void Simulation::advance(Cycles cycles) { sc_core::sc_start(time_of(cycles)); }

sc_core::sc_time Simulation::time_of(Cycles cycles) const {
    return sc_core::sc_time::from_value(period_.value() *
                                        static_cast<std::uint64_t>(cycles.count()));
}

RunOutcome Simulation::run(InstructionSource& program, const Progress& progress) {
    return run({{&chip_->aic(), &program}}, progress);
}

RunOutcome Simulation::run(const std::vector<CoreSource>& programs, const Progress& progress) {
    set_reset(true);
    advance(Cycles(2));
    set_reset(false);
    return launch(programs, progress);
}

RunOutcome Simulation::launch(const std::vector<CoreSource>& programs, const Progress& progress) {
    start(programs);
    return wait_for_end(progress);
}

void Simulation::start(const std::vector<CoreSource>& programs) {
    if (sc_core::sc_pending_activity_at_current_time()) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME); // the chip sees its pins
    }
    std::vector<bool> in_grid;
    for (int i = 0; i < chip_->ai_core_count(); ++i) {
        std::vector<InstructionSource*> sources;
        for (const Core* core : chip_->ai_core(i).cores()) {
            const auto program =
                std::find_if(programs.begin(), programs.end(),
                             [core](const CoreSource& one) { return one.core == core; });
            sources.push_back(program == programs.end() ? nullptr : program->source);
            in_grid.push_back(program != programs.end());
        }
        chip_->ai_core(i).set_sources(std::move(sources));
    }
    chip_->cross_core_flags().set_grid(in_grid);
    for (std::size_t i = 0; i < host_->ctrl_isocks.size(); ++i) {
        host_->write(i, control_register::kControl, control_register::kStart);
    }
}

RunOutcome Simulation::wait_for_end(const Progress& progress) {
    const Cycles slice(
        std::clamp<std::int64_t>(options_.no_progress_limit.count() / kLooks, 1, kSliceCycles));
    std::uint64_t last_work = retired() + steps();
    Cycles last_progress;
    while (true) {
        sc_core::sc_start(time_of(slice), sc_core::SC_EXIT_ON_STARVATION);
        const Cycles now = chip_->clock().now();
        started_at_ = chip_->ai_core(0).started_at();
        last_progress = std::max(last_progress, started_at_);
        cycles_ = Cycles(0);
        for (int i = 0; i < chip_->ai_core_count(); ++i) {
            cycles_ = std::max(cycles_, chip_->ai_core(i).cycles());
        }
        if (error_.read()) return RunOutcome::error;
        if (done_.read()) return RunOutcome::finished;
        if (!sc_core::sc_pending_activity()) return RunOutcome::stuck;
        const std::uint64_t retired_now = retired();
        const std::uint64_t work = retired_now + steps();
        if (work > last_work) { // less: an instruction that polls has begun
            last_work = work;
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
