// The part of the operation table for asc_copy_l0c2ub; included by operation_table.h.
#pragma once

#include "hw/isa/operation_table.h"

namespace aicore {

template <typename Visitor>
void describe(Visitor& v, AscCopyL0c2ub& op) {
    Buffer dst = Buffer::UB, src = Buffer::L0C;
    v.location("dst", "dst_addr", dst, op.dst_addr, {Buffer::UB});
    v.choice("dst_dtype", op.dst_type, kResultTypes, Need::required);
    v.location("src", "src_addr", src, op.src_addr, {Buffer::L0C});
    v.choice("src_dtype", op.src_type, kAccumulatorTypes, Need::required);
    v.integer("n_size", op.n_size, Need::required);
    v.integer("m_size", op.m_size, Need::required);
    v.integer("loop_dst_stride", op.loop_dst_stride, Need::required);
    v.integer("loop_src_stride", op.loop_src_stride, Need::required);
    v.integer("dual_dst_ctl", op.dual_dst_ctl, Need::optional);
    v.boolean("sub_blockid", op.sub_blockid, Need::optional);
    v.integer("clip_relu_pre", op.clip_relu_pre, Need::optional);
    v.integer("unit_flag_ctl", op.unit_flag_ctl, Need::optional);
    v.choice("quant_pre", op.quant_pre, kQuantPreChoices, Need::optional);
    v.integer("relu_pre", op.relu_pre, Need::optional);
    v.boolean("split_en", op.split_en, Need::optional);
    v.boolean("NZ2ND_en", op.nz2nd_en, Need::optional);
    v.choice("quant_post", op.quant_post, kQuantPostChoices, Need::optional);
    v.integer("relu_post", op.relu_post, Need::optional);
    v.boolean("clip_relu_post", op.clip_relu_post, Need::optional);
    v.integer("eltwise_op", op.eltwise_op, Need::optional);
    v.boolean("eltwise_antq_en", op.eltwise_antq_en, Need::optional);
    v.boolean("C0_pad_en", op.c0_pad_en, Need::optional);
    v.boolean("broadcast_en", op.broadcast_en, Need::optional);
    v.boolean("NZ2DN_en", op.nz2dn_en, Need::optional);
    v.integer("nd_num", op.nd_num, Need::optional);
    v.integer("src_nd_stride", op.src_nd_stride, Need::optional);
    v.integer("dst_nd_stride", op.dst_nd_stride, Need::optional);
    v.integer("src_nz_c0_stride", op.src_nz_c0_stride, Need::optional);
    v.integer("quant_scalar", op.quant_scalar, Need::optional);
    v.integer("quant_table_addr", op.quant_table_addr, Need::optional);
    v.integer("relu_pre_alpha", op.relu_pre_alpha, Need::optional);
    v.integer("relu_pre_table_addr", op.relu_pre_table_addr, Need::optional);
    v.integer("clip_max", op.clip_max, Need::optional);
    v.integer("quant_post_scalar", op.quant_post_scalar, Need::optional);
    v.integer("quant_post_table_addr", op.quant_post_table_addr, Need::optional);
    v.integer("relu_post_alpha", op.relu_post_alpha, Need::optional);
    v.integer("relu_post_table_addr", op.relu_post_table_addr, Need::optional);
}

} // namespace aicore
