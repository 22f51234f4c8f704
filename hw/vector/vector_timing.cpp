#include "hw/vector/vector_timing.h"

namespace aicore {

namespace {

constexpr std::int64_t kPerCycle = 100; ///< CycleHundredths

struct PaceOf {
    const VectorPace& pace;

    CycleHundredths operator()(const VectorOp& op) const {
        const bool is_half = op.type == DataType::float16;
        switch (op.opcode) {
        case VectorOpcode::vexp:
        case VectorOpcode::vln:
        case VectorOpcode::vsqrt:
            return is_half ? pace.exp_ln_sqrt_float16 : pace.exp_ln_sqrt_float32;
        case VectorOpcode::vdiv: return pace.div;
        case VectorOpcode::vmla:
        case VectorOpcode::vmadd:
        case VectorOpcode::vmaddrelu:
            return op.opcode == VectorOpcode::vmla && op.dst_type != op.type
                       ? pace.multiply_add_mixed
                       : pace.multiply_add;
        case VectorOpcode::vcadd: return is_half ? pace.cadd_float16 : pace.cadd_float32;
        case VectorOpcode::vcgadd:
        case VectorOpcode::vcgmax:
        case VectorOpcode::vcgmin:
            return is_half ? pace.block_reduce_float16 : pace.block_reduce_float32;
        case VectorOpcode::vcmax: return is_half ? pace.cmax_float16 : pace.cmax_cmin;
        case VectorOpcode::vcmin: return pace.cmax_cmin;
        case VectorOpcode::vconv:
            return op.type == DataType::int32 && op.dst_type == DataType::float16 ? pace.deq
                                                                                  : pace.standard;
        case VectorOpcode::vdeqs162b8l:
        case VectorOpcode::vdeqs162b8h: return pace.deq;
        case VectorOpcode::vcmpv: return pace.compare;
        case VectorOpcode::vtranspose: return pace.transpose;
        default: return pace.standard;
        }
    }
    CycleHundredths operator()(const VectorGather& op) const {
        if (op.blocks) return pace.gatherb;
        return size_of(op.type) == 2 ? pace.gather_16 : pace.gather_32;
    }
    CycleHundredths operator()(const GatherMask&) const { return pace.gather_mask; }
    CycleHundredths operator()(const Sort32&) const { return pace.sort32; }
    CycleHundredths operator()(const MrgSort&) const { return pace.mrgsort; }
    CycleHundredths operator()(const NchwConv&) const { return pace.nchwconv; }
    template <typename Other>
    CycleHundredths operator()(const Other&) const {
        return pace.standard;
    }
};

} // namespace

RepeatPace::RepeatPace(CycleHundredths cycles_per_repeat) : per_repeat_(cycles_per_repeat) {}

Cycles RepeatPace::next() {
    const CycleHundredths due = per_repeat_ - ahead_;
    const Cycles cycles(ceil_div(due.count(), kPerCycle));
    ahead_ = CycleHundredths(cycles.count() * kPerCycle) - due;
    return cycles;
}

RepeatPace repeat_pace(const VectorConfig& config, const Operation& operation) {
    return RepeatPace(std::visit(PaceOf{config.cycles_per_repeat}, operation));
}

} // namespace aicore
