#include "hw/isa/vector_control.h"
#include "tests/pure/legality_expectations.h"

namespace aicore {
namespace {

IsaLimits vector_limits() {
    IsaLimits limits;
    limits.ub_bytes = 4096;
    return limits;
}

void expect_rule(const Operation& operation, const std::string& field, const std::string& value,
                 const std::string& rule) {
    expect_broken(operation, field, value, rule, vector_limits());
}

VectorOp add(DataType type = DataType::float32) {
    VectorOp op;
    op.type = type;
    op.dst.addr = 2048;
    op.src1.addr = 1024;
    op.repeat = 4;
    return op;
}

const std::string kInside = "must lie inside UB (4096 bytes)";

TEST(LegalityVector, CubeCoresHaveNoVectorInstructions) {
    EXPECT_FALSE(find_violation(add(), vector_limits()));
    expect_broken(add(), "op", "cube core", "only a vector core has this instruction");
    expect_broken(SetVectorMask{}, "op", "cube core", "only a vector core has this instruction");
}

TEST(LegalityVector, OverrunIsFoundThroughAnyMask) {
    VectorOp op = add();
    op.control.mask = {0, 0};
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.repeat = 9;
    expect_rule(op, "dst_addr", "end 0x1100", kInside);
    op.repeat = 4;
    op.src1.addr = 3104;
    expect_rule(op, "src1_addr", "end 0x1020", kInside);
}

TEST(LegalityVector, CounterModeReachesAsFarAsItsElements) {
    VectorOp op = add();
    op.repeat = 0; // has no meaning
    op.control.mask_mode = MaskMode::counter;
    op.control.mask[0] = 8 * 64;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.control.mask[0] = 8 * 64 + 1;
    expect_rule(op, "dst_addr", "end 0x1020", kInside);
}

TEST(LegalityVector, StridesAndRepeats) {
    VectorOp op = add();
    op.dst.blk_stride = 0;
    expect_rule(op, "dst_blk_stride", "0", "must be 1 .. 255");
    op = add();
    op.src0.blk_stride = op.src0.rep_stride = 0;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.repeat = 256;
    expect_rule(op, "repeat", "256", "must be 0 .. 255");
    op = add();
    op.src0.addr = 16;
    expect_rule(op, "src0_addr", "0x10", "UB address must be a multiple of 32");
}

TEST(LegalityVector, MaskFitsTheType) {
    VectorOp op = add();
    op.control.mask = {1, 1};
    expect_rule(op, "mask", "0x1 above bit 63",
                "a repeat of 32-bit elements has 64 mask bits, the others must be 0");
    op.type = DataType::float16;
    EXPECT_FALSE(find_violation(op, vector_limits()));
}

TEST(LegalityVector, TypesAndRoundings) {
    expect_rule(add(DataType::uint32), "dtype", "uint32", "vadd does not exist for this type");
    VectorOp op = add(DataType::float32);
    op.opcode = VectorOpcode::vconv;
    op.dst_type = DataType::float16;
    op.rounding = Rounding::odd;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.dst_type = DataType::int32;
    expect_rule(op, "round", "float32 to int32", "the conversion does not round this way");
    op.dst_type = DataType::int8;
    expect_rule(op, "dtype", "float32 to int8", "vconv does not exist for this type");
    op = add(DataType::int32);
    op.opcode = VectorOpcode::vcmpv;
    op.relation = Relation::eq;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.relation = Relation::ne;
    expect_rule(op, "dtype", "int32", "vcmpv does not exist for this type");
}

TEST(LegalityVector, ReductionsAlignToTheirResults) {
    VectorOp op = add(DataType::float16);
    op.opcode = VectorOpcode::vcgadd;
    op.dst.addr = 2064;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.dst.addr = 2056;
    expect_rule(op, "dst_addr", "0x808", "UB address must be a multiple of 16");
    op.opcode = VectorOpcode::vcmax;
    op.dst.addr = 2054;
    expect_rule(op, "dst_addr", "0x806", "UB address must be a multiple of 4");
}

TEST(LegalityVector, MergesRepeatOnlyOverFourListsInARow) {
    MrgSort op;
    op.dst_addr = 2048;
    op.lengths = {32, 32, 32, 32};
    op.src_addrs = {0, 256, 512, 768};
    op.repeat = 2;
    EXPECT_FALSE(find_violation(op, vector_limits()));
    op.exhausted_suspension = true;
    expect_rule(op, "repeat", "2",
                "must be at most 1 unless 4 lists of one length follow one another and none may "
                "suspend the instruction");
    op.repeat = 1;
    op.dst_addr = 992;
    expect_rule(op, "src3_addr", "0x300", "must not overlap the destination");
    op.valid_bits = 5;
    expect_rule(op, "valid_bits", "5", "must be 3, 7 or 15: the first 2, 3 or 4 lists");
}

TEST(LegalityVector, GathersSortsAndTransposes) {
    VectorGather gather;
    gather.offset_addr = 4096 - 256;
    expect_rule(gather, "offset_addr", "end 0x1100", kInside);
    Sort32 sort;
    sort.type = DataType::int32;
    expect_rule(sort, "dtype", "int32", "scores are float16 or float32");
    NchwConv conv;
    conv.dst_high_half = true;
    expect_rule(conv, "high half", "true", "only 8-bit elements fill half a block");
    GatherMask mask;
    mask.pattern = 8;
    expect_rule(mask, "pattern", "8", "must be 0 .. 7");
}

TEST(VectorControlState, IsStampedOntoWhatFollows) {
    VectorControl control;
    EXPECT_TRUE(apply_vector_state(SetVectorMask{{1, 2, 3, 4}}, control));
    EXPECT_TRUE(apply_vector_state(SetMaskMode{MaskMode::counter}, control));
    EXPECT_TRUE(apply_vector_state(SetDeqScale{99}, control));
    EXPECT_FALSE(apply_vector_state(Mmad{}, control));
    Operation operation = add();
    stamp_vector_control(operation, control);
    const VectorControl& stamped = std::get<VectorOp>(operation).control;
    EXPECT_EQ(stamped.mask[0], 0x200000001u);
    EXPECT_EQ(stamped.mask[1], 0x400000003u);
    EXPECT_EQ(stamped.mask_mode, MaskMode::counter);
    EXPECT_EQ(stamped.deq_scale, 99u);
}

} // namespace
} // namespace aicore
