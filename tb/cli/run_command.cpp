#include "tb/cli/run_command.h"

#include "hw/config/platform_loader.h"
#include "tb/check/golden_check.h"
#include "tb/cli/platform_options.h"
#include "tb/cli/run_job.h"
#include "tb/program/program_check.h"
#include "tb/program/program_source.h"

#include <iostream>
#include <memory>

namespace aicore::tb {
namespace {

struct ProgramOptions {
    std::string file;
    PlatformOptions platform;
    RunOptions run;
};

int run_program(const ProgramOptions& options) {
    const Platform platform = options.platform.load();
    const IsaLimits limits = isa_limits(platform);
    const Program program = load_program(options.file, limits);
    check_goldens(program.tensors, program.file);
    RunJob job;
    job.title = "program " + program.name + " (" + program.file + ")";
    job.file = program.file;
    job.tensors = program.tensors;
    const ProgramCheck check = check_program(program, limits, platform.chip);
    job.instructions = check.instructions;
    for (const std::string& warning : check.warnings) {
        std::cerr << "aicore: warning: " << warning << '\n';
    }
    std::vector<std::unique_ptr<ProgramSource>> sources;
    for (std::size_t launch = 0; launch < program.launches.size(); ++launch) {
        job.launches.emplace_back();
        for (const CoreInstance& instance : core_instances(program, platform.chip, launch)) {
            sources.push_back(std::make_unique<ProgramSource>(program, instance));
            job.launches.back().push_back({instance.core, sources.back().get()});
        }
        if (job.launches.back().empty())
            throw InputError(program.file + ": cores: no program for any core");
    }
    return run_job(job, platform, options.run);
}

} // namespace

void add_run_command(CLI::App& app, CommandAction& action) {
    CLI::App* const command =
        app.add_subcommand("run", "Run a program file and check the tensors that have a golden");
    const auto options = std::make_shared<ProgramOptions>();
    command->add_option("program", options->file, "Program (YAML or JSON)")
        ->type_name("FILE")
        ->required();
    options->run.add_to(*command);
    options->platform.add_to(*command);
    command->callback([options, &action] { action = [options] { return run_program(*options); }; });
}

} // namespace aicore::tb
