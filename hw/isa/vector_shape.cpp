#include "hw/isa/vector_shape.h"

#include <algorithm>

namespace aicore {
namespace {

constexpr int kTransposeBlocks = 16;

constexpr std::uint64_t low_bits(std::int64_t count) {
    if (count <= 0) return 0;
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

int blocks_of(int lanes, int bits) { return std::max(1, lanes * bits / (8 * kBlockBytes)); }

/// Bytes of one result of vcadd, vcmax, vcmin: value, index, or both.
int repeat_result_bytes(const VectorOp& op) {
    const int size = size_of(op.type);
    if (op.opcode == VectorOpcode::vcadd || op.order == ReduceOrder::only_value) return size;
    return op.order == ReduceOrder::only_index ? 4 : 2 * size;
}

} // namespace

LaneMask first_lanes(std::int64_t count) { return {low_bits(count), low_bits(count - 64)}; }

bool any_lane(const LaneMask& mask, int first, int count) {
    for (int lane = first; lane < first + count; ++lane) {
        if (lane_enabled(mask, lane)) return true;
    }
    return false;
}

LaneMask enabled_lanes(const VectorControl& control, int lanes, std::int64_t repeat) {
    if (control.mask_mode == MaskMode::counter) {
        return first_lanes(std::min<std::int64_t>(element_count(control) - repeat * lanes, lanes));
    }
    const LaneMask all = first_lanes(lanes);
    return {control.mask[0] & all[0], control.mask[1] & all[1]};
}

std::int64_t masked_repeats(const VectorControl& control, int lanes, std::int32_t repeat) {
    if (control.mask_mode == MaskMode::normal) return repeat;
    return (element_count(control) + lanes - 1) / lanes;
}

VectorShape shape_of(const VectorOp& op) {
    VectorShape shape;
    const VectorForm form = form_of(op.opcode);
    const int src_bits = bits_of(op.type);
    const int dst_bits = bits_of(dst_type_of(op));
    switch (form) {
    case VectorForm::broadcast:
        shape.lanes = kBroadcastElements;
        shape.src_blocks = 1;
        shape.dst_blocks = kRepeatBlocks;
        shape.repeats = op.repeat;
        break;
    case VectorForm::transpose:
        shape.lanes = kTransposeBlocks * kTransposeBlocks;
        shape.src_blocks = shape.dst_blocks = kTransposeBlocks;
        shape.repeats = 1;
        break;
    case VectorForm::set_register:
    case VectorForm::get_register:
        shape.lanes = kCompareMaskBytes;
        shape.src_blocks = shape.dst_blocks = 1;
        shape.repeats = 1;
        break;
    default:
        shape.lanes = 8 * kRepeatBytes / std::max(src_bits, dst_bits);
        shape.src_blocks = blocks_of(shape.lanes, src_bits);
        shape.dst_blocks =
            form == VectorForm::convert_half ? kRepeatBlocks : blocks_of(shape.lanes, dst_bits);
        shape.repeats = masked_repeats(op.control, shape.lanes,
                                       form == VectorForm::compare_register ? 1 : op.repeat);
        if (form == VectorForm::compare_register) {
            shape.repeats = std::min<std::int64_t>(shape.repeats, 1);
        }
    }
    shape.last_lanes = shape.lanes;
    if (obeys_mask(form) && op.control.mask_mode == MaskMode::counter && shape.repeats > 0) {
        shape.last_lanes = std::min<std::int64_t>(
            element_count(op.control) - (shape.repeats - 1) * shape.lanes, shape.lanes);
    }
    return shape;
}

int reduction_unit(const VectorOp& op) {
    switch (form_of(op.opcode)) {
    case VectorForm::reduce_repeat: return repeat_result_bytes(op);
    case VectorForm::reduce_block: return kRepeatBlocks * size_of(op.type);
    case VectorForm::reduce_pair: return kRepeatBytes / 2;
    default: return kBlockBytes;
    }
}

int gather_lanes(const VectorGather& op) {
    return op.blocks ? kRepeatBlocks : kRepeatBytes / size_of(op.type);
}

std::int64_t gather_repeats(const VectorGather& op) {
    return op.blocks ? op.repeat : masked_repeats(op.control, gather_lanes(op), op.repeat);
}

std::int64_t gather_mask_elements(const GatherMask& op) {
    return op.control.mask_mode == MaskMode::counter ? element_count(op.control)
                                                     : kRepeatBytes / size_of(op.type);
}

std::uint32_t byte_enable(const LaneMask& lanes, int first, int count, int bits) {
    std::uint32_t enable = 0;
    for (int i = 0; i < count; ++i) {
        if (!lane_enabled(lanes, first + i)) continue;
        const int begin = i * bits / 8;
        const int bytes = std::max(1, bits / 8);
        enable |= static_cast<std::uint32_t>(((std::uint64_t{1} << bytes) - 1) << begin);
    }
    return enable;
}

} // namespace aicore
