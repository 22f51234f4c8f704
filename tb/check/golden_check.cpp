#include "tb/check/golden_check.h"

#include "hw/numerics/element.h"

#include "hw/config/strict_yaml.h"
#include "hw/isa/mmad_types.h"
#include "tb/check/elementwise_golden.h"
#include "tb/workload/gemm_reference.h"
#include "tb/workload/reference_quant.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace aicore::tb {
namespace {

/// Exists: the program reader and check_goldens() see to it.
const Tensor& tensor_named(const std::vector<Tensor>& tensors, const std::string& name) {
    return *std::find_if(tensors.begin(), tensors.end(),
                         [&name](const Tensor& tensor) { return tensor.name == name; });
}

std::string shape_text(const Tensor& tensor) {
    std::string text = tensor.name + " " + std::string(to_string(tensor.type)) + " [";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(tensor.shape[i]);
    }
    return text + "]";
}

/// A pair that some architecture multiplies.
bool is_pair(DataType a, DataType b) {
    return is_mmad_pair(2201, a, b) || is_mmad_pair(3510, a, b);
}

bool is_result_type(DataType result, DataType operand) {
    if (is_integer(operand)) return result == DataType::int32;
    return result == DataType::float32 || result == DataType::float16 ||
           result == DataType::bfloat16;
}

std::vector<std::uint64_t> quant_words(const MatmulGolden& golden,
                                       const std::vector<Tensor>& tensors) {
    if (golden.quant_table.empty()) return {golden.quant_scalar};
    const std::vector<std::uint8_t> bytes =
        initial_bytes(tensor_named(tensors, golden.quant_table));
    std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
    return words;
}

class MatmulCheck {
public:
    MatmulCheck(const Tensor& result, const MatmulGolden& golden,
                const std::vector<Tensor>& tensors, const std::string& file)
        : result_(result), golden_(golden), tensors_(tensors), file_(file) {}

    void run() const {
        const Tensor& a = matrix(golden_.a);
        const Tensor& b = matrix(golden_.b);
        if (!is_pair(a.type, b.type)) {
            fail(shape_text(a) + " and " + shape_text(b) + ": no cube multiplies these types");
        }
        if (golden_.transpose_a && a.type == DataType::int4) {
            fail(shape_text(a) + ": transpose_a needs elements of whole bytes");
        }
        if (golden_.hf32_fraction_bits > 0 && a.type != DataType::float32) {
            fail(shape_text(a) + ": hf32_fraction_bits needs float32");
        }
        const std::int64_t m = a.shape[golden_.transpose_a ? 1 : 0];
        const std::int64_t n = b.shape[golden_.transpose_b ? 0 : 1];
        if (a.shape[golden_.transpose_a ? 0 : 1] != b.shape[golden_.transpose_b ? 1 : 0]) {
            fail("the inner sizes of " + shape_text(a) + " and " + shape_text(b) +
                 " are not the same");
        }
        if (result_.shape != std::vector<std::int64_t>{m, n}) {
            fail("the product has shape [" + std::to_string(m) + ", " + std::to_string(n) +
                 "], not " + shape_text(result_));
        }
        if (golden_.quant_pre != QuantPreMode::none) {
            check_quant(n, sum_type_of(a.type));
        } else if (!is_result_type(result_.type, a.type)) {
            fail("a product of " + std::string(to_string(a.type)) + " can't be " +
                 std::string(to_string(result_.type)));
        }
        if (!golden_.bias.empty()) check_bias(n, sum_type_of(a.type));
    }

private:
    const Tensor& matrix(const std::string& name) const {
        const Tensor& tensor = tensor_named(tensors_, name);
        require_data(tensor);
        if (tensor.shape.size() != 2) fail(shape_text(tensor) + " is no matrix");
        return tensor;
    }

    /// The quantisations that the reference knows.
    void check_quant(std::int64_t n, DataType sums) const {
        const QuantModeInfo& mode = info(golden_.quant_pre);
        const bool known = quantised_type(golden_.quant_pre) == result_.type;
        if (!known || !accepts_source(golden_.quant_pre, sums)) {
            fail("quant_pre " + std::string(mode.name) + " of " + std::string(to_string(sums)) +
                 " sums can't be checked as " + std::string(to_string(result_.type)));
        }
        if (mode.parameter == QuantParameterKind::vector) check_table(n);
        const std::vector<std::uint64_t> words = quant_words(golden_, tensors_);
        for (std::size_t i = 0; i < std::min(words.size(), static_cast<std::size_t>(n)); ++i) {
            const auto fault = unknown_parameter(words[i], result_.type);
            if (!fault) continue;
            fail((golden_.quant_table.empty()
                      ? std::string("quant_scalar")
                      : "element " + std::to_string(i) + " of " + golden_.quant_table) +
                 " can't be checked: " + *fault);
        }
    }

    void check_table(std::int64_t n) const {
        const Tensor& table = tensor_named(tensors_, golden_.quant_table);
        require_data(table);
        if (table.elements() < n || table.type != DataType::int64) {
            fail("quant_table " + shape_text(table) + " must have at least " + std::to_string(n) +
                 " elements of int64");
        }
    }

    void check_bias(std::int64_t n, DataType type) const {
        const Tensor& bias = tensor_named(tensors_, golden_.bias);
        require_data(bias);
        if (bias.elements() != n || bias.type != type) {
            fail("bias " + shape_text(bias) + " must have " + std::to_string(n) + " elements of " +
                 std::string(to_string(type)));
        }
    }

    void require_data(const Tensor& tensor) const {
        if (std::holds_alternative<std::monostate>(tensor.init)) {
            fail("operand " + tensor.name + " has no initial data");
        }
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw InputError(file_ + ": tensors." + result_.name + ".golden.matmul: " + message);
    }

    const Tensor& result_;
    const MatmulGolden& golden_;
    const std::vector<Tensor>& tensors_;
    const std::string& file_;
};

std::vector<std::uint8_t> transpose(const Tensor& matrix, const std::vector<std::uint8_t>& bytes) {
    const auto rows = static_cast<std::size_t>(matrix.shape[0]);
    const auto columns = static_cast<std::size_t>(matrix.shape[1]);
    const auto size = static_cast<std::size_t>(size_of(matrix.type));
    std::vector<std::uint8_t> transposed(bytes.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            std::copy_n(bytes.data() + (row * columns + column) * size, size,
                        transposed.data() + (column * rows + row) * size);
        }
    }
    return transposed;
}

std::vector<std::uint8_t> matmul(const Tensor& result, const MatmulGolden& golden,
                                 const std::vector<Tensor>& tensors) {
    const Tensor& a = tensor_named(tensors, golden.a);
    const Tensor& b = tensor_named(tensors, golden.b);
    ReferenceGemm gemm;
    gemm.m = result.shape[0];
    gemm.n = result.shape[1];
    gemm.k = a.shape[golden.transpose_a ? 0 : 1];
    gemm.dtype = a.type;
    gemm.b_dtype = tensor_named(tensors, golden.b).type;
    gemm.hf32_fraction_bits = golden.hf32_fraction_bits;
    gemm.b_transposed = golden.transpose_b;
    gemm.relu = golden.relu;
    gemm.out_dtype = result.type;
    std::vector<std::uint8_t> a_bytes = initial_bytes(a);
    if (golden.transpose_a) a_bytes = transpose(a, a_bytes);
    std::vector<std::uint8_t> bias;
    if (!golden.bias.empty()) bias = initial_bytes(tensor_named(tensors, golden.bias));
    if (golden.quant_pre != QuantPreMode::none) gemm.quant = quant_words(golden, tensors);
    return reference_gemm(gemm, a_bytes, initial_bytes(b), 1, bias);
}

/// Counts the elements outside the tolerance. Equal values are inside it, infinities and NaN too.
CompareResult compare_close(const Tensor& tensor, const std::vector<std::uint8_t>& actual,
                            const std::vector<std::uint8_t>& expected) {
    CompareResult result;
    result.checked = tensor.elements();
    for (std::int64_t i = 0; i < result.checked; ++i) {
        const double x = element_value(tensor.type, actual.data(), i);
        const double g = element_value(tensor.type, expected.data(), i);
        if (x == g || (std::isnan(x) && std::isnan(g))) continue;
        double error = std::fabs(x - g);
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        result.max_abs_error = std::max(result.max_abs_error, error);
        const bool is_close = std::isfinite(x) && std::isfinite(g) &&
                              error <= tensor.golden.atol + tensor.golden.rtol * std::fabs(g);
        if (!is_close && result.mismatches++ == 0) result.first_mismatch = i;
    }
    return result;
}

std::vector<std::int64_t> indices_of(const Tensor& tensor, std::int64_t element) {
    std::vector<std::int64_t> indices(tensor.shape.size());
    for (std::size_t i = indices.size(); i-- > 0;) {
        indices[i] = element % tensor.shape[i];
        element /= tensor.shape[i];
    }
    return indices;
}

/// An operand of a formula needs content that is known before the run.
void check_operand(const Tensor& result, const Tensor& operand, const std::string& file) {
    const bool is_product = std::holds_alternative<MatmulGolden>(operand.golden.expected);
    if (is_product || !std::holds_alternative<std::monostate>(operand.init)) return;
    throw InputError(file + ": tensors." + result.name + ".golden.elementwise: " + operand.name +
                     " has neither initial data nor a matmul golden");
}

std::vector<std::uint8_t> elementwise(const Tensor& result, const ElementwiseGolden& golden,
                                      const std::vector<Tensor>& tensors) {
    std::vector<ElementwiseOperand> operands;
    for (const std::string& name : elementwise_names(golden.formula, result, tensors, "golden")) {
        const Tensor& operand = tensor_named(tensors, name);
        const bool is_product = std::holds_alternative<MatmulGolden>(operand.golden.expected);
        operands.push_back(
            {&operand, is_product ? golden_bytes(operand, tensors) : initial_bytes(operand)});
    }
    return elementwise_bytes(golden.formula, result, operands);
}

} // namespace

bool has_golden(const Tensor& tensor) {
    return !std::holds_alternative<std::monostate>(tensor.golden.expected);
}

void check_goldens(const std::vector<Tensor>& tensors, const std::string& file) {
    for (const Tensor& tensor : tensors) {
        if (const auto* golden = std::get_if<MatmulGolden>(&tensor.golden.expected)) {
            MatmulCheck(tensor, *golden, tensors, file).run();
        }
        if (const auto* golden = std::get_if<ElementwiseGolden>(&tensor.golden.expected)) {
            for (const std::string& name :
                 elementwise_names(golden->formula, tensor, tensors, file)) {
                check_operand(tensor, tensor_named(tensors, name), file);
            }
        }
    }
}

std::vector<std::uint8_t> golden_bytes(const Tensor& tensor, const std::vector<Tensor>& tensors) {
    if (const auto* data = std::get_if<FileData>(&tensor.golden.expected)) {
        return read_tensor_file(data->file, tensor);
    }
    if (const auto* golden = std::get_if<MatmulGolden>(&tensor.golden.expected)) {
        return matmul(tensor, *golden, tensors);
    }
    if (const auto* golden = std::get_if<ElementwiseGolden>(&tensor.golden.expected)) {
        return elementwise(tensor, *golden, tensors);
    }
    return initial_bytes(tensor);
}

TensorCheck compare_with_golden(const Tensor& tensor, const std::vector<std::uint8_t>& actual,
                                const std::vector<std::uint8_t>& expected) {
    const Golden& golden = tensor.golden;
    const CompareResult result = golden.rule == GoldenRule::exact
                                     ? compare_elements(tensor.type, actual, expected)
                                     : compare_close(tensor, actual, expected);
    TensorCheck check;
    check.tensor = tensor.name;
    check.rule = golden.rule;
    check.checked = result.checked;
    check.mismatches = result.mismatches;
    check.max_abs_error = result.max_abs_error;
    if (result.first_mismatch >= 0) {
        check.first_mismatch = indices_of(tensor, result.first_mismatch);
        check.actual = element_value(tensor.type, actual.data(), result.first_mismatch);
        check.expected = element_value(tensor.type, expected.data(), result.first_mismatch);
    }
    const double allowed = golden.rule == GoldenRule::exact
                               ? 0
                               : golden.max_bad_fraction * static_cast<double>(result.checked);
    check.passed = static_cast<double>(result.mismatches) <= allowed;
    return check;
}

} // namespace aicore::tb
