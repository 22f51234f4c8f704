// Tensors of a program: where they lie, what they hold before and after the run.
#pragma once

#include "hw/isa/types.h"
#include "hw/numerics/quant_mode.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aicore::tb {

/// Content of a raw little-endian file without a header, exactly as large as the tensor.
struct FileData {
    std::string file;
};

/// Every element has this value.
struct FillData {
    double value = 0;
};

/// Every byte has this value.
struct FillBytesData {
    std::uint8_t byte = 0;
};

/// Element i is start + i * step.
struct RangeData {
    double start = 0, step = 1;
};

/// Uniform in [min, max), rounded to the element type; floating types only.
struct RandomData {
    std::uint64_t seed = 0;
    double min = 0, max = 1;
};

/// Integers, uniform in [min, max]; any element type.
struct RandomIntegersData {
    std::uint64_t seed = 0;
    std::int64_t min = 0, max = 1;
};

/// monostate: the tensor's memory is not written before the run.
using InitialData = std::variant<std::monostate, FileData, FillData, FillBytesData, RangeData,
                                 RandomData, RandomIntegersData>;

/// Expected: the initial data; nothing may write the tensor.
struct UnchangedGolden {};

/// Expected: a x b (+ bias) (then ReLU) (quantised), of tensors of the same program.
struct MatmulGolden {
    std::string a;    ///< [M,K], or [K,M] when transposed
    std::string b;    ///< [K,N], or [N,K] when transposed
    std::string bias; ///< [N]; empty: none
    bool transpose_a = false, transpose_b = false;
    bool relu = false;
    QuantPreMode quant_pre = QuantPreMode::none;
    std::uint64_t quant_scalar = 0; ///< parameter of a scalar mode
    std::string quant_table{};      ///< [>= N] int64, parameters of a vector mode
    int hf32_fraction_bits =
        0; ///< float32: a and b are rounded to HF32 of so many; 0: they are not
};

/// Expected: a formula over the elements of tensors of the same program, "relu(x + bias)". Operands
/// stand for their initial data, those with a matmul golden for what that expects.
struct ElementwiseGolden {
    std::string formula;
};

/// How the result is compared. isclose: |x - g| <= atol + rtol * |g| for all but max_bad_fraction
/// of the elements.
enum class GoldenRule { exact, isclose };

struct Golden {
    std::variant<std::monostate, FileData, UnchangedGolden, MatmulGolden, ElementwiseGolden>
        expected;
    GoldenRule rule = GoldenRule::exact;
    double rtol = 0, atol = 0, max_bad_fraction = 0;
};

/// Where a tensor lies: in GM of the own chip or of its peer, or in the unified buffer of vector
/// core 0 or 1.
enum class TensorMemory : std::uint8_t { GM, PEER_GM, UB0, UB1 };
inline constexpr int kTensorMemories = 4;

std::string_view to_string(TensorMemory memory);

struct Tensor {
    std::string name;
    DataType type = DataType::float16;
    std::vector<std::int64_t> shape; ///< outermost first
    TensorMemory memory = TensorMemory::GM;
    std::uint64_t address = 0; ///< in its memory; both GM share one range of addresses
    bool l2_cache = true;      ///< false: reads pass L2 by
    InitialData init;
    Golden golden;

    /// In GM of either chip.
    bool is_in_gm() const { return memory == TensorMemory::GM || memory == TensorMemory::PEER_GM; }
    std::int64_t elements() const;
    std::int64_t bytes() const { return (elements() * bits_of(type) + 7) / 8; }
};

/// Tensors that get no address of their own start at multiples of this.
inline constexpr std::uint64_t kTensorAlignment = 512;

/// The bytes of the tensor before the run, little endian; empty when it is not written. The same on
/// every machine: element i of random data depends on seed and i only. Throws InputError when a
/// file can't be read or has another size.
std::vector<std::uint8_t> initial_bytes(const Tensor& tensor);

/// Content of a file that must hold exactly `tensor.bytes()` bytes. Throws InputError.
std::vector<std::uint8_t> read_tensor_file(const std::string& file, const Tensor& tensor);

} // namespace aicore::tb
