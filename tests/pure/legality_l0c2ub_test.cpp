// asc_copy_l0c2ub: each illegal parameter or combination is refused with its name, value and rule.
#include "hw/isa/l0c2ub.h"
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace aicore {
namespace {

IsaLimits limits_3510() {
    IsaLimits limits = kLimits;
    limits.arch = 3510;
    limits.l0c_bytes = 262144;
    limits.ub_bytes = 253952;
    limits.fixpipe_reaches_ub = true;
    limits.fixpipe.nz_dst_stride = PanelStrideUnit::elements;
    limits.fixpipe.src_nd_stride = NdStrideUnit::rows;
    return limits;
}

/// 64 x 64 float32 in NZ to the unified buffer of core 0.
AscCopyL0c2ub copy() {
    AscCopyL0c2ub op;
    op.n_size = op.m_size = 64;
    op.loop_dst_stride = 16 * 64;
    op.loop_src_stride = 64;
    return op;
}

using Change = std::function<void(AscCopyL0c2ub&)>;

AscCopyL0c2ub changed(const Change& change) {
    AscCopyL0c2ub op = copy();
    change(op);
    return op;
}

void to_half(AscCopyL0c2ub& op) {
    op.dst_type = DataType::float16;
    op.quant_pre = QuantPreMode::F322F16;
}

TEST(L0c2ubLegality, AcceptsWhatTheTextsAllow) {
    const std::vector<Change> changes{
        [](auto&) {},
        [](auto& op) { op.n_size = 0; },
        [](auto& op) { op.m_size = 0; },
        [](auto& op) { op.dst_addr = 32; },
        [](auto& op) { op.sub_blockid = true; },
        [](auto& op) { op.dual_dst_ctl = 1; },
        [](auto& op) { op.dual_dst_ctl = 2; },
        [](auto& op) { op.dual_dst_ctl = 1, op.m_size = 62; },
        [](auto& op) { op.dual_dst_ctl = 2, op.nz2nd_en = true, op.loop_dst_stride = 32; },
        [](auto& op) { op.unit_flag_ctl = 2; },
        [](auto& op) { op.unit_flag_ctl = 3, op.dual_dst_ctl = 1; },
        [](auto& op) { op.split_en = true, op.n_size = 56; },
        [](auto& op) { op.nz2nd_en = true, op.loop_dst_stride = 64, op.nd_num = 2; },
        [](auto& op) {
            op.nz2nd_en = true, op.loop_dst_stride = 64, op.unit_flag_ctl = 3;
            op.nd_num = 2, op.src_nd_stride = 16;
        },
        [](auto& op) { op.nz2nd_en = true, op.loop_dst_stride = 1, op.m_size = 1; },
        [](auto& op) { op.nz2dn_en = true, op.loop_dst_stride = 64; },
        [](auto& op) { op.nz2dn_en = true, op.loop_dst_stride = 64, op.src_nz_c0_stride = 2; },
        [](auto& op) { op.c0_pad_en = true, op.n_size = 57; },
        [](auto& op) { op.broadcast_en = true; },
        [](auto& op) { to_half(op), op.relu_pre = 1; },
        [](auto& op) { to_half(op), op.relu_pre = 1, op.clip_relu_pre = 1, op.clip_max = 0x4400; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto violation = find_violation(changed(changes[i]), limits_3510());
        EXPECT_FALSE(violation) << "change " << i << ": " << violation->field << " = "
                                << violation->value << ": " << violation->rule;
    }
}

struct Illegal {
    Change change;
    std::string field, value, rule;
};

const std::vector<Illegal> kIllegal{
    // parameters by themselves
    {[](auto& op) { op.dst_addr = 16; }, "dst_addr", "0x10", "UB address must be a multiple of 32"},
    {[](auto& op) { op.src_addr = 32; }, "src_addr", "0x20",
     "L0C address must be a multiple of 64"},
    {[](auto& op) { op.n_size = 4096; }, "n_size", "4096", "must be 0 .. 4095"},
    {[](auto& op) { op.n_size = 40; }, "n_size", "40", "must be a multiple of 16 with layout NZ"},
    {[](auto& op) { op.m_size = 65536; }, "m_size", "65536", "must be 0 .. 65535"},
    {[](auto& op) { op.m_size = 8193, op.nz2nd_en = true; }, "m_size", "8193", "must be 0 .. 8192"},
    {[](auto& op) { op.loop_dst_stride = 0; }, "loop_dst_stride", "0", "must be 1 .. 4294967295"},
    {[](auto& op) { op.loop_src_stride = 65536; }, "loop_src_stride", "65536",
     "must be 0 .. 65535"},
    {[](auto& op) { op.dual_dst_ctl = 3; }, "dual_dst_ctl", "3", "is reserved"},
    {[](auto& op) { op.dual_dst_ctl = 5; }, "dual_dst_ctl", "5", "must be 0 .. 2"},
    {[](auto& op) { op.clip_relu_pre = 2; }, "clip_relu_pre", "2", "must be 0 .. 1"},
    {[](auto& op) { op.unit_flag_ctl = 1; }, "unit_flag_ctl", "1",
     "must be 0 (off), 2 (check and keep) or 3 (check and hand over)"},
    {[](auto& op) { op.relu_pre = 4; }, "relu_pre", "4", "the table form is not published"},
    {[](auto& op) { op.relu_post = 5; }, "relu_post", "5", "must be 0 .. 3"},
    {[](auto& op) { op.eltwise_op = 1; }, "eltwise_op", "1",
     "must be 0: the operations of arch 3510 are not published"},
    {[](auto& op) { op.eltwise_antq_en = true; }, "eltwise_antq_en", "true",
     "must be false: there is no element-wise operand"},
    // layouts
    {[](auto& op) { op.nz2nd_en = op.nz2dn_en = true; }, "NZ2DN_en", "true", "excludes NZ2ND_en"},
    {[](auto& op) { op.split_en = op.nz2nd_en = true; }, "split_en", "true", "excludes NZ2ND_en"},
    {[](auto& op) { op.split_en = op.nz2dn_en = true; }, "split_en", "true", "excludes NZ2DN_en"},
    {[](auto& op) { to_half(op), op.split_en = true; }, "split_en", "true",
     "goes with layout NZ and float32 only"},
    {[](auto& op) { op.split_en = true, op.unit_flag_ctl = 3; }, "split_en", "true",
     "does not go with the unit flag"},
    {[](auto& op) { op.split_en = true, op.n_size = 60; }, "n_size", "60",
     "must be a multiple of 8 with layout NZ and channel_split"},
    {[](auto& op) { op.nz2nd_en = true, op.n_size = 60, to_half(op); }, "n_size", "60",
     "a line of NZ2ND in UB must be a multiple of 32 bytes"},
    {[](auto& op) { op.nz2dn_en = true, op.m_size = 60, to_half(op); }, "m_size", "60",
     "a line of NZ2DN in UB must be a multiple of 32 bytes"},
    {[](auto& op) { op.nz2dn_en = true, op.src_nz_c0_stride = 0; }, "src_nz_c0_stride", "0",
     "must be 1 .. 65535"},
    {[](auto& op) { op.nz2dn_en = true, op.src_nz_c0_stride = 2, op.unit_flag_ctl = 2; },
     "src_nz_c0_stride", "2", "must be 1 with the unit flag"},
    {[](auto& op) { op.nz2nd_en = op.c0_pad_en = true; }, "C0_pad_en", "true",
     "goes with layout NZ only"},
    {[](auto& op) { op.broadcast_en = true, op.unit_flag_ctl = 2; }, "broadcast_en", "true",
     "does not go with the unit flag"},
    {[](auto& op) { op.nz2nd_en = true, op.nd_num = 0; }, "nd_num", "0", "must be 1 .. 65535"},
    {[](auto& op) { op.nz2nd_en = true, op.src_nd_stride = 65536; }, "src_nd_stride", "65536",
     "must be 0 .. 65535"},
    {[](auto& op) { op.nz2nd_en = true, op.loop_dst_stride = 63; }, "loop_dst_stride", "63",
     "must be at least 64: rows must not overlap"},
    {[](auto& op) { op.nz2nd_en = true, op.dual_dst_ctl = 2, op.loop_dst_stride = 31; },
     "loop_dst_stride", "31", "must be at least 32: rows must not overlap"},
    {[](auto& op) {
         op.nz2nd_en = true, op.loop_dst_stride = 64, op.unit_flag_ctl = 3;
         op.nd_num = 2, op.src_nd_stride = 8;
     },
     "src_nd_stride", "8", "must be a multiple of 16 with the unit flag"},
    // two destinations
    {[](auto& op) { op.dual_dst_ctl = 1, op.m_size = 63; }, "m_size", "63",
     "must be even to be split"},
    {[](auto& op) { op.dual_dst_ctl = 2, op.n_size = 48; }, "n_size", "48",
     "must be a multiple of 32 to be split"},
    {[](auto& op) { op.dual_dst_ctl = 1, op.nz2dn_en = true; }, "dual_dst_ctl", "1",
     "does not go with layout NZ2DN"},
    {[](auto& op) { op.dual_dst_ctl = 2, to_half(op); }, "dual_dst_ctl", "2",
     "does not go with a quantisation"},
    {[](auto& op) { op.dual_dst_ctl = 1, op.relu_pre = 1; }, "dual_dst_ctl", "1",
     "does not go with a ReLU"},
    {[](auto& op) { op.dual_dst_ctl = 1, op.split_en = true; }, "dual_dst_ctl", "1",
     "does not go with the channel split"},
    {[](auto& op) { op.dual_dst_ctl = 1, op.broadcast_en = true; }, "dual_dst_ctl", "1",
     "does not go with padding or broadcast"},
    {[](auto& op) { op.dual_dst_ctl = 1, op.m_size = 48, op.unit_flag_ctl = 3; }, "m_size", "48",
     "must be a multiple of 32 to be split with the unit flag"},
    // types and stages
    {[](auto& op) { op.dst_type = DataType::float16; }, "dst_dtype", "float16",
     "quant_pre none keeps the type of L0C, float32"},
    {[](auto& op) { op.quant_pre = QuantPreMode::DEQF16, op.dst_type = DataType::float16; },
     "src_dtype", "float32", "quant_pre DEQF16 reads int32"},
    {[](auto& op) { op.quant_pre = QuantPreMode::F322F16, op.dst_type = DataType::bfloat16; },
     "dst_dtype", "bfloat16", "quant_pre F322F16 makes float16"},
    {[](auto& op) { op.clip_relu_pre = 1, op.relu_pre = 1, op.clip_max = 0x4400; }, "clip_relu_pre",
     "1", "needs relu_pre normal and a quantisation"},
    // where it reads and writes
    {[](auto& op) { op.src_addr = 262144 - 64 * 64; }, "src_addr", "end 0x43000",
     "must lie inside L0C (262144 bytes)"},
    {[](auto& op) { // rows of 32 bytes, then a lone panel with rows of 16
         op.quant_pre = QuantPreMode::QF322B8_PRE, op.dst_type = DataType::uint8;
         op.quant_scalar = 0x3F800000, op.n_size = 48, op.loop_dst_stride = 32;
         op.dst_addr = 253952 - 63 * 32;
     },
     "dst_addr", "end 0x3e020", "must lie inside UB (253952 bytes)"},
    {[](auto& op) { op.dst_addr = 253952 - 32; }, "dst_addr", "end 0x41fe0",
     "must lie inside UB (253952 bytes)"},
};

TEST(L0c2ubLegality, RefusesEachMistakeByName) {
    for (const Illegal& illegal : kIllegal) {
        SCOPED_TRACE(illegal.field + " = " + illegal.value + ": " + illegal.rule);
        expect_broken(changed(illegal.change), illegal.field, illegal.value, illegal.rule,
                      limits_3510());
        AscCopyL0c2ubSync sync;
        static_cast<AscCopyL0c2ub&>(sync) = changed(illegal.change);
        expect_broken(sync, illegal.field, illegal.value, illegal.rule, limits_3510());
    }
}

TEST(L0c2ubLegality, Architecture) {
    expect_broken(copy(), "op", "arch 2201", "only arch 3510 has this instruction");
    IsaLimits no_path = limits_3510();
    no_path.fixpipe_reaches_ub = false;
    expect_broken(copy(), "dst", "UB", "must be GM or L1", no_path);
}

/// The same rules hold for a Fixpipe record, by its own names.
TEST(L0c2ubLegality, FixpipeRecord) {
    const IsaLimits limits = limits_3510();
    const auto record = [&](const Change& change) {
        return to_fixpipe(changed(change), limits.fixpipe);
    };
    EXPECT_FALSE(find_violation(record([](auto&) {}), limits));
    expect_broken(record([](auto& op) { op.loop_dst_stride = 0; }), "dst_stride", "0",
                  "must be 1 .. 4294967295", limits);
    expect_broken(record([](auto& op) { op.dual_dst_ctl = 1, op.nz2dn_en = true; }), "dual_dst",
                  "split_m", "does not go with layout NZ2DN", limits);

    Fixpipe op = record([](auto&) {});
    op.sub_block = 2;
    expect_broken(op, "sub_block", "2", "must be 0 .. 1", limits);
    op.sub_block = 1;
    op.dst = Buffer::GM;
    expect_broken(op, "sub_block", "1", "goes with dst UB only", limits);
    op.sub_block = 0;
    op.dual_dst = DualDst::split_n;
    expect_broken(op, "dual_dst", "split_n", "goes with dst UB only", limits);
    op.dual_dst = DualDst::none;
    op.dst_stride_unit = PanelStrideUnit::blocks;
    expect_broken(op, "dst_stride_unit", "32B", "must be element with layout NZ on this platform",
                  limits);
    op.layout = FixpipeLayout::NZ2ND;
    op.nd_num = 2;
    op.src_nd_stride_unit = NdStrideUnit::fractals;
    expect_broken(op, "src_nd_stride_unit", "1024B", "must be 64B on this platform", limits);
}

TEST(L0c2ubLegality, RowsOfABroadcastMustNotOverlapEither) {
    IsaLimits limits = limits_3510();
    Fixpipe op;
    op.m_size = 1;
    op.n_size = 32;
    op.src_stride = 16;
    op.dst_stride = 8;
    op.layout = FixpipeLayout::NZ2ND;
    op.broadcast = true;
    EXPECT_FALSE(find_violation(op, limits)) << "one row";
    limits.fixpipe.broadcast = BroadcastRows::fractals;
    expect_broken(op, "dst_stride", "8", "must be at least 32: rows must not overlap", limits);
}

TEST(L0c2ubLegality, Arch2201HasNoneOfIt) {
    Fixpipe op;
    op.m_size = op.n_size = 16;
    op.src_stride = 16;
    op.dst_stride = 32;
    expect_legal(op);
    op.dst_stride_unit = PanelStrideUnit::elements;
    expect_broken(op, "dst_stride_unit", "element", "must be 32B with layout NZ on this platform");
    op.dst_stride_unit = PanelStrideUnit::blocks;
    op.c0_pad = true;
    expect_broken(op, "c0_pad", "true", "only arch 3510 has this");
    op.c0_pad = false;
    op.broadcast = true;
    expect_broken(op, "broadcast", "true", "only arch 3510 has this");
    op.broadcast = false;
    op.layout = FixpipeLayout::NZ2DN;
    expect_broken(op, "layout", "NZ2DN", "only arch 3510 has this");
}

} // namespace
} // namespace aicore
