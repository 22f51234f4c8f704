#include "tb/check/elementwise_golden.h"

#include "hw/config/strict_yaml.h"
#include "hw/numerics/element.h"

#include <algorithm>

#include <muParser.h>

namespace aicore::tb {
namespace {

double relu(double x) { return x > 0 ? x : 0; }

void set_up(mu::Parser& parser, const std::string& formula) {
    parser.DefineFun("relu", relu);
    parser.SetExpr(formula);
}

[[noreturn]] void fail(const Tensor& tensor, const std::string& file, const std::string& what) {
    throw InputError(file + ": tensors." + tensor.name + ".golden.elementwise: " + what);
}

} // namespace

std::vector<std::string> elementwise_names(const std::string& formula, const Tensor& tensor,
                                           const std::vector<Tensor>& tensors,
                                           const std::string& file) {
    std::vector<std::string> names;
    try {
        mu::Parser parser;
        set_up(parser, formula);
        for (const auto& used : parser.GetUsedVar()) names.push_back(used.first);
        std::vector<double> values(names.size(), 1.0);
        for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &values[i]);
        parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        fail(tensor, file, error.GetMsg());
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
    mu::Parser parser;
    set_up(parser, formula);
    std::vector<double> values(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        parser.DefineVar(operands[i].tensor->name, &values[i]);
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(tensor.bytes()));
    for (std::int64_t element = 0; element < tensor.elements(); ++element) {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Tensor& operand = *operands[i].tensor;
            values[i] =
                element_value(operand.type, operands[i].bytes.data(), element % operand.elements());
        }
        store_element(tensor.type, parser.Eval(), bytes.data(), element);
    }
    return bytes;
}

} // namespace aicore::tb
