#include "tb/check/elementwise_golden.h"

#include "hw/config/strict_yaml.h"
#include "hw/numerics/element.h"
#include "tb/check/row_formula.h"

#include <algorithm>

namespace aicore::tb {
namespace {

[[noreturn]] void fail(const Tensor& tensor, const std::string& file, const std::string& what) {
    throw InputError(file + ": tensors." + tensor.name + ".golden.elementwise: " + what);
}

} // namespace

std::vector<std::string> elementwise_names(const std::string& formula, const Tensor& tensor,
                                           const std::vector<Tensor>& tensors,
                                           const std::string& file) {
    std::vector<std::string> names;
    try {
        names = RowFormula(formula).names();
    } catch (const FormulaError& error) {
        fail(tensor, file, error.what());
    }
    for (const std::string& name : names) {
        const auto found = std::find_if(tensors.begin(), tensors.end(),
                                        [&](const Tensor& other) { return other.name == name; });
        if (found == tensors.end()) fail(tensor, file, name + " is no tensor");
        if (tensor.elements() % found->elements() != 0) {
            fail(tensor, file,
                 name + " has " + std::to_string(found->elements()) +
                     " elements, which do not divide the " + std::to_string(tensor.elements()) +
                     " of the result");
        }
    }
    return names;
}

std::vector<std::uint8_t> elementwise_bytes(const std::string& formula, const Tensor& tensor,
                                            const std::vector<ElementwiseOperand>& operands) {
    RowFormula row_formula(formula); // its names are those of the operands, in their order
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(tensor.bytes()));
    const std::int64_t columns = tensor.shape.back();
    for (std::int64_t first = 0; first < tensor.elements(); first += columns) {
        const auto load = [&](std::int64_t column, std::vector<double>& values) {
            for (std::size_t i = 0; i < operands.size(); ++i) {
                const Tensor& operand = *operands[i].tensor;
                values[i] = element_value(operand.type, operands[i].bytes.data(),
                                          (first + column) % operand.elements());
            }
        };
        row_formula.evaluate(columns, load, [&](std::int64_t column, double result) {
            store_element(tensor.type, result, bytes.data(), first + column);
        });
    }
    return bytes;
}

} // namespace aicore::tb
