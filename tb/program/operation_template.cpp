#include "tb/program/operation_template.h"

#include "hw/isa/operation_table.h"

#include <algorithm>
#include <limits>

namespace aicore::tb {
namespace {

/// Visitor of the operation table: sets the evaluated fields of an instruction.
class Evaluator {
public:
    Evaluator(const std::vector<TemplateField>& fields, const LoopValues& loop_values)
        : fields_(fields), loop_values_(loop_values) {}

    template <typename Address>
    void location(const char*, const char*, Buffer&, Address& addr, std::initializer_list<Buffer>,
                  Need = Need::required) {
        ++next_;
        set(addr);
    }
    template <typename Member>
    void integer(const char*, Member& member, Need) {
        set(member);
    }
    void boolean(const char*, bool& member, Need) {
        int value = member ? 1 : 0;
        set(value);
        member = value == 1;
    }
    template <typename Enum, std::size_t count>
    void choice(const char*, Enum&, const std::array<Choice<Enum>, count>&, Need) {
        ++next_;
    }
    void scalar(const char*, std::uint32_t&, DataType, Need) { ++next_; }
    void ignored(const char*) { ++next_; }
    void require_choice(bool, const char*, const char*) {}
    void require(bool holds, const char* name, const std::string& value, const char* rule) {
        if (!holds) throw FieldError(name, value, rule);
    }

private:
    template <typename Member>
    void set(Member& member) {
        const TemplateField& field = fields_[next_++];
        if (!field.value) return;
        std::int64_t value = 0;
        try {
            value = field.value->evaluate(loop_values_);
        } catch (const ExpressionError& error) {
            throw FieldError(field.spelled, field.value->text(), error.what());
        }
        // With the tensor's base a negative offset must not turn into a valid address.
        constexpr std::int64_t kLow = static_cast<std::int64_t>(std::numeric_limits<Member>::min());
        constexpr std::int64_t kHigh =
            sizeof(Member) == 8 ? std::numeric_limits<std::int64_t>::max()
                                : static_cast<std::int64_t>(std::numeric_limits<Member>::max());
        if (value < kLow) {
            throw FieldError(field.spelled, std::to_string(value),
                             "must be at least " + std::to_string(kLow));
        }
        if (value > kHigh) {
            throw FieldError(field.spelled, std::to_string(value),
                             "must be at most " + std::to_string(kHigh));
        }
        member = static_cast<Member>(value + field.base);
    }

    const std::vector<TemplateField>& fields_;
    const LoopValues& loop_values_;
    std::size_t next_ = 0;
};

} // namespace

Operation OperationTemplate::evaluate(const LoopValues& loop_values) const {
    Operation operation = prototype_;
    Evaluator evaluator(fields_, loop_values);
    std::visit([&evaluator](auto& op) { describe(evaluator, op); }, operation);
    return operation;
}

const TemplateField* OperationTemplate::find_field(const std::string& name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [&name](const auto& field) {
        return field.name == name || field.spelled == name;
    });
    return found == fields_.end() ? nullptr : &*found;
}

} // namespace aicore::tb
