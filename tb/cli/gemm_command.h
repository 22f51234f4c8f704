// `aicore gemm`: generates, runs and checks a matrix product.
#pragma once

#include "tb/cli/command.h"

namespace aicore::tb {

/// Adds the command; `action` is set when it is given.
void add_gemm_command(CLI::App& app, CommandAction& action);

} // namespace aicore::tb
