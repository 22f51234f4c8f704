// Executes loads element by element, without time: a plain reference for the model's loads.
//
// Written from the description of the instructions and sharing only their records with the model.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>
#include <vector>

namespace aicore::test {

class LoadReference {
public:
    using Memory = std::vector<std::uint8_t>;

    Memory gm, l1, l0a, l0b, l0b_index, bt;
    std::vector<Memory> fb; ///< slices

    /// Throws std::invalid_argument for an instruction that is no load or copy, and
    /// std::out_of_range for an access behind a memory.
    void execute(const Operation& operation);

private:
    struct Visitor;

    void run(const Nd2Nz& op);
    void run(const DataCopy& op);
    void run(const Load2d& op);
    void run(const Load2dV2& op);
    void run(const LoadTranspose& op);
    void run(const LoadSparse& op);
    void run(const Load3d& op);
    void run(const L1ToBt& op);
    void run(const L1ToFb& op);
    Memory& memory(Buffer buffer);
};

} // namespace aicore::test
