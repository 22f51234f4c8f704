#include "tb/cli/run_job.h"

#include "tb/check/golden_check.h"
#include "tb/cli/exit_code.h"
#include "tb/cli/output_stream.h"
#include "tb/cli/run_recorder.h"
#include "tb/report/run_report.h"
#include "tb/run/hang_report.h"
#include "tb/run/leftover_flags.h"
#include "tb/run/progress.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>
#include <optional>

namespace aicore::tb {
namespace {

constexpr const char* kProgram = "program";

using TensorBytes = std::vector<std::uint8_t>;

/// Expected bytes of every tensor that has a golden, in order.
std::vector<TensorBytes> all_golden_bytes(const std::vector<Tensor>& tensors) {
    std::vector<TensorBytes> all;
    for (const Tensor& tensor : tensors) {
        if (has_golden(tensor)) all.push_back(golden_bytes(tensor, tensors));
    }
    return all;
}

/// Each core that has a program in some launch, once.
std::vector<std::string> used_cores(const RunJob& job) {
    std::vector<std::string> cores;
    for (const RunJob::Launch& launch : job.launches) {
        for (const RunJob::CoreJob& program : launch) {
            if (std::find(cores.begin(), cores.end(), program.core) == cores.end())
                cores.push_back(program.core);
        }
    }
    return cores;
}

int sub_block_of(TensorMemory ub) { return ub == TensorMemory::UB1 ? 1 : 0; }

void load_tensors(const std::vector<Tensor>& tensors, Simulation& simulation) {
    const auto is_on_chip = [](const Tensor& t) { return !t.is_in_gm(); };
    if (std::any_of(tensors.begin(), tensors.end(), is_on_chip)) {
        simulation.set_reset(true); // a reset after the load would undo it
        simulation.advance(Cycles(1));
    }
    for (const Tensor& tensor : tensors) {
        if (!tensor.l2_cache) {
            simulation.chip().gm().timing().disable_l2(tensor.address,
                                                       static_cast<std::uint64_t>(tensor.bytes()));
        }
        TensorBytes bytes = initial_bytes(tensor);
        if (bytes.empty()) continue;
        if (!is_on_chip(tensor)) {
            simulation.chip().gm().load(tensor.address, bytes.data(), bytes.size());
        } else {
            simulation.chip().aic().debug_write(Buffer::UB, tensor.address, bytes.data(),
                                                static_cast<unsigned>(bytes.size()),
                                                sub_block_of(tensor.memory));
        }
    }
}

TensorBytes content_of(const Tensor& tensor, Chip& chip) {
    TensorBytes bytes(static_cast<std::size_t>(tensor.bytes()));
    if (tensor.is_in_gm()) {
        chip.gm().dump(tensor.address, bytes.data(), bytes.size());
    } else {
        chip.aic().debug_read(Buffer::UB, tensor.address, bytes.data(),
                              static_cast<unsigned>(bytes.size()), sub_block_of(tensor.memory));
    }
    return bytes;
}

std::vector<TensorCheck> check_tensors(const std::vector<Tensor>& tensors, Chip& chip,
                                       const std::vector<TensorBytes>& goldens) {
    std::vector<TensorCheck> checks;
    for (const Tensor& tensor : tensors) {
        if (!has_golden(tensor)) continue;
        const TensorBytes actual = content_of(tensor, chip);
        checks.push_back(compare_with_golden(tensor, actual, goldens[checks.size()]));
    }
    return checks;
}

RunSummary summarize(const std::vector<TensorCheck>& checks, Cycles cycles,
                     const std::vector<Cycles>& launches, const MemoryTraffic& memory,
                     int clock_mhz) {
    RunSummary summary;
    summary.cycles = cycles;
    summary.launches = launches;
    summary.memory = memory;
    summary.clock_mhz = clock_mhz;
    for (const TensorCheck& check : checks) {
        summary.checked += check.checked;
        summary.mismatches += check.mismatches;
        summary.max_abs_error = std::max(summary.max_abs_error, check.max_abs_error);
    }
    return summary;
}

std::vector<WrittenFile> written_files(const OutputSet& files) {
    std::vector<WrittenFile> written;
    for (const OutputRequest& request : files.requests()) {
        written.push_back({request.what, request.path});
    }
    return written;
}

struct Simulated {
    RunOutcome outcome;
    double wall_seconds;
    std::vector<Cycles> launches; ///< cycles of each that was started
};

Simulated simulate(Simulation& simulation, const RunJob& job, const RunOptions& options) {
    std::optional<ProgressLine> progress;
    if (!options.quiet) progress.emplace(stderr, job.instructions);
    const auto start = std::chrono::steady_clock::now();
    const auto show = [&progress](Cycles now, std::uint64_t retired) {
        if (progress) progress->update(now, retired);
        return true;
    };
    Simulated simulated{RunOutcome::finished, 0, {}};
    for (const RunJob::Launch& launch : job.launches) {
        std::vector<CoreSource> programs;
        for (const RunJob::CoreJob& program : launch) {
            programs.push_back({simulation.chip().find_core(program.core), program.source});
        }
        simulated.outcome = simulated.launches.empty() ? simulation.run(programs, show)
                                                       : simulation.launch(programs, show);
        simulated.launches.push_back(simulation.cycles());
        if (simulated.outcome != RunOutcome::finished) break;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    simulated.wall_seconds = wall.count();
    return simulated;
}

int verdict(const std::vector<TensorCheck>& checks) {
    int code = kExitGood;
    for (const TensorCheck& check : checks) {
        if (check.passed) continue;
        std::cerr << "aicore: wrong result: " << describe_check(check) << '\n';
        code = kExitMismatch;
    }
    return code;
}

} // namespace

int run_job(const RunJob& job, const Platform& platform, const RunOptions& options) {
    set_time_resolution();
    Simulation simulation(platform, options.simulation());
    const std::vector<std::string> cores = used_cores(job);
    simulation.chip().observers().set_in_use(cores);
    RunRecorder recorder(options, {{kProgram, job.program_file}}, simulation);
    if (OutputFile* const file = recorder.files().find(kProgram)) {
        OutputStream stream(*file);
        job.write_program(stream);
        for (const RunJob::CoreJob& program : job.launches.front()) program.source->rewind();
    }
    std::future<std::vector<TensorBytes>> goldens =
        std::async(std::launch::async, [&job] { return all_golden_bytes(job.tensors); });
    load_tensors(job.tensors, simulation);

    const auto [outcome, wall_seconds, launches] = simulate(simulation, job, options);
    const Cycles cycles = simulation.started_at() + simulation.cycles(); // since the reset
    recorder.finish(cycles);
    std::vector<TensorCheck> checks;
    if (outcome == RunOutcome::finished) {
        checks = check_tensors(job.tensors, simulation.chip(), goldens.get());
    }
    const MemoryTraffic memory = simulation.chip().gm().traffic();
    recorder.close(summarize(checks, cycles, launches, memory, platform.clock.frequency_mhz));
    const auto place_text = [&job](SourcePlace place) {
        return job.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    };
    if (outcome == RunOutcome::error) {
        std::cerr << "aicore: " << job.file << ": " << simulation.chip().error_message() << '\n';
        return kExitBadInput;
    }
    if (outcome != RunOutcome::finished) {
        std::vector<RunCore> run_cores;
        for (const RunJob::CoreJob& program : job.launches[launches.size() - 1]) {
            run_cores.push_back({simulation.chip().find_core(program.core), program.source});
        }
        std::cerr << "aicore: ";
        if (job.launches.size() > 1) {
            std::cerr << "launch " << launches.size() << " of " << job.launches.size() << ": ";
        }
        write_hang_report(std::cerr, run_cores, outcome, cycles, platform.engines.fixpipe.layout,
                          place_text);
        return kExitHang;
    }
    for (const std::string& name : cores) {
        const Core& core = *simulation.chip().find_core(name);
        for (const std::string& warning : leftover_flags(core, place_text)) {
            std::cerr << "aicore: warning: " << warning << '\n';
        }
    }
    if (!options.quiet) {
        const RunReport report{job.title,
                               platform,
                               simulation.chip().observers(),
                               recorder.statistics(),
                               recorder.cube_work(),
                               cycles,
                               launches,
                               memory,
                               wall_seconds,
                               checks,
                               written_files(recorder.files())};
        print_run_report(std::cout, report);
    }
    return verdict(checks);
}

} // namespace aicore::tb
