// `aicore validate`: published figures beside simulated ones.
#pragma once

#include "tb/cli/command.h"

namespace aicore::tb {

/// Adds the command; `action` is set when it is given.
void add_validate_command(CLI::App& app, CommandAction& action);

} // namespace aicore::tb
