#include "hw/isa/dispatch_state.h"

namespace aicore {

bool change_state(const Operation& operation, DispatchState& state) {
    if (const auto* write = std::get_if<SetCtrl>(&operation)) {
        state.ctrl = apply(*write, state.ctrl);
    } else if (const auto* mask = std::get_if<SetVectorMask>(&operation)) {
        for (std::size_t i = 0; i < state.vector.mask.size(); ++i) {
            state.vector.mask[i] = mask->words[2 * i] | std::uint64_t{mask->words[2 * i + 1]} << 32;
        }
    } else if (const auto* mode = std::get_if<SetMaskMode>(&operation)) {
        state.vector.mask_mode = mode->mode;
    } else if (const auto* scale = std::get_if<SetDeqScale>(&operation)) {
        state.vector.deq_scale = scale->value;
    } else if (const auto* atomic = std::get_if<SetAtomic>(&operation)) {
        state.atomic = *atomic;
    } else {
        return false;
    }
    return true;
}

namespace {

AtomicAccess atomic_of(const DispatchState& state) {
    return {state.atomic.operation, state.atomic.element,
            state.ctrl.float_overflow == FloatOverflow::saturate};
}

template <typename Store>
void stamp_store(Operation& operation, const DispatchState& state) {
    auto* store = std::get_if<Store>(&operation);
    if (store != nullptr && store->dst == Buffer::GM) store->atomic = atomic_of(state);
}

} // namespace

void stamp_state(Operation& operation, const DispatchState& state) {
    stamp_ctrl(operation, state.ctrl);
    if (auto* op = std::get_if<VectorOp>(&operation)) op->control = state.vector;
    if (auto* gather = std::get_if<VectorGather>(&operation)) gather->control = state.vector;
    if (auto* mask = std::get_if<GatherMask>(&operation)) mask->control = state.vector;
    stamp_store<DataCopy>(operation, state);
    stamp_store<DataCopyPad>(operation, state);
    stamp_store<Fixpipe>(operation, state);
    if (auto* sync = std::get_if<SoftSyncAll>(&operation)) sync->atomic = atomic_of(state);
}

} // namespace aicore
