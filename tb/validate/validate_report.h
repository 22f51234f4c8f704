// What `aicore validate` prints.
#pragma once

#include "tb/validate/validation.h"

#include <ostream>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace aicore::tb {

struct ReportedRow {
    const ValidationRow* row = nullptr;
    RowResult result;
};

/// Table for people; rows that follow one another with the same source share a heading.
void print_validation_table(const std::vector<ReportedRow>& rows, std::ostream& out);

/// Schema "aicore-validate/1". A mean of errors is in percent, everything else in cycles; null: no
/// error (published 0), no tolerance or verdict (report only).
nlohmann::ordered_json validation_json(const std::vector<ReportedRow>& rows);

} // namespace aicore::tb
