// The one description of the keys of a platform file: path, member, type and range.
//
// Reading, `--set`, printing and the rules between keys all walk it. A new key is one line in
// platform_fields.cpp.
#pragma once

#include "hw/config/platform.h"
#include "hw/config/strict_yaml.h"

#include <functional>
#include <string>
#include <vector>

namespace aicore {

struct PlatformField {
    std::string path;   ///< "links.l1_to_l0a.bytes_per_cycle"
    const void* member; ///< identity of the member, for rules that speak of it
    bool is_required = true;
    std::function<void(const YamlNode&)> read; ///< throws InputError on a wrong type or range
    std::function<std::string()> write;        ///< text that `read` takes
};

/// All fields in the order of the file; they refer to `platform`, which must outlive them. The
/// fields of a group follow one another.
std::vector<PlatformField> platform_fields(Platform& platform);

} // namespace aicore
