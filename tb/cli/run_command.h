// `aicore run`: runs a program file.
#pragma once

#include "tb/cli/command.h"

namespace aicore::tb {

/// Adds the command; `action` is set when it is given.
void add_run_command(CLI::App& app, CommandAction& action);

} // namespace aicore::tb
