// Every instruction there is, by name.
#pragma once

#include "hw/isa/instruction.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace aicore {

/// An instruction of each name with its fields at their defaults, always in the same order.
const std::vector<Operation>& all_operations();

/// Position in all_operations() of the instruction that programs spell `name`.
std::optional<std::size_t> find_operation(std::string_view name);

} // namespace aicore
