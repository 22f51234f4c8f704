// A formula over the elements of a row, with reductions over it: "x / rowsum(x)".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace aicore::tb {

/// What is wrong with a formula, without its place.
class FormulaError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Double precision. The formula has the operators and functions of the expression library (exp,
/// ln, sqrt, tanh, abs, min, max ...), relu(x), and rowsum(e), rowmean(e), rowmax(e) and rowmin(e)
/// of any formula e over the row; reductions nest.
class RowFormula {
public:
    /// Throws FormulaError.
    explicit RowFormula(const std::string& text);
    ~RowFormula();
    RowFormula(RowFormula&&) noexcept;

    /// Names that the formula uses, in alphabetical order.
    const std::vector<std::string>& names() const { return names_; }

    /// Puts the operands of one element into `values`, in the order of names().
    using Load = std::function<void(std::int64_t column, std::vector<double>& values)>;
    using Store = std::function<void(std::int64_t column, double result)>;
    void evaluate(std::int64_t columns, const Load& load, const Store& store);

private:
    struct Reduction;
    struct Parser;

    std::string take_reductions(const std::string& text);

    std::vector<std::string> names_;
    std::vector<double> values_;
    std::vector<std::unique_ptr<Reduction>> reductions_; ///< inner ones before outer ones
    std::unique_ptr<Parser> parser_;
};

} // namespace aicore::tb
