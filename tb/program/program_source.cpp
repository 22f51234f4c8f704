#include "tb/program/program_source.h"

#include "hw/config/strict_yaml.h"

namespace aicore::tb {

ProgramSource::ProgramSource(const Program& program, const CoreProgram& core, std::int64_t index,
                             std::int64_t count)
    : program_(program), core_(core), core_values_{index, count} {
    rewind();
}

void ProgramSource::rewind() {
    frames_.assign(1, Frame{&core_.body, nullptr, 1});
    loop_values_ = core_values_;
    current_ = nullptr;
}

bool ProgramSource::next(Instruction& instruction) {
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        if (frame.position == frame.body->size()) {
            end_of_body();
            continue;
        }
        const Statement& statement = (*frame.body)[frame.position++];
        if (const Loop* loop = std::get_if<Loop>(&statement.content)) {
            enter(*loop);
            continue;
        }
        current_ = &std::get<OperationTemplate>(statement.content);
        try {
            instruction.operation = current_->evaluate(loop_values_);
        } catch (const FieldError& error) {
            const TemplateField* field = current_->find_field(error.field);
            throw InputError(at(field->place) + current_->label() + ": " + error.what() +
                             loop_text());
        }
        instruction.place = current_->place();
        return true;
    }
    return false;
}

void ProgramSource::enter(const Loop& loop) {
    std::int64_t count = 0;
    try {
        count = loop.count.evaluate(loop_values_);
        if (count < 0) throw ExpressionError("gives " + std::to_string(count) + ", below 0");
    } catch (const ExpressionError& error) {
        throw InputError(at(loop.place) + "loop: count = " + loop.count.text() + ": " +
                         error.what() + loop_text());
    }
    if (count == 0 || loop.body.empty()) return;
    frames_.push_back(Frame{&loop.body, &loop, count});
    loop_values_.push_back(0);
}

void ProgramSource::end_of_body() {
    Frame& frame = frames_.back();
    if (frame.loop != nullptr) {
        frame.position = 0;
        if (++loop_values_.back() < frame.count) return;
        loop_values_.pop_back();
    }
    frames_.pop_back();
}

std::string ProgramSource::describe_error(const std::string& field, const std::string& value,
                                          const std::string& rule) const {
    return describe_place(field, value, rule) + loop_text();
}

std::string ProgramSource::describe_place(const std::string& field, const std::string& value,
                                          const std::string& rule) const {
    const TemplateField* found = current_->find_field(field);
    const bool has_place = found != nullptr && found->place.line != 0;
    const std::string& spelled = found != nullptr ? found->spelled : field;
    return at(has_place ? found->place : current_->place()) + current_->label() + ": " + spelled +
           " = " + value + ": " + rule;
}

std::string ProgramSource::at(SourcePlace place) const {
    return program_.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
           ": ";
}

std::string ProgramSource::loop_text() const {
    std::string text;
    const auto add = [&text](const std::string& name, std::int64_t value) {
        text += (text.empty() ? " (" : ", ") + name + "=" + std::to_string(value);
    };
    if (core_.is_for_all()) add("core", core_values_.front());
    for (std::size_t i = 1; i < frames_.size(); ++i) {
        add(frames_[i].loop->variable, loop_values_[core_values_.size() + i - 1]);
    }
    return text.empty() ? text : text + ")";
}

} // namespace aicore::tb
