// What a matrix product must give, computed without any part of the model.
//
// Takes the names of the data types from the ISA and nothing else: numbers are decoded and rounded
// by Eigen or from the definition of their format, and sums are plain C++.
#pragma once

#include "hw/isa/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace aicore::tb {

/// A product to compute: C[m,n] = A[m,k] x B[k,n], all row-major without gaps.
struct ReferenceGemm {
    std::int64_t m = 0, n = 0, k = 0;
    /// Of A and B: float16, bfloat16, float32, int8, int4, fp8_e4m3, fp8_e5m2 or hifloat8.
    DataType dtype = DataType::float16;
    bool b_transposed = false; ///< B is stored [n,k]
    bool relu = false;
    DataType out_dtype = DataType::float32; ///< a float type, or int32 for integers
    /// Parameters of a quantisation to out_dtype, see quantise_sums; empty: none.
    std::vector<std::uint64_t> quant{};
    std::optional<DataType> b_dtype{}; ///< of B: the other fp8; none: dtype
    int hf32_fraction_bits = 0;        ///< float32: 1..22 rounds A and B first, ties to even; 0: no
};

/// Bytes of C. Float types: for each element, k ascending, the product rounded to float32 is added
/// to a float32 sum that starts at +0 or at the bias. Integers: int32 sums that wrap. Then ReLU,
/// then rounding to nearest even in out_dtype. The result does not depend on `threads` (at least
/// 1). `bias`: n values in the type of the sums, or empty for none. Throws std::invalid_argument
/// when a type or the size of an input doesn't fit.
std::vector<std::uint8_t> reference_gemm(const ReferenceGemm& gemm,
                                         const std::vector<std::uint8_t>& a,
                                         const std::vector<std::uint8_t>& b, int threads = 1,
                                         const std::vector<std::uint8_t>& bias = {});

/// Difference of two arrays of the same type.
struct CompareResult {
    std::int64_t checked = 0;         ///< elements
    std::int64_t mismatches = 0;      ///< elements whose bits differ (a NaN equals a NaN)
    double max_abs_error = 0;         ///< over the mismatches; infinite when one side is NaN
    std::int64_t first_mismatch = -1; ///< index of the first one, -1 without any
};

/// Compares bit by bit. Throws std::invalid_argument when the sizes differ.
CompareResult compare_elements(DataType type, const std::vector<std::uint8_t>& actual,
                               const std::vector<std::uint8_t>& expected);

/// Fills `bytes` with test data that depend on the seed and the element's index only: float types
/// uniform in [-1, 1] in steps of 2^-23 rounded to the type, integers over their full range.
void fill_random(DataType type, std::uint64_t seed, std::vector<std::uint8_t>& bytes);

} // namespace aicore::tb
