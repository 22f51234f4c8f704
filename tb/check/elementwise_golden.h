// Expected results given by a formula over the elements of other tensors.
#pragma once

#include "tb/program/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aicore::tb {

/// What an operand of the formula holds.
struct ElementwiseOperand {
    const Tensor* tensor = nullptr;
    std::vector<std::uint8_t> bytes;
};

/// Names of tensors that `formula` uses. Throws InputError, naming `file` and `tensor`, when it is
/// no formula or uses a name that is no tensor of `tensors`.
std::vector<std::string> elementwise_names(const std::string& formula, const Tensor& tensor,
                                           const std::vector<Tensor>& tensors,
                                           const std::string& file);

/// Bytes of `tensor`: for each element the value of `formula` in double precision, rounded once.
/// An operand with fewer elements repeats, as a bias over the rows of a matrix does. The rows of
/// reductions (RowFormula) lie along the last dimension of `tensor`; `operands` come in the order
/// of elementwise_names().
std::vector<std::uint8_t> elementwise_bytes(const std::string& formula, const Tensor& tensor,
                                            const std::vector<ElementwiseOperand>& operands);

} // namespace aicore::tb
