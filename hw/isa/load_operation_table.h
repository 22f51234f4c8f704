// The loads inside a core and of fractals from GM, as programs spell them; part of
// operation_table.h, which says what a visitor is.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/operation_fields.h"

#include <array>

namespace aicore {

inline constexpr std::array<Choice<DataType>, 5> kDataTypeChoices{{{"float16", DataType::float16},
                                                                   {"bfloat16", DataType::bfloat16},
                                                                   {"float32", DataType::float32},
                                                                   {"int8", DataType::int8},
                                                                   {"int32", DataType::int32}}};
inline constexpr std::array<Choice<AddrMode>, 2> kAddrModes{
    {{"inc", AddrMode::inc}, {"dec", AddrMode::dec}}};
inline constexpr std::array<Choice<FbTable>, 5> kFbTables{{{"by_address", FbTable::by_address},
                                                           {"quant_pre", FbTable::quant_pre},
                                                           {"relu_pre", FbTable::relu_pre},
                                                           {"quant_post", FbTable::quant_post},
                                                           {"relu_post", FbTable::relu_post}}};

template <typename Visitor>
void describe(Visitor& v, Load2d& op) {
    v.location("src", "src_addr", op.src, op.src_addr, {Buffer::L1, Buffer::GM}, Need::optional);
    v.location("dst", "dst_addr", op.dst, op.dst_addr, {Buffer::L0A, Buffer::L0B, Buffer::L1});
    v.integer("elem_bytes", op.elem_bytes, Need::required);
    v.integer("start_index", op.start_index, Need::optional);
    v.integer("repeat", op.repeat, Need::required);
    v.integer("src_stride", op.src_stride, Need::optional);
    v.integer("dst_gap", op.dst_gap, Need::optional);
    v.boolean("transpose", op.transpose, Need::optional);
    v.choice("addr_mode", op.addr_mode, kAddrModes, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, L1ToBt& op) {
    Buffer src = Buffer::L1, dst = Buffer::BT;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L1});
    v.location("dst", "dst_addr", dst, op.dst_addr, {Buffer::BT});
    v.integer("block_count", op.block_count, Need::optional);
    v.integer("block_len", op.block_len, Need::required);
    v.integer("src_gap", op.src_gap, Need::optional);
    v.integer("dst_gap", op.dst_gap, Need::optional);
    v.choice("src_dtype", op.src_type, kDataTypeChoices, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, L1ToFb& op) {
    Buffer src = Buffer::L1, dst = Buffer::FB;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L1});
    v.location("dst", "dst_addr", dst, op.dst_addr, {Buffer::FB});
    v.integer("bytes", op.bytes, Need::required);
    v.integer("block_count", op.block_count, Need::optional);
    v.integer("src_stride", op.src_stride, Need::optional);
    v.integer("dst_stride", op.dst_stride, Need::optional);
    v.choice("table", op.table, kFbTables, Need::optional);
}

/// Operands of the loads from L1 to L0A or L0B.
template <typename Visitor, typename Load>
void describe_l0_load(Visitor& v, Load& op) {
    Buffer src = Buffer::L1;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L1});
    v.location("dst", "dst_addr", op.dst, op.dst_addr, {Buffer::L0A, Buffer::L0B});
    v.integer("elem_bits", op.elem_bits, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, Load2dV2& op) {
    describe_l0_load(v, op);
    v.integer("m_start", op.m_start, Need::optional);
    v.integer("k_start", op.k_start, Need::optional);
    v.integer("m_step", op.m_step, Need::required);
    v.integer("k_step", op.k_step, Need::required);
    v.integer("src_stride", op.src_stride, Need::required);
    v.integer("dst_stride", op.dst_stride, Need::required);
    v.boolean("transpose", op.transpose, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, LoadTranspose& op) {
    describe_l0_load(v, op);
    v.integer("start_index", op.start_index, Need::optional);
    v.integer("repeat", op.repeat, Need::required);
    v.integer("src_stride", op.src_stride, Need::optional);
    v.integer("dst_gap", op.dst_gap, Need::optional);
    v.integer("dst_frac_gap", op.dst_frac_gap, Need::optional);
    v.choice("addr_mode", op.addr_mode, kAddrModes, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, LoadSparse& op) {
    Buffer src = Buffer::L1, index = Buffer::L1, dst = Buffer::L0B;
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L1});
    v.location("index", "index_addr", index, op.index_addr, {Buffer::L1});
    v.location("dst", "dst_addr", dst, op.dst_addr, {Buffer::L0B});
    v.integer("start_index", op.start_index, Need::optional);
    v.integer("repeat", op.repeat, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, Load3d& op) {
    describe_l0_load(v, op);
    v.integer("l1_h", op.l1_h, Need::required);
    v.integer("l1_w", op.l1_w, Need::required);
    v.integer("channel_size", op.channel_size, Need::required);
    v.integer("k_extension", op.k_extension, Need::required);
    v.integer("m_extension", op.m_extension, Need::required);
    v.integer("k_start", op.k_start, Need::optional);
    v.integer("m_start", op.m_start, Need::optional);
    v.integer("stride_w", op.stride_w, Need::optional);
    v.integer("stride_h", op.stride_h, Need::optional);
    v.integer("filter_w", op.filter_w, Need::optional);
    v.integer("filter_h", op.filter_h, Need::optional);
    v.boolean("filter_size_w", op.filter_size_w, Need::optional);
    v.boolean("filter_size_h", op.filter_size_h, Need::optional);
    v.integer("dilation_w", op.dilation_w, Need::optional);
    v.integer("dilation_h", op.dilation_h, Need::optional);
    v.integer("pad_left", op.pad_left, Need::optional);
    v.integer("pad_right", op.pad_right, Need::optional);
    v.integer("pad_top", op.pad_top, Need::optional);
    v.integer("pad_bottom", op.pad_bottom, Need::optional);
    v.integer("pad_value", op.pad_value, Need::optional);
    v.boolean("transpose", op.transpose, Need::optional);
    v.integer("dst_stride", op.dst_stride, Need::optional);
}

} // namespace aicore
