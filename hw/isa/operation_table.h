// The one table of the instructions as programs spell them: names of fields, what may be left out.
//
// describe(visitor, operation) shows every field of an instruction to a visitor, always in the same
// order. Reading a file, evaluating a loop iteration, listing names, writing a program, and
// encoding and decoding an image are visitors. A visitor has these members:
//   location(name, addr_name, buffer, addr, allowed, need)  a buffer of `allowed` and a byte
//   address in it; the buffer may be left out if only one is allowed or it is not needed
//   integer(name, member, need), boolean(name, member, need)   evaluated for each instruction
//   choice(name, member, choices, need)               one of a list of words, the same every time
//   scalar(name, bits, type, need)                    a number of `type`, the same every time
//   ignored(name)                                     may stand in a file, has no effect
//   require_choice(holds, name, rule)                 condition on choices
//   require(holds, name, value, rule)                 condition on evaluated fields
// Ranges of the fields are not here: they are in legality*.cpp.
#pragma once

#include "hw/isa/load_operation_table.h"
#include "hw/isa/mmad_types.h"
#include "hw/isa/operation_fields.h"
#include "hw/isa/sync_operation_table.h"
#include "hw/isa/vector_operation_table.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace aicore {

/// Of A and B.
inline constexpr std::array<Choice<DataType>, 8> kOperandTypes{{{"float16", DataType::float16},
                                                                {"bfloat16", DataType::bfloat16},
                                                                {"float32", DataType::float32},
                                                                {"int8", DataType::int8},
                                                                {"int4", DataType::int4},
                                                                {"fp8_e4m3", DataType::fp8_e4m3},
                                                                {"fp8_e5m2", DataType::fp8_e5m2},
                                                                {"hifloat8", DataType::hifloat8}}};
inline constexpr std::array<Choice<std::optional<DataType>>, 2> kBTypes{
    {{"fp8_e4m3", DataType::fp8_e4m3}, {"fp8_e5m2", DataType::fp8_e5m2}}};
inline constexpr std::array<Choice<Pipe>, 8> kPipeChoices{{{"S", Pipe::S},
                                                           {"V", Pipe::V},
                                                           {"M", Pipe::M},
                                                           {"MTE1", Pipe::MTE1},
                                                           {"MTE2", Pipe::MTE2},
                                                           {"MTE3", Pipe::MTE3},
                                                           {"FIX", Pipe::FIX},
                                                           {"ALL", Pipe::ALL}}};
inline constexpr std::array<Choice<FixpipeLayout>, 3> kLayouts{
    {{"NZ", FixpipeLayout::NZ}, {"NZ2ND", FixpipeLayout::NZ2ND}, {"NZ2DN", FixpipeLayout::NZ2DN}}};
inline constexpr std::array<Choice<DualDst>, 3> kDualDsts{
    {{"none", DualDst::none}, {"split_m", DualDst::split_m}, {"split_n", DualDst::split_n}}};
inline constexpr std::array<Choice<DataType>, 2> kAccumulatorTypes{
    {{"float32", DataType::float32}, {"int32", DataType::int32}}};
inline constexpr std::array<Choice<DataType>, 10> kResultTypes{{{"float16", DataType::float16},
                                                                {"bfloat16", DataType::bfloat16},
                                                                {"float32", DataType::float32},
                                                                {"int8", DataType::int8},
                                                                {"uint8", DataType::uint8},
                                                                {"int4", DataType::int4},
                                                                {"int16", DataType::int16},
                                                                {"int32", DataType::int32},
                                                                {"fp8_e4m3", DataType::fp8_e4m3},
                                                                {"hifloat8", DataType::hifloat8}}};
inline constexpr std::array<Choice<ReluMode>, 4> kReluModes{{{"none", ReluMode::none},
                                                             {"normal", ReluMode::normal},
                                                             {"leaky", ReluMode::leaky},
                                                             {"prelu", ReluMode::prelu}}};
/// All modes of a stage, on any architecture.
template <typename Mode, std::size_t count>
std::array<Choice<Mode>, count> mode_choices() {
    std::array<Choice<Mode>, count> choices;
    for (std::size_t i = 0; i < count; ++i) {
        const auto mode = static_cast<Mode>(i);
        choices[i] = {to_string(mode), mode};
    }
    return choices;
}
inline const auto kQuantPreChoices = mode_choices<QuantPreMode, kQuantPreModes>();
inline const auto kQuantPostChoices = mode_choices<QuantPostMode, kQuantPostModes>();
inline constexpr std::array<Choice<PanelStrideUnit>, 2> kStrideUnits{
    {{"32B", PanelStrideUnit::blocks}, {"element", PanelStrideUnit::elements}}};
inline constexpr std::array<Choice<NdStrideUnit>, 2> kNdStrideUnits{
    {{"1024B", NdStrideUnit::fractals}, {"64B", NdStrideUnit::rows}}};
// Bits of CTRL: those that a program does not name stay.
inline constexpr std::array<Choice<std::optional<bool>>, 2> kSwitch{
    {{"false", false}, {"true", true}}};
inline constexpr std::array<Choice<std::optional<FloatOverflow>>, 2> kFloatOverflows{
    {{"inf_nan", FloatOverflow::inf_nan}, {"saturate", FloatOverflow::saturate}}};
inline constexpr std::array<Choice<std::optional<SaturatedNan>>, 2> kSaturatedNans{
    {{"zero", SaturatedNan::zero}, {"keep", SaturatedNan::keep}}};
inline constexpr std::array<Choice<std::optional<Traversal>>, 2> kTraversals{
    {{"column_major", Traversal::column_major}, {"row_major", Traversal::row_major}}};
inline constexpr std::array<Choice<std::optional<IntegerOverflow>>, 2> kIntegerOverflows{
    {{"wrap", IntegerOverflow::wrap}, {"saturate", IntegerOverflow::saturate}}};
template <typename Visitor>
void describe_unit_flag(Visitor& v, UnitFlagMode& mode) {
    int value = static_cast<int>(mode);
    v.integer("unit_flag", value, Need::optional);
    v.require(value == 0 || value == 2 || value == 3, "unit_flag", std::to_string(value),
              "must be 0 (off), 2 (check and keep) or 3 (check and hand over)");
    mode = static_cast<UnitFlagMode>(value);
}

/// `relu: true` is short for `relu_pre: normal`.
template <typename Visitor>
void describe_short_relu(Visitor& v, ReluMode& mode) {
    bool relu = mode == ReluMode::normal;
    v.boolean("relu", relu, Need::implied);
    if (relu && mode == ReluMode::none) mode = ReluMode::normal;
    v.require(relu == (mode == ReluMode::normal), "relu", relu ? "true" : "false",
              "contradicts relu_pre");
}

template <typename Visitor>
void describe(Visitor& v, Nd2Nz& op) {
    Buffer src = Buffer::GM, dst = Buffer::L1;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::GM});
    v.location("dst", "dst_addr", dst, op.dst_addr, {Buffer::L1});
    v.integer("elem_bytes", op.elem_bytes, Need::required);
    v.integer("nd_num", op.nd_num, Need::optional);
    v.integer("n_value", op.n_value, Need::required);
    v.integer("d_value", op.d_value, Need::required);
    v.integer("src_nd_matrix_stride", op.src_nd_matrix_stride, Need::optional);
    v.integer("src_d_value", op.src_d_value, Need::required);
    v.integer("dst_nz_c0_stride", op.dst_nz_c0_stride, Need::required);
    v.integer("dst_nz_n_stride", op.dst_nz_n_stride, Need::optional);
    v.integer("dst_nz_matrix_stride", op.dst_nz_matrix_stride, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, DataCopy& op) {
    v.location("src", "src_addr", op.src, op.src_addr, {Buffer::GM, Buffer::L1, Buffer::UB});
    v.location("dst", "dst_addr", op.dst, op.dst_addr, {Buffer::GM, Buffer::L1, Buffer::UB});
    v.integer("block_count", op.block_count, Need::optional);
    v.integer("block_len", op.block_len, Need::required);
    v.integer("src_gap", op.src_gap, Need::optional);
    v.integer("dst_gap", op.dst_gap, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, CrossCoreSetFlag& op) {
    v.choice("pipe", op.pipe, kPipeChoices, Need::required);
    v.integer("mode", op.mode, Need::required);
    v.integer("id", op.id, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, CrossCoreWaitFlag& op) {
    v.integer("id", op.id, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, DataCopyPad& op) {
    v.location("src", "src_addr", op.src, op.src_addr, {Buffer::GM, Buffer::UB});
    v.location("dst", "dst_addr", op.dst, op.dst_addr, {Buffer::GM, Buffer::UB});
    v.integer("block_count", op.block_count, Need::optional);
    v.integer("block_len", op.block_len, Need::required);
    v.integer("src_gap", op.src_gap, Need::optional);
    v.integer("dst_gap", op.dst_gap, Need::optional);
    v.integer("elem_bytes", op.elem_bytes, Need::optional);
    v.boolean("is_pad", op.is_pad, Need::optional);
    v.integer("left_padding", op.left_padding, Need::optional);
    v.integer("right_padding", op.right_padding, Need::optional);
    v.integer("padding_value", op.padding_value, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, Mmad& op) {
    Buffer a = Buffer::L0A, b = Buffer::L0B, c = Buffer::L0C;
    v.location("a", "a_addr", a, op.a_addr, {Buffer::L0A});
    v.location("b", "b_addr", b, op.b_addr, {Buffer::L0B});
    v.location("c", "c_addr", c, op.c_addr, {Buffer::L0C});
    v.choice("ab_dtype", op.ab_type, kOperandTypes, Need::required);
    v.choice("b_dtype", op.b_type, kBTypes, Need::optional);
    const DataType sums = sum_type_of(op.ab_type);
    DataType c_type = sums;
    v.choice("c_dtype", c_type, kDataTypeChoices, Need::implied);
    v.require_choice(c_type == sums, "c_dtype",
                     "must be int32 for integers and float32 for the others");
    v.integer("m", op.m, Need::required);
    v.integer("n", op.n, Need::required);
    v.integer("k", op.k, Need::required);
    bool from_zero = op.init == MmadInit::zero;
    bool from_bias = op.init == MmadInit::bias;
    v.boolean("c_init_zero", from_zero, Need::required);
    v.boolean("c_init_bias", from_bias, Need::optional);
    v.require(!(from_zero && from_bias), "c_init_bias", "true", "excludes c_init_zero");
    op.init = from_zero ? MmadInit::zero : from_bias ? MmadInit::bias : MmadInit::l0c;
    v.integer("bias_addr", op.bias_addr, Need::optional);
    describe_unit_flag(v, op.unit_flag);
    v.boolean("k_direction_align", op.k_direction_align, Need::optional);
    v.boolean("sparse", op.sparse, Need::optional);
    v.boolean("disable_gemv", op.disable_gemv, Need::optional);
    const bool is_vector = op.m == 1 && !op.sparse && !op.disable_gemv;
    bool gemv = is_vector;
    v.boolean("gemv", gemv, Need::implied);
    v.require(gemv == is_vector, "gemv", gemv ? "true" : "false",
              "must be true for m = 1, which reads A as a vector, and false for any other m, a "
              "sparse B and disable_gemv");
}

template <typename Visitor>
void describe(Visitor& v, Fixpipe& op) {
    Buffer src = Buffer::L0C;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L0C});
    v.location("dst", "dst_addr", op.dst, op.dst_addr, {Buffer::GM, Buffer::L1, Buffer::UB});
    v.choice("src_dtype", op.src_type, kAccumulatorTypes, Need::required);
    v.choice("dst_dtype", op.dst_type, kResultTypes, Need::required);
    v.choice("layout", op.layout, kLayouts, Need::required);
    v.integer("n_size", op.n_size, Need::required);
    v.integer("m_size", op.m_size, Need::required);
    v.integer("src_stride", op.src_stride, Need::required);
    v.integer("dst_stride", op.dst_stride, Need::required);
    const bool nz = op.layout == FixpipeLayout::NZ;
    PanelStrideUnit unit = nz ? op.dst_stride_unit : PanelStrideUnit::elements;
    v.choice("dst_stride_unit", unit, kStrideUnits, nz ? Need::optional : Need::implied);
    v.require_choice(nz || unit == PanelStrideUnit::elements, "dst_stride_unit",
                     "must be element for NZ2ND and NZ2DN");
    if (nz) op.dst_stride_unit = unit;
    v.integer("nd_num", op.nd_num, Need::optional);
    v.integer("src_nd_stride", op.src_nd_stride, Need::optional);
    v.choice("src_nd_stride_unit", op.src_nd_stride_unit, kNdStrideUnits, Need::optional);
    v.integer("dst_nd_stride", op.dst_nd_stride, Need::optional);
    v.integer("src_nz_c0_stride", op.src_nz_c0_stride, Need::optional);
    v.integer("sub_block", op.sub_block, Need::optional);
    v.choice("dual_dst", op.dual_dst, kDualDsts, Need::optional);
    v.boolean("c0_pad", op.c0_pad, Need::optional);
    v.boolean("broadcast", op.broadcast, Need::optional);
    v.choice("quant_pre", op.quant_pre, kQuantPreChoices, Need::optional);
    v.integer("quant_scalar", op.quant_scalar, Need::optional);
    v.integer("quant_table_addr", op.quant_table_addr, Need::optional);
    v.choice("relu_pre", op.relu_pre, kReluModes, Need::optional);
    describe_short_relu(v, op.relu_pre);
    v.integer("relu_pre_alpha", op.relu_pre_alpha, Need::optional);
    v.integer("relu_pre_table_addr", op.relu_pre_table_addr, Need::optional);
    v.boolean("clip_relu_pre", op.clip_relu_pre, Need::optional);
    v.integer("clip_max", op.clip_max, Need::optional);
    v.choice("quant_post", op.quant_post, kQuantPostChoices, Need::optional);
    v.integer("quant_post_scalar", op.quant_post_scalar, Need::optional);
    v.integer("quant_post_table_addr", op.quant_post_table_addr, Need::optional);
    v.choice("relu_post", op.relu_post, kReluModes, Need::optional);
    v.integer("relu_post_alpha", op.relu_post_alpha, Need::optional);
    v.integer("relu_post_table_addr", op.relu_post_table_addr, Need::optional);
    v.boolean("clip_relu_post", op.clip_relu_post, Need::optional);
    describe_unit_flag(v, op.unit_flag);
    v.boolean("channel_split", op.channel_split, Need::optional);
}

template <typename Visitor>
void describe(Visitor&, ClearUnitFlags&) {}

template <typename Visitor>
void describe(Visitor& v, SetCtrl& op) {
    v.choice("hifloat8", op.hifloat8, kSwitch, Need::optional);
    v.choice("hf32", op.hf32, kSwitch, Need::optional);
    v.choice("hf32_trans", op.hf32_trans, kSwitch, Need::optional);
    v.choice("float_overflow", op.float_overflow, kFloatOverflows, Need::optional);
    v.choice("fp8_nan", op.fp8_nan, kSaturatedNans, Need::optional);
    v.choice("mm_direction", op.mm_direction, kTraversals, Need::optional);
    v.choice("integer_overflow", op.integer_overflow, kIntegerOverflows, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, SetFlag& op) {
    v.choice("src", op.src, kPipeChoices, Need::required);
    v.choice("dst", op.dst, kPipeChoices, Need::required);
    v.integer("id", op.id, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, WaitFlag& op) {
    v.choice("src", op.src, kPipeChoices, Need::required);
    v.choice("dst", op.dst, kPipeChoices, Need::required);
    v.integer("id", op.id, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, PipeBarrier& op) {
    v.choice("pipe", op.pipe, kPipeChoices, Need::required);
}

} // namespace aicore

#include "hw/isa/l0c2ub_fields.h"
