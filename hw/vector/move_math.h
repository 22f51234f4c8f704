// Vector instructions that only move bits: vbrcb, vtranspose, the moves of CMPMASK, vnchwconv.
#pragma once

#include "hw/vector/vector_math.h"

namespace aicore {

/// vbrcb: one step for each repeat, 8 elements become 8 blocks.
class BroadcastTask : public VectorTask {
public:
    explicit BroadcastTask(const VectorOp& op) : op_(op) {}
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    VectorOp op_;
    std::int64_t repeat_ = -1;
};

/// vtranspose (16 x 16 elements), set_cmpmask and get_cmpmask: one step.
class SingleStepTask : public VectorTask {
public:
    explicit SingleStepTask(const VectorOp& op) : op_(op) {}
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    VectorOp op_;
    bool is_done_ = false;
};

/// vnchwconv: one step for each repeat, 16 blocks or halves of blocks.
class NchwConvTask : public VectorTask {
public:
    explicit NchwConvTask(const NchwConv& op) : op_(op) {}
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    std::uint32_t advance(std::int32_t stride) const;

    NchwConv op_;
    std::int64_t repeat_ = -1;
};

} // namespace aicore
