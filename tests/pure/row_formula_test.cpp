// Formulas of goldens: reductions over rows.
#include "tb/check/row_formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace aicore::tb {
namespace {

using Row = std::vector<double>;

/// The formula over one row of x.
Row over(const std::string& text, const Row& x) {
    RowFormula formula(text);
    EXPECT_EQ(formula.names(), std::vector<std::string>{"x"});
    Row results(x.size());
    formula.evaluate(
        static_cast<std::int64_t>(x.size()),
        [&](std::int64_t column, Row& values) { values[0] = x[static_cast<std::size_t>(column)]; },
        [&](std::int64_t column, double result) {
            results[static_cast<std::size_t>(column)] = result;
        });
    return results;
}

TEST(RowFormula, ReducesARow) {
    const Row x{3, -1, 4, 2};
    EXPECT_EQ(over("rowsum(x)", x), Row(4, 8));
    EXPECT_EQ(over("rowmean(x) + x", x), (Row{5, 1, 6, 4}));
    EXPECT_EQ(over("rowmax(x) - rowmin( (x) )", x), Row(4, 5));
    EXPECT_EQ(over("rowmax(-x)", x), Row(4, 1));
}

TEST(RowFormula, ReductionsNest) {
    const Row x{1, 3};
    EXPECT_EQ(over("rowsum((x - rowmean(x))^2)", x), Row(2, 2));
    const Row y = over("exp(x - rowmax(x)) / rowsum(exp(x - rowmax(x)))", x);
    EXPECT_DOUBLE_EQ(y[0], 1 / (1 + std::exp(2)));
    EXPECT_DOUBLE_EQ(y[0] + y[1], 1);
}

TEST(RowFormula, ANaNBeatsEveryNumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Row& x : {Row{nan, 1}, Row{1, nan}, Row{nan, nan}}) {
        EXPECT_TRUE(std::isnan(over("rowmax(x)", x)[0]));
        EXPECT_TRUE(std::isnan(over("rowmin(x)", x)[0]));
    }
}

TEST(RowFormula, ARowStartsAnew) {
    RowFormula formula("rowsum(x) + relu(x)");
    for (const double value : {2.0, -2.0}) {
        formula.evaluate(
            2, [&](std::int64_t, Row& values) { values[0] = value; },
            [&](std::int64_t, double result) { EXPECT_EQ(result, value > 0 ? 6 : -4); });
    }
}

TEST(RowFormula, NamesOfAllPartsInOrder) {
    EXPECT_EQ(RowFormula("c + rowsum(a * rowmax(b))").names(),
              (std::vector<std::string>{"a", "b", "c"}));
}

TEST(RowFormula, MistakesAreFound) {
    for (const char* text : {"rowsum(x", "rowsum()", "rowsum(x +)", "x +", "median(x)",
                             "rowsum(x, x)", "x, x", "__row0 + rowsum(x)"}) {
        EXPECT_THROW(RowFormula{text}, FormulaError) << text;
    }
}

} // namespace
} // namespace aicore::tb
