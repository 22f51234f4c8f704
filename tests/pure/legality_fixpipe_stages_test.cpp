// The stages of a Fixpipe: each rule by one instruction that breaks it and nothing else.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

#include <functional>

namespace aicore {
namespace {

IsaLimits limits_of(int arch) {
    IsaLimits limits = kLimits;
    limits.arch = arch;
    return limits;
}

constexpr std::uint64_t kOne = 0x3F800000;
constexpr std::uint64_t kSignedOne = kOne | std::uint64_t{1} << 46;

Fixpipe rows(QuantPreMode mode, DataType src, DataType dst) {
    Fixpipe op;
    op.layout = FixpipeLayout::NZ2ND;
    op.m_size = op.src_stride = 16;
    op.n_size = op.dst_stride = 64;
    op.quant_pre = mode;
    op.src_type = src;
    op.dst_type = dst;
    op.quant_scalar = kOne;
    return op;
}
Fixpipe to_int8() {
    Fixpipe op = rows(QuantPreMode::QF322B8_PRE, DataType::float32, DataType::int8);
    op.quant_scalar = kSignedOne;
    return op;
}
Fixpipe to_int4() { return rows(QuantPreMode::REQ4, DataType::int32, DataType::int4); }
Fixpipe copy() { return rows(QuantPreMode::none, DataType::float32, DataType::float32); }
Fixpipe clipping() {
    Fixpipe op = to_int8();
    op.relu_pre = ReluMode::normal;
    op.clip_relu_pre = true;
    op.clip_max = 0x4000;
    return op;
}
Fixpipe post() { // legal on arch 3510
    Fixpipe op = rows(QuantPreMode::QF322F16_PRE, DataType::float32, DataType::int8);
    op.quant_post = QuantPostMode::QF162B8_POST;
    op.quant_post_scalar = kOne | 1u << 9;
    return op;
}

struct Rule {
    int arch;
    Fixpipe legal;
    std::function<void(Fixpipe&)> breaks;
    const char *field, *value, *rule;
};

TEST(FixpipeStageLegality, EveryRule) {
    using F = Fixpipe;
    const std::vector<Rule> rules{
        {2201, to_int8(), [](F& f) { f.src_type = DataType::int32; }, "src_dtype", "int32",
         "quant_pre QF322B8_PRE reads float32"},
        {2201, to_int8(), [](F& f) { f.dst_type = DataType::int16; }, "dst_dtype", "int16",
         "quant_pre QF322B8_PRE makes int8 or uint8"},
        {2201, to_int8(), [](F& f) { f.quant_scalar = kOne; }, "quant_scalar", "0x3f800000",
         "bit 46 must be set for an int8 result"},
        {2201, to_int8(), [](F& f) { f.dst_type = DataType::uint8; }, "quant_scalar",
         "0x40003f800000", "bit 46 must be clear for a uint8 result"},
        {2201, to_int8(), [](F& f) { f.quant_scalar |= 0x7F800000; }, "quant_scalar",
         "0x40007f800000", "the scale must be zero or a normal float32"},
        {2201, to_int8(), [](F& f) { f.quant_pre = QuantPreMode::QF322FP8_PRE; }, "quant_pre",
         "QF322FP8_PRE", "arch 2201 does not have this mode"},
        {3510, rows(QuantPreMode::DEQS16, DataType::int32, DataType::int16),
         [](F& f) { f.quant_pre = QuantPreMode::SHIFTS322S16; }, "quant_pre", "SHIFTS322S16",
         "arch 3510 does not have this mode"},
        {2201, to_int8(), [](F& f) { f.quant_post = QuantPostMode::QF162B8_POST; }, "quant_post",
         "QF162B8_POST", "arch 2201 does not have this mode"},
        {2201, rows(QuantPreMode::VREQ8, DataType::int32, DataType::int8),
         [](F& f) { f.quant_table_addr = 64; }, "quant_table_addr", "0x40",
         "FB address must be a multiple of 128"},
        {2201, rows(QuantPreMode::VREQ8, DataType::int32, DataType::int8),
         [](F& f) { f.quant_table_addr = 1664; }, "quant_table_addr", "end 2176",
         "must lie inside slice 0 of FB (2048 bytes)"},
        {2201, copy(), [](F& f) { f.relu_pre = ReluMode::prelu, f.relu_pre_table_addr = 32; },
         "relu_pre_table_addr", "0x20", "FB address must be a multiple of 64"},
        {2201, copy(), [](F& f) { f.relu_pre = ReluMode::prelu, f.relu_pre_table_addr = 832; },
         "relu_pre_table_addr", "end 1088", "must lie inside slice 1 of FB (1024 bytes)"},
        {2201, copy(), [](F& f) { f.relu_pre = ReluMode::leaky, f.relu_pre_alpha = 0x2000; },
         "relu_pre_alpha", "0x2000", "the slope must be zero or a normal float32"},
        {2201, rows(QuantPreMode::none, DataType::int32, DataType::int32),
         [](F& f) { f.relu_pre = ReluMode::leaky; }, "relu_pre", "leaky",
         "a slope does not go with copied int32 nor with the shift"},
        {2201, rows(QuantPreMode::SHIFTS322S16, DataType::int32, DataType::int16),
         [](F& f) { f.relu_pre = ReluMode::prelu; }, "relu_pre", "prelu",
         "a slope does not go with copied int32 nor with the shift"},
        {2201, clipping(), [](F& f) { f.relu_pre = ReluMode::none; }, "clip_relu_pre", "true",
         "needs relu_pre normal and a quantisation"},
        {2201, clipping(), [](F& f) { f.relu_pre = ReluMode::leaky; }, "clip_relu_pre", "true",
         "needs relu_pre normal and a quantisation"},
        {2201, clipping(),
         [](F& f) { f.quant_pre = QuantPreMode::none, f.dst_type = DataType::float32; },
         "clip_relu_pre", "true", "needs relu_pre normal and a quantisation"},
        {2201, clipping(), [](F& f) { f.clip_max = 0x7C00; }, "clip_max", "0x7c00",
         "must be a float16 that is positive and finite"},
        {2201, clipping(), [](F& f) { f.clip_max = 0; }, "clip_max", "0x0",
         "must be a float16 that is positive and finite"},
        {2201, copy(), [](F& f) { f.relu_post = ReluMode::normal; }, "relu_post", "normal",
         "needs a quant_post"},
        {2201, copy(), [](F& f) { f.clip_relu_post = true; }, "clip_relu_post", "true",
         "needs relu_post normal and a quantisation"},
        {3510, post(), [](F& f) { f.quant_pre = QuantPreMode::QF322BF16_PRE; }, "quant_post",
         "QF162B8_POST", "takes float16, which quant_pre QF322BF16_PRE does not make"},
        {3510, post(), [](F& f) { f.src_type = DataType::int32; }, "src_dtype", "int32",
         "quant_pre QF322F16_PRE reads float32"},
        {3510, post(), [](F& f) { f.dst_type = DataType::int16; }, "dst_dtype", "int16",
         "quant_post QF162B8_POST makes int8 or uint8"},
        {3510, post(), [](F& f) { f.quant_post_scalar = kOne; }, "quant_post_scalar", "0x3f800000",
         "bit 9 must be set for an int8 result"},
        {3510, post(),
         [](F& f) {
             f.quant_post = QuantPostMode::VQF162B8_POST;
             f.quant_post_table_addr = 1664;
         },
         "quant_post_table_addr", "end 2176", "must lie inside slice 2 of FB (2048 bytes)"},
        {3510, post(), [](F& f) { f.relu_post = ReluMode::prelu, f.relu_post_table_addr = 1856; },
         "relu_post_table_addr", "end 2112", "must lie inside slice 3 of FB (2048 bytes)"},
        {3510, post(), [](F& f) { f.clip_relu_post = true, f.clip_max = 0x3C00; }, "clip_relu_post",
         "true", "needs relu_post normal and a quantisation"},
        {2201, to_int4(), [](F& f) { f.n_size = 31; }, "n_size", "31",
         "must be even for int4, two of which share a byte"},
        {2201, to_int4(), [](F& f) { f.dst_stride = 65; }, "dst_stride", "65",
         "must be even for int4, two of which share a byte"},
        {2201, to_int4(), [](F& f) { f.dst_nd_stride = 1; }, "dst_nd_stride", "1",
         "must be even for int4, two of which share a byte"},
        {2201, to_int4(), [](F& f) { f.layout = FixpipeLayout::NZ, f.n_size = 48; }, "n_size", "48",
         "must be a multiple of 64 with layout NZ and int4"},
        {2201, copy(), [](F& f) { f.channel_split = true; }, "channel_split", "true",
         "goes with layout NZ and float32 only"},
        {2201, copy(),
         [](F& f) { f.layout = FixpipeLayout::NZ, f.channel_split = true, f.n_size = 20; },
         "n_size", "20", "must be a multiple of 8 with layout NZ and channel_split"},
        {2201, copy(),
         [](F& f) {
             f.layout = FixpipeLayout::NZ;
             f.channel_split = true;
             f.unit_flag = UnitFlagMode::keep;
         },
         "channel_split", "true", "does not go with the unit flag"},
        {2201, copy(), [](F& f) { f.dst_stride = 63; }, "dst_stride", "63",
         "must be at least 64: rows must not overlap"},
        {2201, copy(), [](F& f) { f.dst_stride = 0; }, "dst_stride", "0",
         "must be 1 .. 4294967295"},
    };
    for (const Rule& rule : rules) {
        SCOPED_TRACE(rule.rule);
        const IsaLimits limits = limits_of(rule.arch);
        ASSERT_FALSE(find_violation(rule.legal, limits));
        Fixpipe broken = rule.legal;
        rule.breaks(broken);
        expect_broken(broken, rule.field, rule.value, rule.rule, limits);
    }
}

/// Results of every width go to L1 as fractals; those of 32 bits don't on arch 2201.
TEST(FixpipeStageLegality, DestinationL1) {
    for (Fixpipe op :
         {to_int8(), to_int4(), rows(QuantPreMode::DEQS16, DataType::int32, DataType::int16)}) {
        op.layout = FixpipeLayout::NZ;
        op.dst = Buffer::L1;
        expect_legal(op);
    }
    Fixpipe op = copy();
    op.layout = FixpipeLayout::NZ;
    op.dst = Buffer::L1;
    expect_broken(op, "dst_dtype", "float32", "L1 of arch 2201 takes results of 16 bits or less");
}

} // namespace
} // namespace aicore
