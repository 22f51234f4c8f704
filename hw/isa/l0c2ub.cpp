#include "hw/isa/l0c2ub.h"

#include "hw/isa/fixpipe_walk.h"

namespace aicore {

Fixpipe to_fixpipe(const AscCopyL0c2ub& copy, const FixpipeReadings& readings) {
    Fixpipe op;
    op.dst = Buffer::UB;
    op.src_addr = copy.src_addr;
    op.dst_addr = copy.dst_addr;
    op.src_type = copy.src_type;
    op.dst_type = copy.dst_type;
    op.layout = copy.nz2nd_en   ? FixpipeLayout::NZ2ND
                : copy.nz2dn_en ? FixpipeLayout::NZ2DN
                                : FixpipeLayout::NZ;
    op.n_size = copy.n_size;
    op.m_size = copy.m_size;
    op.src_stride = copy.loop_src_stride;
    op.dst_stride = copy.loop_dst_stride;
    op.dst_stride_unit = readings.nz_dst_stride;
    op.nd_num = copy.nd_num;
    op.src_nd_stride = copy.src_nd_stride;
    op.src_nd_stride_unit = readings.src_nd_stride;
    op.dst_nd_stride = copy.dst_nd_stride;
    op.src_nz_c0_stride = copy.src_nz_c0_stride;
    op.channel_split = copy.split_en;
    op.sub_block = copy.sub_blockid ? 1 : 0;
    op.dual_dst = static_cast<DualDst>(copy.dual_dst_ctl);
    op.c0_pad = copy.c0_pad_en;
    op.broadcast = copy.broadcast_en;
    op.unit_flag = static_cast<UnitFlagMode>(copy.unit_flag_ctl);
    op.quant_pre = copy.quant_pre;
    op.quant_scalar = copy.quant_scalar;
    op.quant_table_addr = copy.quant_table_addr;
    op.relu_pre = static_cast<ReluMode>(copy.relu_pre);
    op.relu_pre_alpha = copy.relu_pre_alpha;
    op.relu_pre_table_addr = copy.relu_pre_table_addr;
    op.clip_relu_pre = copy.clip_relu_pre != 0;
    op.clip_max = copy.clip_max;
    op.quant_post = copy.quant_post;
    op.quant_post_scalar = copy.quant_post_scalar;
    op.quant_post_table_addr = copy.quant_post_table_addr;
    op.relu_post = static_cast<ReluMode>(copy.relu_post);
    op.relu_post_alpha = copy.relu_post_alpha;
    op.relu_post_table_addr = copy.relu_post_table_addr;
    op.clip_relu_post = copy.clip_relu_post;
    op.ctrl = copy.ctrl;
    return op;
}

const AscCopyL0c2ub* as_l0c2ub(const Operation& operation) {
    if (const auto* sync = std::get_if<AscCopyL0c2ubSync>(&operation)) return sync;
    return std::get_if<AscCopyL0c2ub>(&operation);
}

std::optional<Fixpipe> as_fixpipe(const Operation& operation, const FixpipeReadings& readings) {
    if (const auto* fixpipe = std::get_if<Fixpipe>(&operation)) {
        return fixpipe_as_executed(*fixpipe, readings);
    }
    if (const auto* copy = as_l0c2ub(operation)) {
        return fixpipe_as_executed(to_fixpipe(*copy, readings), readings);
    }
    return std::nullopt;
}

} // namespace aicore
