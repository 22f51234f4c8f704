// Rules between the keys of a platform: what a range of a single key can't say.
#pragma once

#include "hw/config/platform.h"

#include <map>
#include <string>

namespace aicore {

/// Where the value of a field was given last.
struct FieldOrigin {
    std::string path;
    std::string where; ///< beginning of a message: "file:line:column: path" or "--set path=value"
    int layer = 0;     ///< later layers override earlier ones
};

/// By address of the member in the platform that is checked.
using FieldOrigins = std::map<const void*, FieldOrigin>;

/// Throws InputError for the first broken rule. Of the keys that contradict one another, the
/// message is about the one that was given in the latest layer.
void check_platform_rules(const Platform& platform, const FieldOrigins& origins);

} // namespace aicore
