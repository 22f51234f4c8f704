// Where the files that come with the program are: the default platform, the published figures.
#pragma once

#include <string>

namespace aicore {

/// Path of a file that comes with the program, as "platform.yaml". It is looked for in the
/// directory that the environment variable AICORE_SC_DATA names when it is set; else in
/// ../share/aicore-sc beside the directory of the executable, then in the source tree of the build.
/// Throws InputError that lists where it looked.
std::string find_data_file(const std::string& name);

/// The platform file that a user means: "" and "2201" are the base, another number is the variant
/// of that architecture (hw/config/platforms), anything else is a path. Throws InputError when a
/// file that comes with the program is not there.
std::string find_platform_file(const std::string& wanted);

} // namespace aicore
