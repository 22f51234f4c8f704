// `aicore validate`: published figures beside simulated ones.
#pragma once

#include "tb/validate/validation.h"

#include <ostream>
#include <string>
#include <vector>

namespace aicore::tb {

struct ValidateOptions {
    std::string rows_file; ///< find_data_file(kValidationRows) unless chosen otherwise
    std::string platform_file;
    std::vector<std::string> overrides; ///< "path=value", for all rows
    std::vector<std::string> ids;       ///< rows to show; empty: all
    bool list = false;                  ///< ids and workloads only, nothing runs
    bool json = false;                  ///< schema aicore-validate/1 instead of the table
};

/// Name of the file of rows among the data files.
inline constexpr const char* kValidationRows = "tb/validate/validation.yaml";
/// Exit code when a row misses its tolerance.
inline constexpr int kToleranceMissed = 4;

/// Runs the rows and prints their figures to `out`. Returns 0 or kToleranceMissed. Rows that the
/// chosen ones need run too. Throws InputError for bad input and an unknown id, std::runtime_error
/// for a run that does not end. As for simulate_rows(), this process has set the time resolution
/// and has elaborated nothing yet.
int validate_command(const ValidateOptions& options, std::ostream& out);

} // namespace aicore::tb
