// Reads the `tensors:` part of a program.
#pragma once

#include "hw/config/strict_yaml.h"
#include "hw/isa/legality.h"
#include "tb/program/expression.h"
#include "tb/program/tensor.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// Tensors in file order with their addresses: the next multiple of 512 B behind the tensor before
/// in the same memory, unless the file gives one. Sizes and addresses may use the constants of
/// `scope`. Names of data files are relative to `directory`. Throws InputError: unknown keys,
/// sizes, files that are missing or have another size, values that the element type can't hold,
/// tensors that overlap or do not lie in their memory, and a memory that the platform's cores do
/// not reach.
std::vector<Tensor> read_tensors(const YamlNode& node, const Scope& scope,
                                 const std::string& directory, const IsaLimits& limits);

} // namespace aicore::tb
