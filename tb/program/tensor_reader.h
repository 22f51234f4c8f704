// Reads the `tensors:` part of a program.
#pragma once

#include "hw/config/strict_yaml.h"
#include "tb/program/expression.h"
#include "tb/program/tensor.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// Tensors in file order with their GM addresses: the next multiple of 512 B behind the tensor
/// before, unless the file gives one. Sizes and addresses may use the constants of `scope`. Names
/// of data files are relative to `directory`. Throws InputError: unknown keys, sizes, files that
/// are missing or have another size, values that the element type can't hold, tensors that overlap
/// or end behind `gm_bytes`.
std::vector<Tensor> read_tensors(const YamlNode& node, const Scope& scope,
                                 const std::string& directory, std::int64_t gm_bytes);

} // namespace aicore::tb
