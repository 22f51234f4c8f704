#include "tb/program/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include <muParser.h>

namespace aicore::tb {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53; ///< integers up to here are exact

constexpr std::array<std::string_view, 9> kBuiltInNames{"true",  "false", "min",      "max",  "abs",
                                                        "floor", "ceil",  "ceil_div", "align"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

double smallest(const double* values, int count) {
    return *std::min_element(values, values + count);
}
double largest(const double* values, int count) {
    return *std::max_element(values, values + count);
}
double magnitude(double a) { return std::abs(a); }
double round_down(double a) { return std::floor(a); }
double round_up(double a) { return std::ceil(a); }
double ceil_div(double a, double b) { return std::ceil(a / b); }
double align(double a, double b) { return std::ceil(a / b) * b; }
double remainder_of(double a, double b) { return std::fmod(a, b); }

/// Lets the library read 0x numbers: 1 and the value when one stands at the start of `text`.
int read_hexadecimal(const char* text, int* position, double* value) {
    if (text[0] != '0' || text[1] != 'x') return 0;
    const char* const begin = text + 2;
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(begin, begin + std::string_view(begin).size(), number, 16);
    if (error != std::errc() || end == begin) return 0;
    *position += static_cast<int>(end - text);
    *value = static_cast<double>(number);
    return 1;
}

/// A plain integer; nothing when the text is something else.
std::optional<std::int64_t> parse_literal(const std::string& text) {
    std::string_view digits = text;
    const bool is_negative = !digits.empty() && digits.front() == '-';
    if (is_negative) digits.remove_prefix(1);
    const bool is_hexadecimal = digits.substr(0, 2) == "0x";
    if (is_hexadecimal) digits.remove_prefix(2);
    if (digits.empty() || digits.front() == '-') return std::nullopt;
    std::int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, is_hexadecimal ? 16 : 10);
    if (rest != end) return std::nullopt;
    if (!is_hexadecimal && digits.size() > 1 && digits.front() == '0') {
        throw ExpressionError("write it without leading zeros");
    }
    if (error != std::errc() || value > kLargest) throw ExpressionError("is beyond 2^53");
    return is_negative ? -value : value;
}

/// The library would take `k=5` for an assignment to k.
bool has_assignment(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        const bool closes_comparison =
            i > 0 && std::string_view("=!<>").find(text[i - 1]) != std::string_view::npos;
        const bool opens_comparison = i + 1 < text.size() && text[i + 1] == '=';
        if (!closes_comparison && !opens_comparison) return true;
    }
    return false;
}

std::string join(const Scope& scope) {
    std::string names;
    const auto append = [&names](const std::string& name) {
        names += (names.empty() ? "" : ", ") + name;
    };
    for (const std::string& name : scope.loop_variables) append(name);
    for (const auto& constant : scope.constants) append(constant.first);
    return names.empty() ? "none" : names;
}

std::string shown(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
}

std::int64_t to_integer(double value) {
    if (!std::isfinite(value)) throw ExpressionError("is not finite (division by zero?)");
    if (value != std::floor(value)) {
        throw ExpressionError("gives " + shown(value) + ", not an integer");
    }
    if (std::abs(value) > static_cast<double>(kLargest)) {
        throw ExpressionError("gives " + shown(value) + ", beyond 2^53");
    }
    return static_cast<std::int64_t>(value);
}

} // namespace

void Scope::require_free_name(const std::string& name) const {
    const bool is_identifier =
        !name.empty() && is_letter(name.front()) &&
        std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
    if (!is_identifier) throw ExpressionError("expected a name of letters, digits and _");
    if (std::find(kBuiltInNames.begin(), kBuiltInNames.end(), name) != kBuiltInNames.end()) {
        throw ExpressionError(name + " is a built-in name");
    }
    const bool is_used =
        constants.count(name) != 0 ||
        std::find(loop_variables.begin(), loop_variables.end(), name) != loop_variables.end();
    if (is_used) throw ExpressionError(name + " is already in use");
}

struct Expression::Compiled {
    /// Loop variables that the expression uses: `index` in the scope and the slot the parser reads.
    struct Variable {
        std::size_t index;
        double* slot;
    };

    mu::Parser parser;
    std::vector<double>
        slots; ///< one for each loop variable; never resized, the parser points here
    std::vector<Variable> used;
};

Expression::Expression(const std::string& text, const Scope& scope) : text_(text) {
    if (const auto literal = parse_literal(text)) {
        constant_ = *literal;
        return;
    }
    if (has_assignment(text)) throw ExpressionError("= assigns, compare with ==");
    compiled_ = std::make_unique<Compiled>();
    compiled_->slots.assign(scope.loop_variables.size(), 0.0);
    mu::Parser& parser = compiled_->parser;
    try {
        parser.ClearFun();
        parser.ClearConst();
        parser.AddValIdent(read_hexadecimal);
        parser.DefineFun("min", smallest);
        parser.DefineFun("max", largest);
        parser.DefineFun("abs", magnitude);
        parser.DefineFun("floor", round_down);
        parser.DefineFun("ceil", round_up);
        parser.DefineFun("ceil_div", ceil_div);
        parser.DefineFun("align", align);
        parser.DefineOprt("%", remainder_of, mu::prMUL_DIV, mu::oaLEFT, true);
        parser.DefineConst("true", 1);
        parser.DefineConst("false", 0);
        for (const auto& [name, value] : scope.constants) {
            parser.DefineConst(name, static_cast<double>(value));
        }
        for (std::size_t i = 0; i < scope.loop_variables.size(); ++i) {
            parser.DefineVar(scope.loop_variables[i], &compiled_->slots[i]);
        }
        parser.SetExpr(text);
        const double at_zero = parser.Eval();
        if (parser.GetNumResults() != 1) throw ExpressionError("expected one value, found a list");
        for (const auto& variable : parser.GetUsedVar()) {
            const auto index = static_cast<std::size_t>(variable.second - compiled_->slots.data());
            compiled_->used.push_back({index, variable.second});
        }
        if (compiled_->used.empty()) {
            compiled_.reset();
            constant_ = to_integer(at_zero);
        }
    } catch (const mu::ParserError& error) {
        if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
            throw ExpressionError("unknown name or bad syntax at \"" + error.GetToken() +
                                  "\"; names here: " + join(scope));
        }
        throw ExpressionError(error.GetMsg());
    }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

std::int64_t Expression::evaluate(const LoopValues& values) const {
    if (!compiled_) return constant_;
    for (const Compiled::Variable& variable : compiled_->used) {
        *variable.slot = static_cast<double>(values[variable.index]);
    }
    return to_integer(compiled_->parser.Eval());
}

} // namespace aicore::tb
