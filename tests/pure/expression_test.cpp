#include "tb/program/expression.h"

#include <gtest/gtest.h>

#include <string>

namespace aicore::tb {
namespace {

Scope make_scope() {
    Scope scope;
    scope.constants = {{"tm", 128}, {"big", std::int64_t{1} << 52}};
    scope.loop_variables = {"k", "i"};
    return scope;
}

std::int64_t evaluate(const std::string& text, std::int64_t k = 0, std::int64_t i = 0) {
    return Expression(text, make_scope()).evaluate({k, i});
}

std::string error_of(const std::string& text, std::int64_t k = 0) {
    try {
        return std::to_string(evaluate(text, k));
    } catch (const ExpressionError& error) {
        return error.what();
    }
}

TEST(Expression, ReadsPlainIntegers) {
    EXPECT_EQ(evaluate("0"), 0);
    EXPECT_EQ(evaluate("-12"), -12);
    EXPECT_EQ(evaluate("0x20"), 32);
    EXPECT_EQ(evaluate("9007199254740992"), std::int64_t{1} << 53);
    EXPECT_EQ(error_of("9007199254740993"), "is beyond 2^53");
    EXPECT_EQ(error_of("99999999999999999999"), "is beyond 2^53");
    EXPECT_EQ(error_of("010"), "write it without leading zeros");
}

TEST(Expression, UsesConstantsAndLoopVariables) {
    EXPECT_EQ(evaluate("131072+i*512", 0, 3), 131072 + 3 * 512);
    EXPECT_EQ(evaluate("k*tm + i", 2, 7), 263);
    EXPECT_EQ(evaluate("0x100 + k*0x10", 2), 0x120);
    EXPECT_EQ(evaluate("k == 0 ? 5 : i", 1, 9), 9);
    EXPECT_EQ(evaluate("k < 7 && i >= 1", 6, 1), 1);
    EXPECT_EQ(evaluate("true"), 1);
    EXPECT_EQ(evaluate("false"), 0);
}

TEST(Expression, OffersIntegerFunctions) {
    EXPECT_EQ(evaluate("17 % 5 + 10 % k", 4), 4);
    EXPECT_EQ(evaluate("k%2*1024", 3), 1024);
    EXPECT_EQ(evaluate("2 + 7%-4"), 5);
    EXPECT_EQ(evaluate("-7 % 4"), -3);
    EXPECT_EQ(evaluate("ceil_div(70, 16)"), 5);
    EXPECT_EQ(evaluate("align(k, 32)", 33), 64);
    EXPECT_EQ(evaluate("align(64, 32)"), 64);
    EXPECT_EQ(evaluate("floor(7/2)*2"), 6);
    EXPECT_EQ(evaluate("ceil(7/2)"), 4);
    EXPECT_EQ(evaluate("abs(-3)"), 3);
    EXPECT_EQ(evaluate("min(4, 2, 3)"), 2);
    EXPECT_EQ(evaluate("max(k, 2)", 9), 9);
    EXPECT_EQ(evaluate("7/2*2"), 7);
}

TEST(Expression, RejectsResultsThatAreNoIntegers) {
    EXPECT_EQ(error_of("7/2"), "gives 3.5, not an integer");
    EXPECT_EQ(error_of("k/2", 1), "gives 0.5, not an integer");
    EXPECT_EQ(error_of("1/k", 0), "is not finite (division by zero?)");
    EXPECT_EQ(error_of("5 % k", 0), "is not finite (division by zero?)");
    EXPECT_EQ(error_of("big*2"), "9007199254740992");
    EXPECT_EQ(error_of("big*4"), "gives 18014398509481984, beyond 2^53");
    EXPECT_EQ(error_of("0-big*4"), "gives -18014398509481984, beyond 2^53");
}

TEST(Expression, RejectsBadSyntax) {
    EXPECT_EQ(error_of("m+1"), "unknown name or bad syntax at \"m\"; names here: k, i, big, tm");
    EXPECT_EQ(error_of("sin(1)"),
              "unknown name or bad syntax at \"sin\"; names here: k, i, big, tm");
    EXPECT_EQ(error_of("k=3"), "= assigns, compare with ==");
    EXPECT_EQ(error_of("1,2"), "expected one value, found a list");
    EXPECT_NE(error_of("(1+2").find("parenthesis"), std::string::npos);
    EXPECT_NE(error_of("1+").find("end of expression"), std::string::npos);
    EXPECT_THROW(evaluate(""), ExpressionError);
}

TEST(Expression, KeepsItsValuesAfterAMove) {
    Expression source("k*2", make_scope());
    const Expression expression = std::move(source);
    EXPECT_EQ(expression.evaluate({5, 0}), 10);
    EXPECT_EQ(expression.evaluate({6, 0}), 12);
}

TEST(Scope, TellsFreeNames) {
    const Scope scope = make_scope();
    EXPECT_NO_THROW(scope.require_free_name("j_2"));
    for (const char* name : {"k", "tm", "min", "align", "true", "2k", "", "a-b"}) {
        EXPECT_THROW(scope.require_free_name(name), ExpressionError) << name;
    }
}

} // namespace
} // namespace aicore::tb
