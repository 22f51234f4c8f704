// Instruction records of the vector unit (PIPE_V) and of the core state that it obeys.
//
// One record serves every instruction that repeats over blocks; those that do not fit have their
// own. All addresses are byte addresses in UB. The control block of a record is core state:
// programs do not write it, it is stamped when the instruction is dispatched (dispatch_state.h).
#pragma once

#include "hw/isa/ctrl_state.h"
#include "hw/numerics/data_type.h"
#include "hw/numerics/rounding.h"

#include <array>
#include <cstdint>

namespace aicore {

/// Bit 56 of CTRL: what the MASK register means.
enum class MaskMode : std::uint8_t {
    normal,  ///< bit i enables element i of every repeat
    counter, ///< MASK[31:0] is the number of elements; the hardware derives the repeats
};

/// Core state beside CTRL that a vector instruction takes along when it is dispatched.
struct VectorControl {
    std::array<std::uint64_t, 2> mask{~std::uint64_t{0}, ~std::uint64_t{0}}; ///< MASK
    std::uint64_t deq_scale = 0;                                             ///< DEQSCALE
    MaskMode mask_mode = MaskMode::normal;
};

/// Instructions of the repeat-based record, named like the vendor's intrinsics.
enum class VectorOpcode : std::uint8_t {
    // dst, src0, src1
    vadd,
    vsub,
    vmul,
    vdiv,
    vmax,
    vmin,
    vand,
    vor,
    vaddrelu,
    vsubrelu,
    // dst is read as well
    vmla,      ///< dst = src0 * src1 + dst
    vmadd,     ///< dst = src0 * dst + src1
    vmaddrelu, ///< dst = max(0, src0 * dst + src1)
    // dst, src0, scalar
    vadds,
    vmuls,
    vmaxs,
    vmins,
    vlrelu,
    vshl,
    vshr,
    vaxpy, ///< dst = src0 * scalar + dst
    // dst, src0
    vabs,
    vrelu,
    vexp,
    vln,
    vsqrt,
    vrsqrt,
    vrec,
    vnot,
    vcopy,
    // conversions
    vconv,
    vdeqs162b8l, ///< int16 by DEQSCALE to 8 bit, into the low half of each destination block
    vdeqs162b8h, ///< ... into the high half
    vector_dup,
    // comparisons: one bit for each element
    vcmp,   ///< to the CMPMASK register, one repeat
    vcmpv,  ///< to UB
    vcmpvs, ///< with a scalar, to UB
    vsel,
    // reductions
    vcadd,
    vcmax,
    vcmin, ///< of a repeat
    vcgadd,
    vcgmax,
    vcgmin,      ///< of each block
    vcpadd,      ///< of each pair of neighbours
    vbrcb,       ///< each of 8 elements fills a block
    vtranspose,  ///< 16 x 16 elements of 16 bit
    set_cmpmask, ///< 16 bytes of UB to CMPMASK
    get_cmpmask, ///< CMPMASK to 16 bytes of UB
};
inline constexpr int kVectorOpcodes = static_cast<int>(VectorOpcode::get_cmpmask) + 1;

enum class Relation : std::uint8_t { lt, gt, ge, eq, ne, le };

/// Where vsel takes its bits and its second operand from (SELMODE).
enum class SelectMode : std::uint8_t {
    cmpmask, ///< bits of CMPMASK, the same for every repeat
    scalar,  ///< bits from UB at mask_addr, one after another; the scalar where a bit is 0
    tensor,  ///< bits from UB at mask_addr; src1 where a bit is 0
};

/// What vcmax and vcmin write.
enum class ReduceOrder : std::uint8_t { value_index, index_value, only_value, only_index };

/// One operand of a repeat: block b of repeat r lies at addr + 32 * (r * rep_stride +
/// b * blk_stride).
struct VectorOperand {
    std::uint32_t addr = 0;
    std::int32_t blk_stride = 1; ///< [32 B]; of a destination not 0
    /// [32 B]; destination of reductions: in units of the results of one repeat (vcpadd: 128 B)
    std::int32_t rep_stride = 8;
};

/// An instruction that handles up to 256 bytes of its widest operand in each repeat.
struct VectorOp {
    VectorOpcode opcode = VectorOpcode::vadd;
    DataType type = DataType::float16; ///< of the sources (vector_dup: of the destination)
    DataType dst_type =
        DataType::float16; ///< of vconv and of the mixed vmla and vaxpy, else unused
    Rounding rounding = Rounding::nearest_even; ///< of vconv
    Relation relation = Relation::lt;
    SelectMode select_mode = SelectMode::cmpmask;
    ReduceOrder order = ReduceOrder::value_index;
    bool round_shift = false; ///< of vshr, signed types: add the last bit that is shifted out
    std::int32_t repeat = 1;  ///< 0..255, 0 = no operation; no meaning in counter mode
    VectorOperand dst, src0, src1;
    std::uint32_t mask_addr = 0; ///< of vsel, modes scalar and tensor
    std::uint32_t scalar = 0;    ///< bits of an element of `type`; shifts: a number of bits
    VectorControl control{};
    CtrlState ctrl{};
};

/// vgather and vgatherb: elements, or blocks of 32 B, from addresses that lie in UB.
struct VectorGather {
    bool blocks = false; ///< vgatherb: one offset for each block of the destination
    DataType type = DataType::uint16;
    std::uint32_t dst_addr = 0;
    std::uint32_t src_addr = 0;      ///< the offsets count from here
    std::uint32_t offset_addr = 0;   ///< uint32 byte offsets, one after another over all repeats
    std::int32_t repeat = 1;         ///< 0..255
    std::int32_t dst_blk_stride = 1; ///< [32 B], vgatherb
    std::int32_t dst_rep_stride = 8; ///< [32 B]
    VectorControl control{};         ///< the mask: vgather only
};

/// vreducev2 (GatherMask): elements whose bit is 1 are packed at the destination. In counter mode
/// every repeat looks at MASK[31:0] elements, else at 256 bytes; the mask has no other meaning.
struct GatherMask {
    DataType type = DataType::uint16; ///< 16 or 32 bit
    std::uint32_t dst_addr = 0;
    std::uint32_t src_addr = 0;
    std::int32_t src_blk_stride = 1;
    std::int32_t src_rep_stride = 8;
    /// 0: bits from UB at pattern_addr; 1, 2: every second element, from the first, second; 3..6:
    /// every fourth, from the first .. fourth; 7: all.
    std::int32_t pattern = 7;
    std::uint32_t pattern_addr = 0;
    std::int32_t pattern_rep_stride = 0; ///< [32 B]; 0: the same bits for every repeat
    std::int32_t repeat = 1;             ///< 0..255
    VectorControl control{};
};

/// vbitsort (Sort32): 32 scores with their indices in each repeat become 32 entries of 8 bytes,
/// score in the low and index in the high word, by descending score, equal ones in their order.
struct Sort32 {
    DataType type = DataType::float32; ///< of the scores: float16 or float32
    std::uint32_t dst_addr = 0;        ///< 256 B for each repeat
    std::uint32_t score_addr = 0;      ///< 32 elements for each repeat
    std::uint32_t index_addr = 0;      ///< 128 B for each repeat
    std::int32_t repeat = 1;           ///< 0..255
};

/// vmrgsort4 (MrgSort): merges 2..4 descending lists of 8-byte entries.
struct MrgSort {
    DataType type = DataType::float32; ///< of the scores: float16 or float32
    std::uint32_t dst_addr = 0;
    std::array<std::uint32_t, 4> src_addrs{};
    std::array<std::int32_t, 4> lengths{}; ///< entries, 0..4095
    std::int32_t valid_bits = 15;          ///< 3, 7 or 15: the first 2, 3, 4 lists
    bool exhausted_suspension = false;     ///< stop as soon as one list has no entry left
    /// 0..255; more than 1 only for 4 lists of one length that follow one another: the next repeat
    /// starts behind the four.
    std::int32_t repeat = 1;
};

/// Lists that are merged: the first 2, 3 or 4.
constexpr int list_count(const MrgSort& op) {
    return op.valid_bits == 15 ? 4 : op.valid_bits == 7 ? 3 : 2;
}

/// scatter_vnchwconv (TransDataTo5HD) between 16 source and 16 destination blocks: element c of
/// source block i becomes element i of destination block c. 8 bit: half of each block; 32 bit:
/// destination block 2c holds sources 0..7, block 2c + 1 sources 8..15. Repeat r adds r times the
/// repeat strides; a lone repeat adds them once.
struct NchwConv {
    int elem_bits = 16;              ///< 8, 16 or 32
    std::int32_t repeat = 1;         ///< 0..255
    std::int32_t dst_rep_stride = 0; ///< [32 B]
    std::int32_t src_rep_stride = 0; ///< [32 B]
    bool dst_high_half = false;      ///< 8 bit: which half of the destination blocks is written
    bool src_high_half = false;      ///< 8 bit: which half of the source blocks is read
    std::array<std::uint32_t, 16> src_addrs{};
    std::array<std::uint32_t, 16> dst_addrs{};
};

/// set_vector_mask (scalar): the MASK register of the instructions that follow.
struct SetVectorMask {
    std::array<std::uint32_t, 4> words{~0u, ~0u, ~0u, ~0u}; ///< bits 0..31, 32..63, ...
};

/// set_mask_norm, set_mask_count (scalar, CTRL[56]).
struct SetMaskMode {
    MaskMode mode = MaskMode::normal;
};

/// set_deqscale (scalar). For int32 to float16 the low 16 bits are a float16 scale. For
/// vdeqs162b8: bits 0..31 a float32 scale, whose 13 lowest bits are dropped as those of FixPipe's
/// scales [inferred], 37..45 a signed offset, 46 set for int8 results.
struct SetDeqScale {
    std::uint64_t value = 0;
};

} // namespace aicore
