// The records of asc_copy_l0c2ub.
#pragma once

#include "hw/isa/ctrl_state.h"
#include "hw/isa/types.h"
#include "hw/numerics/quant_mode.h"

#include <cstdint>

namespace aicore {

/// asc_copy_l0c2ub (PIPE_FIX, arch 3510): the 22 parameters of the vendor's C function, by its
/// names and in its order, then what it takes from registers. See to_fixpipe (hw/isa/l0c2ub.h).
struct AscCopyL0c2ub {
    std::uint32_t dst_addr = 0; ///< UB, 32 B aligned
    DataType dst_type = DataType::float32;
    std::uint32_t src_addr = 0; ///< L0C, 64 B aligned
    DataType src_type = DataType::float32;
    std::int64_t n_size = 0, m_size = 0;
    /// NZ: panel pitch; NZ2ND, NZ2DN: row, column pitch [elements].
    std::int64_t loop_dst_stride = 0;
    std::int64_t loop_src_stride = 0; ///< panel pitch [64 B]
    int dual_dst_ctl = 0;             ///< 0 one UB, 1 half of the rows to each, 2 of the columns
    bool sub_blockid = false;
    int clip_relu_pre = 0; ///< 0, 1
    int unit_flag_ctl = 0; ///< 0, 2, 3
    QuantPreMode quant_pre = QuantPreMode::none;
    int relu_pre = 0; ///< 0 none, 1 normal, 2 leaky, 3 prelu
    bool split_en = false, nz2nd_en = false;
    QuantPostMode quant_post = QuantPostMode::none;
    int relu_post = 0;
    bool clip_relu_post = false;
    int eltwise_op = 0;
    bool eltwise_antq_en = false, c0_pad_en = false, broadcast_en = false, nz2dn_en = false;

    std::int64_t nd_num = 1, src_nd_stride = 0, dst_nd_stride = 0;   ///< LOOP3_PARA
    std::int64_t src_nz_c0_stride = 1;                               ///< CHANNEL_PARA
    std::uint64_t quant_scalar = 0, quant_post_scalar = 0;           ///< QUANT_PRE, QUANT_POST
    std::uint32_t quant_table_addr = 0, quant_post_table_addr = 0;   ///< FPC
    std::uint32_t relu_pre_table_addr = 0, relu_post_table_addr = 0; ///< FPC
    std::uint32_t relu_pre_alpha = 0, relu_post_alpha = 0;           ///< RELU_ALPHA
    std::uint16_t clip_max = 0;                                      ///< CLIP_RELU
    CtrlState ctrl{};                                                ///< stamped at dispatch
};

/// asc_copy_l0c2ub_sync: the scalar unit goes on when the copy and everything before it is
/// complete.
struct AscCopyL0c2ubSync : AscCopyL0c2ub {};

} // namespace aicore
