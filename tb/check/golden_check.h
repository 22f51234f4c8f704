// Compares tensors after a run with what their goldens say.
#pragma once

#include "tb/program/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aicore::tb {

/// Difference between a tensor and its golden.
struct TensorCheck {
    std::string tensor;
    GoldenRule rule = GoldenRule::exact;
    std::int64_t checked = 0;    ///< elements
    std::int64_t mismatches = 0; ///< elements outside the rule
    double max_abs_error = 0;    ///< over all elements; infinite where one side only is NaN
    std::vector<std::int64_t> first_mismatch; ///< indices, outermost first; empty without any
    double actual = 0, expected = 0;          ///< values at the first mismatch
    bool passed = true; ///< isclose allows a fraction of the elements to mismatch
};

bool has_golden(const Tensor& tensor);

/// Checks before a run that every golden can be computed: a matmul needs two matrices of one type
/// that the cube multiplies, sizes that fit each other and the result, a bias and a result of types
/// that go with them, and operands with initial data. `file` names the program in messages.
/// Throws InputError.
void check_goldens(const std::vector<Tensor>& tensors, const std::string& file);

/// Expected bytes of `tensor`, which has a golden. Computed without any part of the model; may run
/// in another thread. `tensors` hold the operands of a matmul. Throws InputError when a file can't
/// be read.
std::vector<std::uint8_t> golden_bytes(const Tensor& tensor, const std::vector<Tensor>& tensors);

/// Compares `actual` with `expected` by the rule of the tensor's golden: exact means the same bits,
/// where a NaN equals a NaN; isclose means |x - g| <= atol + rtol * |g| for all elements but
/// max_bad_fraction of them.
TensorCheck compare_with_golden(const Tensor& tensor, const std::vector<std::uint8_t>& actual,
                                const std::vector<std::uint8_t>& expected);

} // namespace aicore::tb
