// Where the files that come with the program are: the default platform, the published figures.
#pragma once

#include <string>

namespace aicore {

/// Path of a file that comes with the program, as "platform.yaml". It is looked for in the
/// directory that the environment variable AICORE_SC_DATA names when it is set; else in
/// ../share/aicore-sc beside the directory of the executable, then in the source tree of the build.
/// Throws InputError that lists where it looked.
std::string find_data_file(const std::string& name);

} // namespace aicore
