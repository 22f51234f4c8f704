#include "hw/isa/vector_control.h"

namespace aicore {

bool apply_vector_state(const Operation& operation, VectorControl& control) {
    if (const auto* mask = std::get_if<SetVectorMask>(&operation)) {
        for (std::size_t i = 0; i < control.mask.size(); ++i) {
            control.mask[i] = mask->words[2 * i] | std::uint64_t{mask->words[2 * i + 1]} << 32;
        }
    } else if (const auto* mode = std::get_if<SetMaskMode>(&operation)) {
        control.mask_mode = mode->mode;
    } else if (const auto* scale = std::get_if<SetDeqScale>(&operation)) {
        control.deq_scale = scale->value;
    } else {
        return false;
    }
    return true;
}

void stamp_vector_control(Operation& operation, const VectorControl& control) {
    if (auto* vector = std::get_if<VectorOp>(&operation)) vector->control = control;
    if (auto* gather = std::get_if<VectorGather>(&operation)) gather->control = control;
    if (auto* mask = std::get_if<GatherMask>(&operation)) mask->control = control;
}

} // namespace aicore
