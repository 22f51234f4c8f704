// The value of an instruction's field: a number, an expression, or a pick from a list.
#pragma once

#include "hw/config/strict_yaml.h"
#include "hw/numerics/data_type.h"
#include "tb/program/expression.h"

#include <optional>
#include <string>
#include <vector>

namespace aicore::tb {

/// What a field may hold; booleans are carried as 0 and 1.
enum class ValueKind { integer, boolean };

/// Value of a field as the file spells it: `512`, `131072+i*512` or
/// `{index: k, values: [2, 2, 3]}`, which picks values[k]. Evaluated for each instruction.
class FieldValue {
public:
    /// Throws InputError with the place of the node.
    FieldValue(const YamlNode& node, ValueKind kind, const Scope& scope);

    /// Throws ExpressionError: no integer result, an index outside the list, or a boolean that is
    /// neither 0 nor 1.
    std::int64_t evaluate(const LoopValues& values) const;
    /// As in the file, for messages.
    const std::string& text() const { return text_; }

private:
    ValueKind kind_;
    std::string text_;
    std::optional<Expression> index_; ///< of a pick
    std::vector<Expression> values_;  ///< one without an index
};

/// Bits of an element of `type`: a number, rounded to a floating type, `inf`, `-inf` or `nan`, an
/// integer expression without loop variables, or the bits themselves as 0x. Throws InputError with
/// the place of the node.
std::uint32_t read_scalar(const YamlNode& node, DataType type, const Scope& scope);

} // namespace aicore::tb
