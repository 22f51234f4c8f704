// Every vector instruction with random operands against the element-by-element reference.
#include "hw/isa/vector_opcode.h"
#include "tests/support/random_vectors.h"
#include "tests/support/vector_machine.h"
#include "tests/support/vector_reference.h"

#include <gtest/gtest.h>

#include <cstring>

namespace aicore::test {
namespace {

/// The first difference as text; empty: none.
std::string difference(const std::vector<std::uint8_t>& got,
                       const std::vector<std::uint8_t>& expected) {
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == expected[i]) continue;
        return "byte " + std::to_string(i) + ": " + std::to_string(got[i]) + ", expected " +
               std::to_string(expected[i]);
    }
    return "";
}

class RandomVectorTest : public testing::Test {
protected:
    void compare(const Operation& operation, const std::vector<std::uint8_t>& content,
                 MultiplyAdd multiply_add = MultiplyAdd::fused) {
        machine_.ub = reference_.ub = content;
        reference_.is_fused = multiply_add == MultiplyAdd::fused;
        ASSERT_NO_THROW(reference_.execute(operation));
        machine_.execute(operation, multiply_add);
        EXPECT_EQ(difference(machine_.ub, reference_.ub), "") << disassemble(operation);
        for (std::size_t i = 0; i < 128; ++i) {
            ASSERT_EQ(machine_.state.compare_mask[i / 64] >> i % 64 & 1,
                      reference_.compare_mask[i] ? 1u : 0u)
                << disassemble(operation) << ", bit " << i;
        }
    }

    RandomVectors random_{2201};
    VectorMachine machine_;
    VectorReference reference_;
};

class EveryOpcode : public RandomVectorTest, public testing::WithParamInterface<int> {};

TEST_P(EveryOpcode, EqualsTheReference) {
    const auto opcode = static_cast<VectorOpcode>(GetParam());
    const int cases = opcode == VectorOpcode::vconv ? 600 : 120;
    for (int i = 0; i < cases && !HasFailure(); ++i) {
        const VectorOp op = random_.op(opcode);
        compare(op, random_.content(), i % 2 == 0 ? MultiplyAdd::fused : MultiplyAdd::separate);
        // Bits for the selections and moves of CMPMASK that follow.
        VectorOp load;
        load.opcode = VectorOpcode::set_cmpmask;
        compare(load, random_.content());
    }
}

INSTANTIATE_TEST_SUITE_P(Vector, EveryOpcode, testing::Range(0, kVectorOpcodes),
                         [](const testing::TestParamInfo<int>& opcode) {
                             return std::string(to_string(static_cast<VectorOpcode>(opcode.param)));
                         });

TEST_F(RandomVectorTest, GathersEqualTheReference) {
    for (int i = 0; i < 300 && !HasFailure(); ++i) {
        const VectorGather op = random_.gather(i % 2 == 0);
        std::vector<std::uint8_t> content = random_.content();
        // Offsets are read a repeat ahead, before the result of the repeat before them is there:
        // the two may not meet.
        const std::int64_t end = op.dst_addr + 32 * (8 * 4 + 12 * 8);
        if (op.offset_addr < end && op.dst_addr < op.offset_addr + 2048) continue;
        // Offsets that stay in UB.
        const std::uint32_t unit = op.blocks ? 32 : static_cast<std::uint32_t>(size_of(op.type));
        for (std::size_t at = 0; at < content.size(); at += 4) {
            const std::int64_t items = (RandomVectors::kUbBytes - op.src_addr) / unit;
            const auto offset = static_cast<std::uint32_t>(random_.pick(0, items - 1)) * unit;
            std::memcpy(content.data() + at, &offset, 4);
        }
        compare(op, content);
    }
}

TEST_F(RandomVectorTest, GatherMaskEqualsTheReference) {
    for (int i = 0; i < 300 && !HasFailure(); ++i) {
        compare(random_.gather_mask(), random_.content());
    }
}

TEST_F(RandomVectorTest, SortEqualsTheReference) {
    for (int i = 0; i < 200 && !HasFailure(); ++i) compare(random_.sort(), random_.content());
}

TEST_F(RandomVectorTest, MergeEqualsTheReference) {
    for (int i = 0; i < 300 && !HasFailure(); ++i) {
        const MrgSort op = random_.merge();
        compare(op, random_.sorted_lists(op));
    }
}

TEST_F(RandomVectorTest, TransposingMovesEqualTheReference) {
    for (int i = 0; i < 200 && !HasFailure(); ++i) compare(random_.conv(), random_.content());
}

} // namespace
} // namespace aicore::test
