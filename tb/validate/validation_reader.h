// The reader of the validation rows.
#pragma once

#include "tb/validate/validation.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// Reads the rows of a file and of those that it includes, whose names are relative to it; sweeps
/// become one row for each value. Throws InputError
/// "file:line:column: ..." for a key, word or value that is not allowed, an id that is used twice,
/// and a use of a row that does not stand before.
std::vector<ValidationRow> load_validation_rows(const std::string& file);

/// The same from text; `file` names it in messages.
std::vector<ValidationRow> load_validation_text(const std::string& text, const std::string& file);

} // namespace aicore::tb
