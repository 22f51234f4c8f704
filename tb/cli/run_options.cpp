#include "tb/cli/run_options.h"

#include "tb/cli/command.h"

#include <filesystem>

namespace aicore::tb {

void RunOptions::add_to(CLI::App& command) {
    const std::string files = "Result files", run = "Simulation";
    command.add_option("--stats", stats, "Write statistics as JSON")
        ->type_name("FILE")
        ->group(files);
    command
        .add_option("--timeline", timeline,
                    "Write a timeline (Chrome trace events, opens in Perfetto)")
        ->type_name("FILE")
        ->group(files);
    CLI::Option* const waveform =
        command
            .add_option("--vcd", vcd,
                        "Write a waveform and, beside it, a save file for GTKWave (.gtkw)")
            ->type_name("FILE")
            ->group(files);
    command
        .add_option("--vcd-scope", vcd_scopes,
                    "Only variables at or below this path, as aic0.cube; may be repeated")
        ->type_name("PATH")
        ->allow_extra_args(false)
        ->needs(waveform)
        ->group(files);
    command.add_option("--vcd-from", vcd_from, "First cycle of the waveform")
        ->type_name("CYCLE")
        ->check(at_least(0))
        ->needs(waveform)
        ->group(files);
    command.add_option("--vcd-to", vcd_to, "Last cycle of the waveform")
        ->type_name("CYCLE")
        ->check(at_least(0))
        ->needs(waveform)
        ->group(files);
    command
        .add_option("--clock", clock,
                    "Clock pin: quiet (fast) or toggling (a real square wave); same results")
        ->type_name("quiet|toggling")
        ->check(one_of({"quiet", "toggling"}))
        ->group(run);
    command.add_flag("--check-protocol", check_protocol, "Check every TLM transaction")->group(run);
    command
        .add_option("--no-progress-cycles", no_progress_cycles,
                    "Call it a hang when no instruction makes progress for so long")
        ->capture_default_str()
        ->type_name("CYCLES")
        ->check(at_least(1))
        ->group(run);
    command.add_flag("--quiet", quiet, "No report and no progress line")->group(run);
}

SimulationOptions RunOptions::simulation() const {
    SimulationOptions options;
    options.core.check_protocol = check_protocol;
    options.toggling_clock = clock == "toggling";
    options.no_progress_limit = Cycles(no_progress_cycles);
    return options;
}

std::string RunOptions::gtkw() const {
    return vcd.empty() ? "" : std::filesystem::path(vcd).replace_extension(".gtkw").string();
}

} // namespace aicore::tb
