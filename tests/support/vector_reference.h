// Executes vector instructions element by element on an image of UB: a plain reference for the
// model's vector unit, written from the description of the instructions.
//
// Values are computed as long double, and rounded by looking up neighbours of the target format.
#pragma once

#include "hw/isa/instruction.h"

#include <array>
#include <cstdint>
#include <vector>

namespace aicore::test {

class VectorReference {
public:
    std::vector<std::uint8_t> ub;
    std::array<bool, 128> compare_mask{};
    bool is_fused = true; ///< vmla, vmadd, vmaddrelu, vaxpy

    /// Throws std::invalid_argument for an instruction that is none of the vector unit, and
    /// std::out_of_range for an access behind UB.
    void execute(const Operation& operation);

private:
    void run(const VectorOp& op);
    void run(const VectorGather& op);
    void run(const GatherMask& op);
    void run(const Sort32& op);
    void run(const MrgSort& op);
    void run(const NchwConv& op);
    void repeat(const VectorOp& op, std::int64_t r, const std::vector<bool>& lanes);
    void reduce(const VectorOp& op, std::int64_t r, const std::vector<bool>& lanes);
    void move(const VectorOp& op);
    std::uint64_t result_bits(const VectorOp& op, std::int64_t r, int lane) const;
    std::uint64_t get(std::int64_t addr, int bytes) const;
    void set(std::int64_t addr, int bytes, std::uint64_t value);

    std::vector<std::uint8_t> before_; ///< UB when the repeat began
};

} // namespace aicore::test
