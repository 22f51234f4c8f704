// Random vector instructions that are legal for a small UB, and random content for it.
#pragma once

#include "hw/isa/legality.h"

#include <cstdint>
#include <random>
#include <vector>

namespace aicore::test {

class RandomVectors {
public:
    static constexpr std::int64_t kUbBytes = 16384;

    explicit RandomVectors(std::uint64_t seed) : random_(seed) {}

    /// A legal instruction of the opcode. Types and modes are drawn until they fit.
    VectorOp op(VectorOpcode opcode);
    VectorGather gather(bool blocks);
    GatherMask gather_mask();
    Sort32 sort();
    MrgSort merge();
    NchwConv conv();

    /// Bytes that hold every kind of number: random bits, small floats, small integers, specials.
    std::vector<std::uint8_t> content();
    /// UB for `merge`: each list holds descending scores.
    std::vector<std::uint8_t> sorted_lists(const MrgSort& merge);

    std::int64_t pick(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    bool coin() { return pick(0, 1) == 1; }

private:
    VectorControl control(std::int64_t largest_count);
    VectorOperand operand();
    std::uint32_t block_addr() {
        return static_cast<std::uint32_t>(32 * pick(0, kUbBytes / 32 - 1));
    }
    static bool is_legal(const Operation& operation);

    std::mt19937_64 random_;
};

} // namespace aicore::test
