// Execution of vector instructions without time: the steps of an instruction and what each
// computes. A module that models time calls, in this order,
//
//   auto task = make_vector_task(operation, multiply_add);
//   while (task->next(step)) {
//       for each piece of step.reads: UB -> data.in
//       task->execute(step, data, state);
//       for each piece of step.writes: data.out -> UB, the enabled bytes
//   }
//
// The reads of a step are complete after next(), its writes after execute(). Steps see what earlier
// ones of the same instruction wrote if the caller writes it before it reads for them.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/vector_step.h"
#include "hw/numerics/multiply_add.h"

#include <array>
#include <cstdint>
#include <memory>

namespace aicore {

/// Registers of the vector unit.
struct VectorState {
    std::array<std::uint64_t, 2> compare_mask{}; ///< CMPMASK
};

/// Operand and result bytes of a step.
struct VectorData {
    std::array<std::uint8_t, VectorStep::kInBytes> in{};
    std::array<std::uint8_t, VectorStep::kOutBytes> out{};
};

/// One instruction on its way. Addresses of vgather and vgatherb come from data and may lie
/// outside of UB: the caller must check the reads.
class VectorTask {
public:
    virtual ~VectorTask() = default;

    /// Gives the next step; false after the last one. The step before must have been executed.
    virtual bool next(VectorStep& step) = 0;
    virtual void execute(VectorStep& step, VectorData& data, VectorState& state) = 0;

protected:
    VectorTask() = default;
    VectorTask(const VectorTask&) = default;
    VectorTask& operator=(const VectorTask&) = default;
};

/// The task of an instruction of PIPE_V that find_violation accepts. Throws std::invalid_argument
/// for any other instruction.
std::unique_ptr<VectorTask> make_vector_task(const Operation& operation,
                                             MultiplyAdd multiply_add = MultiplyAdd::fused);

} // namespace aicore
