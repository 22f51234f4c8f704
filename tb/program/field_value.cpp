#include "tb/program/field_value.h"

#include "hw/numerics/element.h"

#include <array>
#include <charconv>
#include <cstring>

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

std::uint32_t read_scalar(const YamlNode& node, DataType type, const Scope& scope) {
    const std::string text = node.as_string();
    double value = 0;
    const char* const end = text.data() + text.size();
    const bool is_bits = text.rfind("0x", 0) == 0;
    if (is_bits || std::from_chars(text.data(), end, value).ptr != end) {
        const std::int64_t integer =
            FieldValue(node, ValueKind::integer, {scope.constants, {}}).evaluate({});
        if (is_bits) {
            const int bits = bits_of(type);
            if (bits < 64 && integer >> bits != 0) node.fail(text + " has more bits than the type");
            return static_cast<std::uint32_t>(integer);
        }
        value = static_cast<double>(integer);
    }
    const bool is_legal_integer = value >= least_value(type) && value <= largest_value(type) &&
                                  value == static_cast<double>(static_cast<std::int64_t>(value));
    if (is_integer(type) && !is_legal_integer) {
        node.fail(text + " is no value of " + std::string(to_string(type)));
    }
    std::array<std::uint8_t, 8> bytes{};
    store_element(type, value, bytes.data(), 0);
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data(), sizeof bits);
    return bits;
}

} // namespace aicore::tb
