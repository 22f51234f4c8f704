// Writes a stream of instructions as a program file.
#pragma once

#include "hw/scalar/instruction_source.h"
#include "tb/program/tensor.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace aicore::tb {

/// The instructions of a core, "aic0".
struct CoreStream {
    std::string core;
    InstructionSource* source;
};

/// Writes one instruction a line, so that load_program() gives the same instructions back (their
/// places become those of the new file). GM addresses inside a tensor are written as
/// `GM:<tensor>` and an offset, tensors with their addresses. Reads every source to its end.
/// Stamped CTRL states are left out: the scalar unit sets them.
void write_program(std::ostream& out, const std::string& name, const std::vector<Tensor>& tensors,
                   const std::vector<CoreStream>& cores);

} // namespace aicore::tb
