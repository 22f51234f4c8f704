#include "tb/validate/measuring.h"

#include "hw/config/data_files.h"
#include "hw/config/platform_loader.h"
#include "tb/program/program_check.h"
#include "tb/program/program_source.h"
#include "tb/run/simulation.h"
#include "tb/validate/forked_task.h"
#include "tb/validate/pipe_recorder.h"
#include "tb/workload/gemm_source.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

namespace aicore::tb {
namespace {

/// Programs of rows have no tensors: their operands lie at the beginning of GM.
constexpr std::uint64_t kOperandBytes = std::uint64_t(16) << 20;

/// A row whose program is read and checked, or planned.
struct Job {
    const ValidationRow* row = nullptr;
    std::unique_ptr<Program> program; ///< outlives the source that walks it
    std::unique_ptr<InstructionSource> source;
    std::string core = "aic0";
};

/// Jobs that run in the same process.
struct PlatformJobs {
    Platform platform;
    std::vector<Job> jobs;
};

Job prepare(const ValidationRow& row, const Platform& platform) {
    Job job;
    job.row = &row;
    if (const auto* gemm = std::get_if<GemmWork>(&row.work)) {
        job.source = std::make_unique<GemmSource>(plan_gemm(gemm->spec, platform));
    } else {
        const auto& work = std::get<ProgramWork>(row.work);
        job.program =
            std::make_unique<Program>(read_statements(work.body, work.variables, work.core));
        job.core = work.core;
        check_program(*job.program, isa_limits(platform), platform.chip);
        job.source = std::make_unique<ProgramSource>(*job.program, job.program->cores.front());
    }
    return job;
}

double run(const Job& job, Simulation& simulation, PipeRecorder& recorder) {
    recorder.clear();
    if (simulation.run({{simulation.chip().find_core(job.core), job.source.get()}}) !=
        RunOutcome::finished) {
        throw std::runtime_error(job.row->id + ": the program hangs");
    }
    const Measurement& measure = job.row->measure;
    if (measure.figure == Figure::total) return static_cast<double>(simulation.cycles().count());
    try {
        return recorder.figure(measure);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(job.row->id + ": " + error.what());
    }
}

/// The figures in the order of the jobs, as text that a process can hand to another.
std::string run_all(const PlatformJobs& group) {
    Simulation simulation(group.platform);
    simulation.chip().gm().timing().preload(0, kOperandBytes);
    PipeRecorder recorder;
    simulation.chip().observers().add(recorder);
    nlohmann::json figures = nlohmann::json::array();
    for (const Job& job : group.jobs) figures.push_back(run(job, simulation, recorder));
    return figures.dump();
}

std::vector<PlatformJobs> prepare_all(const std::vector<ValidationRow>& rows,
                                      const std::string& platform_file,
                                      const std::vector<std::string>& overrides) {
    std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> group_of;
    std::vector<PlatformJobs> groups;
    for (const ValidationRow& row : rows) {
        if (!row.is_simulated()) continue;
        const auto [known, is_new] =
            group_of.try_emplace({row.platform, row.platform_set}, groups.size());
        if (is_new) {
            std::vector<std::string> changes = overrides;
            changes.insert(changes.end(), row.platform_set.begin(), row.platform_set.end());
            const std::string file =
                row.platform.empty() ? platform_file : find_platform_file(row.platform);
            groups.push_back({load_platform(file, changes), {}});
        }
        PlatformJobs& group = groups[known->second];
        group.jobs.push_back(prepare(row, group.platform));
    }
    return groups;
}

} // namespace

std::map<std::string, double> simulate_rows(const std::vector<ValidationRow>& rows,
                                            const std::string& platform_file,
                                            const std::vector<std::string>& overrides) {
    const std::vector<PlatformJobs> groups = prepare_all(rows, platform_file, overrides);
    std::vector<std::unique_ptr<ForkedTask>> tasks;
    tasks.reserve(groups.size());
    for (const PlatformJobs& group : groups) {
        tasks.push_back(std::make_unique<ForkedTask>([&group] { return run_all(group); }));
    }
    std::map<std::string, double> figures;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const nlohmann::json results = nlohmann::json::parse(tasks[i]->result());
        for (std::size_t j = 0; j < groups[i].jobs.size(); ++j) {
            figures[groups[i].jobs[j].row->id] = results[j].get<double>();
        }
    }
    return figures;
}

} // namespace aicore::tb
