#include "tb/cli/run_command.h"

#include "hw/config/platform_loader.h"
#include "tb/check/golden_check.h"
#include "tb/cli/platform_options.h"
#include "tb/cli/run_job.h"
#include "tb/program/program_check.h"
#include "tb/program/program_source.h"

#include <memory>

namespace aicore::tb {
namespace {

constexpr const char* kCore = "aic0";

struct ProgramOptions {
    std::string file;
    PlatformOptions platform;
    RunOptions run;
};

const CoreProgram& only_core(const Program& program) {
    for (const CoreProgram& core : program.cores) {
        if (core.core != kCore) {
            throw InputError(program.file + ": cores." + core.core +
                             ": the chip has one cube core, aic0");
        }
    }
    const CoreProgram* const core = program.find_core(kCore);
    if (core == nullptr) throw InputError(program.file + ": cores: no program for aic0");
    return *core;
}

int run_program(const ProgramOptions& options) {
    const Platform platform = options.platform.load();
    const IsaLimits limits = isa_limits(platform);
    const Program program = load_program(options.file, limits);
    const CoreProgram& core = only_core(program);
    check_goldens(program.tensors, program.file);
    ProgramSource source(program, core);
    RunJob job;
    job.title = "program " + program.name + " (" + program.file + ")";
    job.file = program.file;
    job.tensors = program.tensors;
    job.source = &source;
    job.instructions = check_program(program, limits);
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
