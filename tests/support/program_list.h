// A program as a plain list of instructions.
#pragma once

#include "hw/scalar/instruction_source.h"

#include <initializer_list>
#include <vector>

namespace aicore::test {

/// Instructions in the order in which they were added. The n-th one (from 1) has line n as its
/// place and becomes instruction number n of its core.
class ProgramList final : public InstructionSource {
public:
    ProgramList() = default;
    ProgramList(std::initializer_list<Operation> operations) {
        for (const Operation& operation : operations) add(operation);
    }

    /// Returns the number of the instruction.
    std::uint64_t add(const Operation& operation) {
        const auto number = static_cast<std::int32_t>(program_.size() + 1);
        program_.push_back({operation, {number, 1}});
        return static_cast<std::uint64_t>(number);
    }
    const std::vector<Instruction>& instructions() const { return program_; }

    bool next(Instruction& instruction) override {
        if (position_ == program_.size()) return false;
        instruction = program_[position_++];
        return true;
    }
    void rewind() override { position_ = 0; }

private:
    std::vector<Instruction> program_;
    std::size_t position_ = 0;
};

} // namespace aicore::test
