#include "tb/program/field_value.h"

namespace aicore::tb {
namespace {

Expression compile(const YamlNode& node, ValueKind kind, const Scope& scope) {
    const std::string text = node.as_string();
    if (kind == ValueKind::integer && (text == "true" || text == "false")) {
        node.fail("expected an integer, found " + text);
    }
    try {
        return Expression(text, scope);
    } catch (const ExpressionError& error) {
        node.fail("\"" + text + "\": " + error.what());
    }
}

} // namespace

FieldValue::FieldValue(const YamlNode& node, ValueKind kind, const Scope& scope) : kind_(kind) {
    if (!node.is_map()) {
        values_.push_back(compile(node, kind, scope));
        text_ = values_.front().text();
        return;
    }
    node.allow_keys({"index", "values"});
    index_ = compile(node.require("index"), ValueKind::integer, scope);
    for (const YamlNode& item : node.require("values").items()) {
        values_.push_back(compile(item, kind, scope));
    }
    text_ = "values[" + index_->text() + "]";
}

std::int64_t FieldValue::evaluate(const LoopValues& values) const {
    std::size_t position = 0;
    if (index_) {
        const std::int64_t index = index_->evaluate(values);
        if (index < 0 || index >= static_cast<std::int64_t>(values_.size())) {
            throw ExpressionError("index " + std::to_string(index) + " is outside the " +
                                  std::to_string(values_.size()) + " values");
        }
        position = static_cast<std::size_t>(index);
    }
    const std::int64_t result = values_[position].evaluate(values);
    if (kind_ == ValueKind::boolean && result != 0 && result != 1) {
        throw ExpressionError("gives " + std::to_string(result) + ", expected true or false");
    }
    return result;
}

} // namespace aicore::tb
