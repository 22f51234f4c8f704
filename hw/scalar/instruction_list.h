// A program that stands in memory as a whole.
#pragma once

#include "hw/scalar/instruction_source.h"

#include <cstddef>
#include <vector>

namespace aicore {

/// Hands out the instructions of a list, which must outlive it.
class InstructionList final : public InstructionSource {
public:
    explicit InstructionList(const std::vector<Instruction>& instructions)
        : instructions_(&instructions) {}

    bool next(Instruction& instruction) override {
        if (position_ == instructions_->size()) return false;
        instruction = (*instructions_)[position_++];
        return true;
    }
    void rewind() override { position_ = 0; }

private:
    const std::vector<Instruction>* instructions_;
    std::size_t position_ = 0;
};

} // namespace aicore
