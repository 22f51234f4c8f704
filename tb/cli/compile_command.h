// `aicore compile`: the binary image of a program file.
#pragma once

#include "tb/cli/command.h"

namespace aicore::tb {

void add_compile_command(CLI::App& app, CommandAction& action);

} // namespace aicore::tb
