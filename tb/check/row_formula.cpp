#include "tb/check/row_formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include <muParser.h>

namespace aicore::tb {
namespace {

enum class Kind { sum, mean, max, min };

double relu(double x) { return x > 0 ? x : 0; }

/// Stands for reduction `index` where the formula had it; no tensor has such a name.
const std::string kReductionName = "__row";
std::string reduction_name(std::size_t index) { return kReductionName + std::to_string(index); }

std::optional<Kind> kind_of(const std::string& name) {
    if (name == "rowsum") return Kind::sum;
    if (name == "rowmean") return Kind::mean;
    if (name == "rowmax") return Kind::max;
    if (name == "rowmin") return Kind::min;
    return std::nullopt;
}

double start_of(Kind kind) {
    switch (kind) {
    case Kind::max: return -std::numeric_limits<double>::infinity();
    case Kind::min: return std::numeric_limits<double>::infinity();
    default: return 0;
    }
}

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Position of the bracket that closes the one at `open`.
std::size_t closing(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i;
    }
    throw FormulaError("a bracket is not closed");
}

} // namespace

struct RowFormula::Parser {
    mu::Parser parser;

    explicit Parser(const std::string& text) {
        parser.DefineFun("relu", relu);
        parser.SetExpr(text);
    }
};

struct RowFormula::Reduction {
    Kind kind;
    Parser inner;
    double value = 0;
};

RowFormula::RowFormula(const std::string& text) {
    // A formula that spells such a name would read the result of a reduction.
    if (text.find(kReductionName) != std::string::npos)
        throw FormulaError(kReductionName + " is reserved");
    try {
        parser_ = std::make_unique<Parser>(take_reductions(text));
        std::vector<mu::Parser*> parsers{&parser_->parser};
        for (const auto& reduction : reductions_) parsers.push_back(&reduction->inner.parser);
        std::set<std::string> names;
        for (mu::Parser* parser : parsers) {
            for (const auto& used : parser->GetUsedVar()) {
                if (used.first.rfind(kReductionName, 0) != 0) names.insert(used.first);
            }
        }
        names_.assign(names.begin(), names.end());
        values_.assign(names_.size(), 1.0);
        for (mu::Parser* parser : parsers) {
            for (std::size_t i = 0; i < names_.size(); ++i)
                parser->DefineVar(names_[i], &values_[i]);
            for (std::size_t i = 0; i < reductions_.size(); ++i)
                parser->DefineVar(reduction_name(i), &reductions_[i]->value);
            parser->Eval(); // finds mistakes now
            // The parser takes "a, b" for a list of results; only the last one would count.
            if (parser->GetNumResults() > 1) throw FormulaError("a comma outside of a function");
        }
    } catch (const mu::Parser::exception_type& error) {
        throw FormulaError(error.GetMsg());
    }
}

RowFormula::~RowFormula() = default;
RowFormula::RowFormula(RowFormula&&) noexcept = default;

/// The formula with names in the place of its reductions.
std::string RowFormula::take_reductions(const std::string& text) {
    std::string rest;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_name_character(text[end])) ++end;
        const std::optional<Kind> kind = kind_of(text.substr(at, end - at));
        if (!kind || end == text.size() || text[end] != '(') {
            end = std::max(end, at + 1);
            rest += text.substr(at, end - at);
            at = end;
            continue;
        }
        const std::size_t close = closing(text, end);
        const std::string inner = take_reductions(text.substr(end + 1, close - end - 1));
        rest += reduction_name(reductions_.size());
        reductions_.push_back(std::unique_ptr<Reduction>(new Reduction{*kind, Parser(inner)}));
        at = close + 1;
    }
    return rest;
}

void RowFormula::evaluate(std::int64_t columns, const Load& load, const Store& store) {
    for (const auto& reduction : reductions_) {
        double value = start_of(reduction->kind);
        for (std::int64_t column = 0; column < columns; ++column) {
            load(column, values_);
            const double element = reduction->inner.parser.Eval();
            switch (reduction->kind) {
            // A NaN beats every number, as in the reductions of the vector core.
            case Kind::max: value = std::isnan(value) || value > element ? value : element; break;
            case Kind::min: value = std::isnan(value) || value < element ? value : element; break;
            default: value += element;
            }
        }
        if (reduction->kind == Kind::mean) value /= static_cast<double>(columns);
        reduction->value = value;
    }
    for (std::int64_t column = 0; column < columns; ++column) {
        load(column, values_);
        store(column, parser_->parser.Eval());
    }
}

} // namespace aicore::tb
