// An instruction of a program before its expressions are evaluated.
#pragma once

#include "hw/isa/instruction.h"
#include "tb/program/field_value.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace aicore::tb {

/// A field that can't take its value: what() reads "field = value: rule", without a place.
class FieldError : public std::runtime_error {
public:
    FieldError(std::string field_name, const std::string& value, const std::string& rule)
        : std::runtime_error(field_name + " = " + value + ": " + rule),
          field(std::move(field_name)) {}

    std::string field;
};

/// One field in the order of the operation table.
struct TemplateField {
    std::string name;                  ///< in the operation table: "id"
    std::string spelled;               ///< in the file: "event" when a sync made the instruction
    SourcePlace place;                 ///< of its value; line 0 when the file leaves it out
    std::optional<FieldValue> value;   ///< an evaluated field
    std::int64_t base = 0;             ///< added to the value: the address of a tensor
    std::optional<std::size_t> tensor; ///< an address: index of the named tensor
};

/// An instruction as it stands in a program, inside its loops. evaluate() gives the instruction of
/// one iteration.
class OperationTemplate {
public:
    /// `label` is the op as messages name it; `prototype` holds the choices (buffers, types,
    /// modes).
    OperationTemplate(std::string label, SourcePlace place, Operation prototype,
                      std::vector<TemplateField> fields)
        : label_(std::move(label)), place_(place), prototype_(std::move(prototype)),
          fields_(std::move(fields)) {}

    /// Throws FieldError when a field can't take its value or two fields contradict each other.
    /// Ranges and alignments are not checked here.
    Operation evaluate(const LoopValues& loop_values) const;

    const std::string& label() const { return label_; }
    SourcePlace place() const { return place_; }
    /// The field called `name` in the operation table or in the file; null when there is none.
    const TemplateField* find_field(const std::string& name) const;
    const std::vector<TemplateField>& fields() const { return fields_; }

private:
    std::string label_;
    SourcePlace place_;
    Operation prototype_;
    std::vector<TemplateField> fields_;
};

} // namespace aicore::tb
