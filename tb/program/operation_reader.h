// Reads the instructions of a program: unknown and missing fields and wrong words are found here.
#pragma once

#include "hw/config/strict_yaml.h"
#include "tb/program/operation_template.h"
#include "tb/program/tensor.h"

#include <vector>

namespace aicore::tb {

/// What an instruction may refer to.
struct ReadContext {
    const Scope& scope;
    const std::vector<Tensor>& tensors;
};

/// `{op: nd2nz, src: 'GM:a', ...}`. Throws InputError that names what is allowed.
OperationTemplate read_operation(const YamlNode& node, const ReadContext& context);

/// `{sync: [P, Q], event: e}`: set_flag on P, then wait_flag on Q. Throws InputError.
std::vector<OperationTemplate> read_sync(const YamlNode& node, const ReadContext& context);

} // namespace aicore::tb
