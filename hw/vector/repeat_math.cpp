#include "hw/vector/repeat_math.h"

#include "hw/vector/compare_math.h"
#include "hw/vector/convert_math.h"
#include "hw/vector/reduce_math.h"

#include <algorithm>
#include <cstring>

namespace aicore {
namespace {

// Where the operands lie in VectorData::in.
constexpr int kSrc0 = 0, kSrc1 = kRepeatBytes, kDst = 2 * kRepeatBytes, kBits = 3 * kRepeatBytes;

bool is_elementwise(VectorForm form) {
    switch (form) {
    case VectorForm::unary:
    case VectorForm::scalar:
    case VectorForm::binary:
    case VectorForm::accumulate:
    case VectorForm::accumulate_scalar:
    case VectorForm::fill: return true;
    default: return false;
    }
}

bool writes_bits(VectorForm form) {
    return form == VectorForm::compare || form == VectorForm::compare_scalar;
}

} // namespace

RepeatTask::RepeatTask(const VectorOp& op, MultiplyAdd multiply_add)
    : op_(op), form_(form_of(op.opcode)), shape_(shape_of(op)), multiply_add_(multiply_add) {
    if (is_elementwise(form_)) kernel_ = lane_kernel(op);
}

bool RepeatTask::next(VectorStep& step) {
    if (repeat_ + 1 >= shape_.repeats) return false;
    ++repeat_;
    step.clear();
    lanes_ = enabled_lanes(op_.control, shape_.lanes, repeat_);
    // Comparisons to UB know no mask on arch 2201, only a count.
    if (writes_bits(form_) && op_.control.mask_mode == MaskMode::normal) {
        lanes_ = first_lanes(shape_.lanes);
    }
    if (no_lane(lanes_)) return true;
    add_reads(step);
    return true;
}

void RepeatTask::read_blocks(VectorStep& step, VectorPort port, const VectorOperand& operand,
                             int blocks, int offset) const {
    const int block_lanes = shape_.lanes / blocks;
    for (int b = 0; b < blocks; ++b) {
        if (!any_lane(lanes_, b * block_lanes, block_lanes)) continue;
        step.add_read(port, block_addr(operand, repeat_, b), offset + b * kBlockBytes, kBlockBytes);
    }
}

void RepeatTask::add_reads(VectorStep& step) const {
    if (reads_src0(form_)) {
        read_blocks(step, VectorPort::src0, op_.src0, shape_.src_blocks, kSrc0);
    }
    if (reads_src1(op_)) read_blocks(step, VectorPort::src1, op_.src1, shape_.src_blocks, kSrc1);
    if (form_ == VectorForm::accumulate || form_ == VectorForm::accumulate_scalar) {
        read_blocks(step, VectorPort::dst, op_.dst, shape_.dst_blocks, kDst);
    }
    if (reads_select_bits(op_)) {
        const int bytes = shape_.lanes / 8;
        step.add_read(VectorPort::bits, op_.mask_addr + static_cast<std::uint32_t>(repeat_ * bytes),
                      kBits, bytes);
    }
}

void RepeatTask::execute(VectorStep& step, VectorData& data, VectorState& state) {
    if (no_lane(lanes_)) return;
    switch (form_) {
    case VectorForm::compare_register:
    case VectorForm::compare:
    case VectorForm::compare_scalar: return compare(step, data, state);
    case VectorForm::reduce_repeat:
    case VectorForm::reduce_block:
    case VectorForm::reduce_pair: return reduce(step, data);
    default: compute(data, state); write_blocks(step);
    }
}

LaneMask RepeatTask::select_bits(const VectorData& data, const VectorState& state) const {
    if (!reads_select_bits(op_)) return state.compare_mask;
    LaneMask bits{};
    std::memcpy(bits.data(), data.in.data() + kBits, static_cast<std::size_t>(shape_.lanes) / 8);
    return bits;
}

void RepeatTask::compute(VectorData& data, const VectorState& state) const {
    const std::uint8_t* in = data.in.data();
    std::uint8_t* out = data.out.data();
    if (form_ == VectorForm::convert || form_ == VectorForm::convert_half) {
        convert_lanes(op_, in + kSrc0, shape_.lanes, out);
    } else if (form_ == VectorForm::select) {
        select_lanes(op_, select_bits(data, state), in + kSrc0,
                     reads_src1(op_) ? in + kSrc1 : nullptr, shape_.lanes, out);
    } else {
        kernel_({in + kSrc0, in + kSrc1, in + kDst, out, shape_.lanes, op_.scalar, op_.round_shift,
                 op_.ctrl.float_overflow, op_.ctrl.integer_overflow, multiply_add_});
    }
}

void RepeatTask::write_blocks(VectorStep& step) const {
    const int block_lanes = shape_.lanes / shape_.dst_blocks;
    const int bits = bits_of(dst_type_of(op_));
    const int bytes = block_lanes * bits / 8;
    const std::uint32_t shift = op_.opcode == VectorOpcode::vdeqs162b8h ? kBlockBytes / 2 : 0;
    for (int b = 0; b < shape_.dst_blocks; ++b) {
        const std::uint32_t enable = byte_enable(lanes_, b * block_lanes, block_lanes, bits);
        if (enable == 0) continue;
        step.add_masked_write(block_addr(op_.dst, repeat_, b) + shift, b * bytes, bytes, enable);
    }
}

void RepeatTask::compare(VectorStep& step, VectorData& data, VectorState& state) const {
    const std::uint8_t* src1 = reads_src1(op_) ? data.in.data() + kSrc1 : nullptr;
    const LaneMask bits = compare_lanes(op_, data.in.data() + kSrc0, src1, shape_.lanes);
    if (form_ == VectorForm::compare_register) {
        // Bits of elements that are not enabled stay [inferred].
        for (std::size_t i = 0; i < bits.size(); ++i) {
            state.compare_mask[i] = (state.compare_mask[i] & ~lanes_[i]) | (bits[i] & lanes_[i]);
        }
        return;
    }
    const std::int64_t elements = repeat_ + 1 == shape_.repeats ? shape_.last_lanes : shape_.lanes;
    const LaneMask valid{bits[0] & lanes_[0], bits[1] & lanes_[1]};
    std::memcpy(data.out.data(), valid.data(), sizeof valid);
    step.add_write(op_.dst.addr + static_cast<std::uint32_t>(repeat_ * shape_.lanes / 8), 0,
                   static_cast<int>((elements + 7) / 8));
}

void RepeatTask::reduce(VectorStep& step, VectorData& data) const {
    const int unit = reduction_unit(op_);
    const std::uint32_t addr =
        op_.dst.addr + static_cast<std::uint32_t>(repeat_ * op_.dst.rep_stride * unit);
    const std::uint8_t* in = data.in.data() + kSrc0;
    std::uint8_t* out = data.out.data();
    if (op_.opcode == VectorOpcode::vcmax || op_.opcode == VectorOpcode::vcmin) {
        reduce_extreme(op_, lanes_, in, shape_.lanes, out);
        step.add_write(addr, 0, unit);
        return;
    }
    const int group = form_ == VectorForm::reduce_repeat  ? shape_.lanes
                      : form_ == VectorForm::reduce_block ? shape_.lanes / kRepeatBlocks
                                                          : 2;
    const LaneMask results = reduce_groups(op_, lanes_, in, shape_.lanes, group, out);
    const int size = size_of(op_.type);
    for (int begin = 0; begin < unit; begin += kBlockBytes) {
        const int bytes = std::min(unit - begin, kBlockBytes);
        const std::uint32_t enable =
            byte_enable(results, begin / size, bytes / size, bits_of(op_.type));
        if (enable == 0) continue;
        step.add_masked_write(addr + static_cast<std::uint32_t>(begin), begin, bytes, enable);
    }
}

} // namespace aicore
