// Runs vector instructions of the model on an image of UB, without time.
#pragma once

#include "hw/vector/vector_math.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace aicore::test {

/// Runs tasks of the model on an image of UB.
class VectorMachine {
public:
    std::vector<std::uint8_t> ub;
    VectorState state;

    void execute(const Operation& operation, MultiplyAdd multiply_add = MultiplyAdd::fused) {
        const auto task = make_vector_task(operation, multiply_add);
        VectorStep step;
        VectorData data;
        while (task->next(step)) {
            for (int i = 0; i < step.read_count; ++i) {
                const VectorStep::Read& read = step.reads[static_cast<std::size_t>(i)];
                check_piece(read.addr, read.bytes);
                std::memcpy(data.in.data() + read.offset, ub.data() + read.addr, read.bytes);
            }
            task->execute(step, data, state);
            for (int i = 0; i < step.write_count; ++i) {
                const VectorStep::Write& write = step.writes[static_cast<std::size_t>(i)];
                check_piece(write.addr, write.bytes);
                for (unsigned byte = 0; byte < write.bytes; ++byte) {
                    if ((write.enable >> byte & 1u) == 0) continue;
                    ub[write.addr + byte] = data.out[write.offset + byte];
                }
            }
        }
    }

private:
    /// A piece lies in UB and in one block.
    void check_piece(std::uint32_t addr, std::uint32_t bytes) {
        ASSERT_LE(addr + bytes, ub.size());
        ASSERT_EQ(addr / 32, (addr + bytes - 1) / 32);
    }
};

} // namespace aicore::test
