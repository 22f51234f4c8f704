// How a repeat-based vector instruction divides into repeats, and which elements are enabled.
#pragma once

#include "hw/isa/vector_opcode.h"

#include <array>
#include <cstdint>

namespace aicore {

inline constexpr int kRepeatBytes = 256; ///< of the widest operand of a repeat
inline constexpr int kRepeatBlocks = 8;
inline constexpr int kBroadcastElements = 8; ///< of vbrcb, in each repeat
inline constexpr int kCompareMaskBytes = 16; ///< the CMPMASK register

/// One bit for each element of a repeat.
using LaneMask = std::array<std::uint64_t, 2>;

constexpr bool lane_enabled(const LaneMask& mask, int lane) {
    return (mask[static_cast<std::size_t>(lane) / 64] >> (lane % 64) & 1u) != 0;
}
/// The first `count` (0..128) lanes.
LaneMask first_lanes(std::int64_t count);
constexpr bool no_lane(const LaneMask& mask) { return (mask[0] | mask[1]) == 0; }
/// Whether any of `count` lanes from `first` on is enabled.
bool any_lane(const LaneMask& mask, int first, int count);

struct VectorShape {
    int lanes = 0; ///< elements of a repeat
    std::int64_t repeats = 0;
    std::int64_t last_lanes = 0; ///< elements of the last repeat: fewer in counter mode only
    int src_blocks = 0;          ///< blocks of a source in a full repeat
    int dst_blocks = 0;          ///< blocks of the destination in a full repeat
};

VectorShape shape_of(const VectorOp& op);

/// Elements that `control` enables in repeat `repeat` of instructions with `lanes` in a repeat.
LaneMask enabled_lanes(const VectorControl& control, int lanes, std::int64_t repeat);

/// Repeats of an instruction that obeys the mask: from the element count in counter mode.
std::int64_t masked_repeats(const VectorControl& control, int lanes, std::int32_t repeat);

/// Number of elements in counter mode.
constexpr std::int64_t element_count(const VectorControl& control) {
    return static_cast<std::int64_t>(control.mask[0] & 0xFFFFFFFFu);
}

/// What each repeat of a reduction advances the destination by, for one unit of rep_stride [B].
int reduction_unit(const VectorOp& op);

/// Elements, or blocks of vgatherb, of a full repeat.
int gather_lanes(const VectorGather& op);
std::int64_t gather_repeats(const VectorGather& op);
/// Elements that each repeat of vreducev2 looks at.
std::int64_t gather_mask_elements(const GatherMask& op);

/// Enabled bytes of `count` elements of `bits` from lane `first` on, as the bits of a block that
/// begins with that element. Two 4-bit elements share a byte, which is written if one of them is
/// enabled [inferred].
std::uint32_t byte_enable(const LaneMask& lanes, int first, int count, int bits);

/// Address of block `block` of repeat `repeat`.
constexpr std::uint32_t block_addr(const VectorOperand& operand, std::int64_t repeat, int block) {
    return operand.addr +
           static_cast<std::uint32_t>(kBlockBytes * (repeat * operand.rep_stride +
                                                     std::int64_t{block} * operand.blk_stride));
}

} // namespace aicore
