// Runs the rows that need a simulation.
#pragma once

#include "tb/validate/validation.h"

#include <map>
#include <string>
#include <vector>

namespace aicore::tb {

/// Figures of the simulated rows by id; other rows are skipped. The platform is the one that a row
/// names or else `platform_file`, with `overrides`, then the changes of each row. Programs are
/// checked before anything runs: throws InputError for a bad one. Throws std::runtime_error for a
/// run that does not end.
///
/// Rows run one after another in a child process for each platform. This process has set the time
/// resolution and has elaborated nothing yet.
std::map<std::string, double> simulate_rows(const std::vector<ValidationRow>& rows,
                                            const std::string& platform_file,
                                            const std::vector<std::string>& overrides);

} // namespace aicore::tb
