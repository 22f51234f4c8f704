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

/// A run whose program is read and checked, or planned, and the rows whose figures it gives.
struct Job {
    std::vector<const ValidationRow*> rows;
    std::unique_ptr<Program> program; ///< outlives the source that walks it
    struct CoreJob {
        std::string core;
        std::unique_ptr<InstructionSource> source;
    };
    std::vector<CoreJob> cores;
};

/// Jobs that run in the same process.
struct PlatformJobs {
    Platform platform;
    std::vector<Job> jobs;
};

Job prepare(const ValidationRow& row, const Platform& platform) {
    Job job;
    job.rows.push_back(&row);
    if (const auto* gemm = std::get_if<GemmWork>(&row.work)) {
        job.cores.push_back(
            {"aic0", std::make_unique<GemmSource>(plan_gemm(gemm->spec, platform))});
    } else {
        const auto& work = std::get<ProgramWork>(row.work);
        job.program =
            std::make_unique<Program>(read_statements(work.body, work.variables, work.core));
        check_program(*job.program, isa_limits(platform), platform.chip);
        for (const CoreInstance& instance : core_instances(*job.program, platform.chip)) {
            job.cores.push_back(
                {instance.core, std::make_unique<ProgramSource>(*job.program, instance)});
        }
    }
    return job;
}

double figure_of(const ValidationRow& row, const Simulation& simulation,
                 const PipeRecorder& recorder) {
    if (row.measure.figure == Figure::total)
        return static_cast<double>(simulation.cycles().count());
    try {
        return recorder.figure(row.measure);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(row.id + ": " + error.what());
    }
}

void run(const Job& job, Simulation& simulation, PipeRecorder& recorder, nlohmann::json& figures) {
    recorder.clear();
    std::vector<CoreSource> sources;
    for (const Job::CoreJob& core : job.cores)
        sources.push_back({simulation.chip().find_core(core.core), core.source.get()});
    const ValidationRow& first = *job.rows.front();
    simulation.chip().gm().timing().disable_l2(0, first.l2_disabled_bytes);
    if (simulation.run(sources) != RunOutcome::finished)
        throw std::runtime_error(first.id + ": the program hangs");
    for (const ValidationRow* row : job.rows)
        figures[row->id] = figure_of(*row, simulation, recorder);
}

/// The figures by the ids of their rows, as text that a process can hand to another.
std::string run_all(const PlatformJobs& group) {
    Simulation simulation(group.platform);
    simulation.chip().gm().timing().preload(0, kOperandBytes);
    PipeRecorder recorder;
    simulation.chip().observers().add(recorder);
    nlohmann::json figures;
    for (const Job& job : group.jobs) run(job, simulation, recorder, figures);
    return figures.dump();
}

/// The job of an earlier row; the reader has seen that there is one.
Job& job_of(std::vector<PlatformJobs>& groups, const std::string& id) {
    for (PlatformJobs& group : groups) {
        for (Job& job : group.jobs) {
            if (job.rows.front()->id == id) return job;
        }
    }
    throw std::logic_error(id + " has no run");
}

std::vector<PlatformJobs> prepare_all(const std::vector<ValidationRow>& rows,
                                      const std::string& platform_file,
                                      const std::vector<std::string>& overrides) {
    std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> group_of;
    std::vector<PlatformJobs> groups;
    for (const ValidationRow& row : rows) {
        if (!row.is_simulated()) continue;
        if (row.same_run() != nullptr) {
            job_of(groups, row.same_run()->row).rows.push_back(&row);
            continue;
        }
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
    for (const auto& task : tasks) {
        const nlohmann::json results = nlohmann::json::parse(task->result());
        for (const auto& [id, figure] : results.items()) figures[id] = figure.get<double>();
    }
    return figures;
}

} // namespace aicore::tb
