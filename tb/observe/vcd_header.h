// The declarations at the head of a VCD file.
#pragma once

#include "tb/observe/vcd_writer.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// Short identifier of a variable in the value changes: printable characters, base 94.
std::string vcd_identifier(int index);

/// Header with a time scale of 1 fs and nested scopes. The i-th variable has identifier i. It holds
/// no date, so that equal runs make equal files.
std::string vcd_header(const std::vector<VcdVariable>& variables);

} // namespace aicore::tb
