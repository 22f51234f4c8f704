// Legality of SyncAll and of atomic writes; the state that set_atomic leaves.
#include "hw/isa/dispatch_state.h"
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

IsaLimits vector_core() {
    IsaLimits limits = kLimits;
    limits.core = CoreKind::aiv;
    limits.ub_bytes = 188160;
    return limits;
}

const AtomicAccess kAddFloat32{AtomicOperation::add, AtomicElement::float32, false};

DataCopy store(Buffer src) {
    DataCopy copy;
    copy.src = src;
    copy.dst = Buffer::GM;
    copy.block_len = 1;
    copy.atomic = kAddFloat32;
    return copy;
}

Fixpipe fixpipe() {
    Fixpipe op;
    op.layout = FixpipeLayout::NZ2ND;
    op.m_size = op.n_size = 16;
    op.src_stride = 16;
    op.dst_stride = 16;
    op.atomic = kAddFloat32;
    return op;
}

TEST(LegalitySync, SyncAllOfTheVectorCoresIsNotForTheCubeCore) {
    expect_broken(SyncAll{}, "aiv_only", "true", "the cube core takes part with aiv_only: false");
    expect_legal(SyncAll{false});
    EXPECT_FALSE(find_violation(SyncAll{}, vector_core()));
    EXPECT_FALSE(find_violation(SyncAll{false}, vector_core()));
}

TEST(LegalitySync, SoftSyncAllHasRoomForItsSlots) {
    SoftSyncAll sync;
    sync.used_cores = 48;
    sync.block_idx = 47;
    EXPECT_FALSE(find_violation(sync, vector_core()));
    expect_broken(sync, "op", "cube core", "only vector cores have this instruction");
    expect_range_32(sync, &SoftSyncAll::block_idx, "block_idx", 0, 47, vector_core());
    sync.ub_addr = 188160 - 47 * 32;
    expect_broken(sync, "ub_addr", "end 0x2df20", "must lie inside UB (188160 bytes)",
                  vector_core());
    sync.ub_addr = 16;
    expect_broken(sync, "ub_addr", "0x10", "UB address must be a multiple of 32", vector_core());
    sync = {};
    sync.gm_addr = 4;
    expect_broken(sync, "gm_addr", "0x4", "GM address must be a multiple of 32", vector_core());
    sync = {};
    sync.atomic = kAddFloat32;
    expect_broken(sync, "op", "add", "its copies to GM need set_atomic none", vector_core());
}

TEST(LegalitySync, AtomicWritesConsistOfWholeElements) {
    DataCopy copy = store(Buffer::L1);
    expect_legal(copy);
    copy.dst_addr = 2;
    expect_broken(copy, "dst_addr", "0x2", "GM address must be a multiple of 4");
    expect_broken(store(Buffer::L1), "src", "L1", "arch 3510 has no atomic writes from L1",
                  limits_3510());

    DataCopyPad pad;
    pad.src = Buffer::UB;
    pad.dst = Buffer::GM;
    pad.block_len = 12;
    pad.dst_gap = 4;
    pad.atomic = kAddFloat32;
    EXPECT_FALSE(find_violation(pad, vector_core()));
    pad.block_len = 10;
    expect_broken(pad, "block_len", "10", "must be a multiple of 4, the element of set_atomic",
                  vector_core());
    pad.block_len = 12;
    pad.dst_gap = 2;
    expect_broken(pad, "dst_gap", "2", "must be a multiple of 4, the element of set_atomic",
                  vector_core());
}

TEST(LegalitySync, AFixpipeAddsElementsOfItsResult) {
    Fixpipe op = fixpipe();
    expect_legal(op);
    op.quant_pre = QuantPreMode::F322F16;
    op.dst_type = DataType::float16;
    expect_broken(op, "dst_dtype", "float16", "must be float32, the element of set_atomic");
    op.atomic.element = AtomicElement::float16;
    expect_legal(op);
    op.dst_addr = 1;
    expect_broken(op, "dst_addr", "0x1", "GM address must be a multiple of 2");
}

TEST(DispatchState, SetAtomicHoldsForWritesToGm) {
    DispatchState state;
    EXPECT_TRUE(state.atomic.operation == AtomicOperation::none);
    ASSERT_TRUE(change_state(SetAtomic{AtomicOperation::max, AtomicElement::int16}, state));
    SetCtrl ctrl;
    ctrl.float_overflow = FloatOverflow::saturate;
    ASSERT_TRUE(change_state(ctrl, state));
    for (Operation operation : {Operation(store(Buffer::L1)), Operation(fixpipe())}) {
        stamp_state(operation, state);
        const AtomicAccess& atomic = std::holds_alternative<Fixpipe>(operation)
                                         ? std::get<Fixpipe>(operation).atomic
                                         : std::get<DataCopy>(operation).atomic;
        EXPECT_EQ(atomic.operation, AtomicOperation::max);
        EXPECT_EQ(atomic.element, AtomicElement::int16);
        EXPECT_TRUE(atomic.saturate);
    }
    Operation to_l1 = DataCopy{};
    stamp_state(to_l1, state);
    EXPECT_TRUE(std::get<DataCopy>(to_l1).atomic.is_none());
}

} // namespace
} // namespace aicore
