// Integer expressions over named constants and loop variables: "131072 + i*512".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace aicore::tb {

/// What is wrong with an expression, without its place; the caller knows the place.
class ExpressionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Names that an expression may use.
struct Scope {
    std::map<std::string, std::int64_t> constants;
    std::vector<std::string> loop_variables; ///< outermost first

    /// Throws ExpressionError when `name` can't name a new constant or loop variable: not an
    /// identifier, a built-in name, or already in use.
    void require_free_name(const std::string& name) const;
};

/// Values of the loop variables of a scope, outermost first.
using LoopValues = std::vector<std::int64_t>;

/// A compiled expression. Arithmetic is that of double, and the result has to be an integer of at
/// most 2^53: `7/2*2` is 7, `7/2` an error. Operators + - * / % ^, comparisons, && || and ?: ;
/// functions min, max, abs, floor, ceil, ceil_div(a, b) and align(a, b): a rounded up to a multiple
/// of b; the names true and false. `%` has the sign of its left side.
/// Plain integers are decimal or 0x hexadecimal and don't go through the expression library.
class Expression {
public:
    /// Throws ExpressionError for bad syntax and unknown names, and already here when an expression
    /// without loop variables has no integer result.
    Expression(const std::string& text, const Scope& scope);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// `values` belong to the loop variables of the scope. Not for several threads at a time.
    /// Throws ExpressionError when the result is not an integer within +-2^53.
    std::int64_t evaluate(const LoopValues& values) const;
    const std::string& text() const { return text_; }

private:
    struct Compiled;

    std::string text_;
    std::int64_t constant_ = 0;
    std::unique_ptr<Compiled> compiled_; ///< empty for a constant
};

} // namespace aicore::tb
