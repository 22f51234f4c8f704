#include "tb/validate/formula.h"

#include <cmath>
#include <stdexcept>

#include <muParser.h>

namespace aicore::tb {

Formula::Formula(const std::string& text) : text_(text) {
    // The library takes `a = 5` for an assignment; no formula here needs a comparison.
    if (text.find('=') != std::string::npos) throw std::invalid_argument("= has no place here");
    try {
        mu::Parser parser;
        parser.SetExpr(text);
        for (const auto& variable : parser.GetUsedVar()) names_.insert(variable.first);
        std::map<std::string, double> ones;
        for (const std::string& name : names_) parser.DefineVar(name, &(ones[name] = 1.0));
        parser.Eval();
        if (parser.GetNumResults() != 1) throw std::invalid_argument("gives more than one value");
    } catch (const mu::ParserError& error) {
        throw std::invalid_argument(error.GetMsg());
    }
}

double Formula::evaluate(const std::map<std::string, double>& values) const {
    mu::Parser parser;
    parser.SetExpr(text_);
    std::map<std::string, double> slots; // the library wants addresses that it may write to
    for (const std::string& name : names_) {
        parser.DefineVar(name, &(slots[name] = values.at(name)));
    }
    const double result = parser.Eval();
    if (!std::isfinite(result)) throw std::domain_error(text_ + " is not finite");
    return result;
}

} // namespace aicore::tb
