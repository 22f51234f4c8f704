#include "tb/cli/command_line.h"

#include "hw/config/strict_yaml.h"
#include "tb/cli/compile_command.h"
#include "tb/cli/exit_code.h"
#include "tb/cli/gemm_command.h"
#include "tb/cli/platform_command.h"
#include "tb/cli/run_command.h"
#include "tb/cli/sc_reports.h"
#include "tb/cli/validate_command.h"
#include "tb/observe/output_file.h"

#include <iostream>

#include <systemc>

namespace aicore::tb {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 good, 2 bad input, 3 hang, 4 result differs from its golden,\n"
    "1 internal error. Each command has its own --help.";

int fail(int code, const std::string& message) {
    std::cerr << "aicore: error: " << message << '\n';
    return code;
}

int run_action(const CommandAction& action) {
    try {
        return action();
    } catch (const InputError& error) {
        return fail(kExitBadInput, error.what());
    } catch (const OutputError& error) {
        return fail(kExitBadInput, error.what());
    } catch (const sc_core::sc_report& report) {
        if (const std::exception_ptr original = uncaught_in_process()) {
            return run_action([&original]() -> int { std::rethrow_exception(original); });
        }
        return fail(kExitInternal, std::string(report.get_msg_type()) + ": " + report.get_msg());
    } catch (const std::exception& error) {
        return fail(kExitInternal, error.what());
    }
}

} // namespace

int run_command_line(int argc, const char* const* argv) {
    install_report_handler();
    CLI::App app("Cycle- and bit-accurate model of the Ascend AI Core", "aicore");
    app.require_subcommand(0, 1); // 1, 1 would complain before it names a word that is no command
    app.footer(kFooter);
    CommandAction action;
    add_gemm_command(app, action);
    add_run_command(app, action);
    add_compile_command(app, action);
    add_validate_command(app, action);
    add_platform_command(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return fail(kExitBadInput, error.what());
    }
    if (!action) return fail(kExitBadInput, "no command given, --help lists them");
    return run_action(action);
}

} // namespace aicore::tb
