// The product of block_mmad.h with the other readings of how a step adds its products.
//
// Plain loops, an element at a time: for experiments with the arithmetic, not for speed.
#pragma once

#include "hw/numerics/data_type.h"
#include "hw/numerics/summation.h"

namespace aicore {

/// C += A x B over the first `k_valid` elements of K and the first `rows` rows, as
/// multiply_accumulate of block_mmad.h, float types only.
///
/// @param step products of one step, at least 1; pairwise takes those beyond k_valid as +0
/// @throws std::invalid_argument for Summation::sequential, a type that is no float operand of the
///         cube, or a step below 1
void multiply_accumulate_stepwise(Summation summation, DataType type, const void* a, const void* b,
                                  int step, int k_valid, int rows, float* c);

} // namespace aicore
