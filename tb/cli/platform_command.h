// `aicore platform`: prints the platform that the other options give.
#pragma once

#include "tb/cli/command.h"

namespace aicore::tb {

/// Adds the command; `action` is set when it is given.
void add_platform_command(CLI::App& app, CommandAction& action);

} // namespace aicore::tb
