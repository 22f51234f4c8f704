#include "hw/vector/gather_math.h"

#include <algorithm>
#include <cstring>

namespace aicore {
namespace {

constexpr int kOffsetBytes = 4;
constexpr int kNextOffsets = kRepeatBytes;   ///< of the next repeat, in VectorData::in
constexpr int kPatternOffset = kRepeatBytes; ///< of the pattern bits in VectorData::in

} // namespace

GatherTask::GatherTask(const VectorGather& op)
    : op_(op), item_bytes_(op.blocks ? kBlockBytes : size_of(op.type)), lanes_(gather_lanes(op)),
      repeats_(gather_repeats(op)) {}

bool GatherTask::next(VectorStep& step) {
    if (repeats_ == 0 || repeat_ + 1 == repeats_) return false;
    ++repeat_;
    step.clear();
    step.ends_repeat = repeat_ >= 0;
    if (repeat_ >= 0) read_elements(step);
    if (repeat_ + 1 < repeats_) read_offsets(step);
    return true;
}

/// Those of the next repeat, and its lanes.
void GatherTask::read_offsets(VectorStep& step) {
    constexpr int kBlockOffsets = kBlockBytes / kOffsetBytes;
    const std::int64_t next = repeat_ + 1;
    enabled_ = op_.blocks ? first_lanes(lanes_) : enabled_lanes(op_.control, lanes_, next);
    const std::uint32_t addr =
        op_.offset_addr + static_cast<std::uint32_t>(next * lanes_ * kOffsetBytes);
    for (int lane = 0; lane < lanes_; lane += kBlockOffsets) {
        if (!any_lane(enabled_, lane, kBlockOffsets)) continue;
        step.add_read(VectorPort::bits, addr + static_cast<std::uint32_t>(lane * kOffsetBytes),
                      kNextOffsets + lane * kOffsetBytes, kBlockBytes);
    }
}

void GatherTask::read_elements(VectorStep& step) const {
    const std::uint32_t mask = ~(static_cast<std::uint32_t>(item_bytes_) - 1u);
    for (int lane = 0; lane < lanes_; ++lane) {
        if (!lane_enabled(enabled_, lane)) continue;
        const std::uint32_t addr = op_.src_addr + offsets_[static_cast<std::size_t>(lane)];
        step.add_read(VectorPort::src0, addr & mask, lane * item_bytes_, item_bytes_);
    }
    const VectorOperand dst{op_.dst_addr, op_.blocks ? op_.dst_blk_stride : 1, op_.dst_rep_stride};
    const int block_lanes = kBlockBytes / item_bytes_;
    for (int b = 0; b < kRepeatBlocks; ++b) {
        const std::uint32_t enable =
            byte_enable(enabled_, b * block_lanes, block_lanes, 8 * item_bytes_);
        if (enable == 0) continue;
        step.add_masked_write(block_addr(dst, repeat_, b), b * kBlockBytes, kBlockBytes, enable);
    }
}

void GatherTask::execute(VectorStep&, VectorData& data, VectorState&) {
    if (repeat_ >= 0) std::memcpy(data.out.data(), data.in.data(), kRepeatBytes);
    if (repeat_ + 1 < repeats_) {
        std::memcpy(offsets_.data(), data.in.data() + kNextOffsets,
                    static_cast<std::size_t>(lanes_ * kOffsetBytes));
    }
}

GatherMaskTask::GatherMaskTask(const GatherMask& op)
    : op_(op), size_(size_of(op.type)), step_elements_(kRepeatBytes / size_),
      repeat_elements_(gather_mask_elements(op)) {}

bool GatherMaskTask::next(VectorStep& step) {
    if (repeat_ >= op_.repeat || repeat_elements_ == 0) return false;
    step.clear();
    count_ = static_cast<int>(std::min<std::int64_t>(repeat_elements_ - position_, step_elements_));
    const VectorOperand src{op_.src_addr, op_.src_blk_stride, op_.src_rep_stride};
    const auto first_block = static_cast<int>(position_ * size_ / kBlockBytes);
    for (int b = 0; b * kBlockBytes < count_ * size_; ++b) {
        step.add_read(VectorPort::src0, block_addr(src, repeat_, first_block + b), b * kBlockBytes,
                      kBlockBytes);
    }
    if (op_.pattern == 0) {
        const std::int64_t byte = repeat_ * op_.pattern_rep_stride * kBlockBytes + position_ / 8;
        step.add_read(VectorPort::bits, op_.pattern_addr + static_cast<std::uint32_t>(byte),
                      kPatternOffset, (count_ + 7) / 8);
    }
    position_ += count_;
    if (position_ == repeat_elements_) {
        position_ = 0;
        ++repeat_;
    }
    return true;
}

/// Steps begin at multiples of four elements, so that a pattern never depends on the step.
bool GatherMaskTask::keeps(const VectorData& data, int element) const {
    switch (op_.pattern) {
    case 0:
        return (data.in[static_cast<std::size_t>(kPatternOffset + element / 8)] >> (element % 8) &
                1) != 0;
    case 1:
    case 2: return element % 2 == op_.pattern - 1;
    case 7: return true;
    default: return element % 4 == op_.pattern - 3;
    }
}

void GatherMaskTask::execute(VectorStep& step, VectorData& data, VectorState&) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
        if (!keeps(data, i)) continue;
        std::memcpy(data.out.data() + kept * size_, data.in.data() + i * size_,
                    static_cast<std::size_t>(size_));
        ++kept;
    }
    step.add_write(op_.dst_addr + static_cast<std::uint32_t>(kept_ * size_), 0, kept * size_);
    kept_ += kept;
}

} // namespace aicore
