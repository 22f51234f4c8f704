// Platform files to structs and back. The only reader of platform files.
#pragma once

#include "hw/config/input_error.h"
#include "hw/config/platform.h"
#include "hw/isa/legality.h"

#include <string>
#include <vector>

namespace aicore {

/// Reads a platform file.
///
/// `extends: other.yaml` (relative to the file that says so) takes all keys of another platform
/// file and overrides single ones, in a chain of any length. `overrides` are "path=value", as
/// "links.l1_to_l0a.bytes_per_cycle=128"; they come last, and the last of equal paths counts.
///
/// Throws InputError for an unreadable file, an unknown, missing or duplicate key, a value of the
/// wrong type or out of its range, keys that contradict one another, and a cycle of `extends`. The
/// message begins with "file:line:column: path" or with "--set path=value".
Platform load_platform(const std::string& file, const std::vector<std::string>& overrides);

/// The platform as YAML, all optional keys included; load_platform reads it back to the same
/// values.
std::string dump_platform(const Platform& platform);

/// What the legality checks of instructions need: bytes of each buffer that programs may use.
IsaLimits isa_limits(const Platform& platform, CoreKind core = CoreKind::aic);

} // namespace aicore
