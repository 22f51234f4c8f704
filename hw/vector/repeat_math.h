// Steps of the instructions that compute element by element or reduce: one step for each repeat.
#pragma once

#include "hw/isa/vector_shape.h"
#include "hw/vector/elementwise_math.h"

namespace aicore {

/// Every VectorOp but vbrcb, vtranspose and the moves of CMPMASK.
class RepeatTask : public VectorTask {
public:
    RepeatTask(const VectorOp& op, MultiplyAdd multiply_add);

    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    void add_reads(VectorStep& step) const;
    void read_blocks(VectorStep& step, VectorPort port, const VectorOperand& operand, int blocks,
                     int offset) const;
    void write_blocks(VectorStep& step) const;
    void compute(VectorData& data, const VectorState& state) const;
    void compare(VectorStep& step, VectorData& data, VectorState& state) const;
    void reduce(VectorStep& step, VectorData& data) const;
    LaneMask select_bits(const VectorData& data, const VectorState& state) const;

    VectorOp op_;
    VectorForm form_;
    VectorShape shape_;
    MultiplyAdd multiply_add_;
    LaneKernel kernel_ = nullptr; ///< of the elementwise forms
    std::int64_t repeat_ = -1;
    LaneMask lanes_{}; ///< enabled in this repeat
};

} // namespace aicore
