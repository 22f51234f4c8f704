// The command line of the program.
#pragma once

namespace aicore::tb {

/// Runs the command that the arguments name. Errors are printed to standard error. Returns the exit
/// code.
int run_command_line(int argc, const char* const* argv);

} // namespace aicore::tb
