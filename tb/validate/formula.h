// Formulas over the results of rows: "max(mmad_lone, fixpipe_lone) + 40".
#pragma once

#include <map>
#include <set>
#include <string>

namespace aicore::tb {

/// An arithmetic expression in double; `names()` are the ids of the rows it uses. A plain number is
/// a formula without names. Functions min, max, abs, avg and sum.
class Formula {
public:
    /// Throws std::invalid_argument that says what is wrong with the text.
    explicit Formula(const std::string& text);

    const std::set<std::string>& names() const { return names_; }
    /// `values` has all the names. Throws std::domain_error when the result is not finite.
    double evaluate(const std::map<std::string, double>& values) const;

private:
    std::string text_;
    std::set<std::string> names_;
};

} // namespace aicore::tb
