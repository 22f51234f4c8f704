#include "hw/vector/move_math.h"

#include "hw/isa/vector_shape.h"

#include <cstring>

namespace aicore {
namespace {

constexpr int kSquare = 16; ///< rows and columns of vtranspose, blocks of vnchwconv

/// Element `from` of `in` to element `to` of `out`.
void copy_element(VectorData& data, int from, int to, int size) {
    std::memcpy(data.out.data() + to * size, data.in.data() + from * size,
                static_cast<std::size_t>(size));
}

} // namespace

bool BroadcastTask::next(VectorStep& step) {
    if (repeat_ + 1 >= op_.repeat) return false;
    step.clear();
    ++repeat_;
    const int bytes = kBroadcastElements * size_of(op_.type);
    step.add_read(VectorPort::src0, op_.src0.addr + static_cast<std::uint32_t>(repeat_ * bytes), 0,
                  bytes);
    for (int b = 0; b < kRepeatBlocks; ++b) {
        step.add_write(block_addr(op_.dst, repeat_, b), b * kBlockBytes, kBlockBytes);
    }
    return true;
}

void BroadcastTask::execute(VectorStep&, VectorData& data, VectorState&) {
    const int size = size_of(op_.type);
    const int block_elements = kBlockBytes / size;
    for (int i = 0; i < kBroadcastElements * block_elements; ++i) {
        copy_element(data, i / block_elements, i, size);
    }
}

bool SingleStepTask::next(VectorStep& step) {
    if (is_done_) return false;
    is_done_ = true;
    step.clear();
    const bool is_transpose = op_.opcode == VectorOpcode::vtranspose;
    const int bytes = is_transpose ? kSquare * kBlockBytes : kCompareMaskBytes;
    if (op_.opcode != VectorOpcode::get_cmpmask) {
        step.add_read(VectorPort::src0, op_.src0.addr, 0, bytes);
    }
    if (op_.opcode != VectorOpcode::set_cmpmask) step.add_write(op_.dst.addr, 0, bytes);
    return true;
}

void SingleStepTask::execute(VectorStep&, VectorData& data, VectorState& state) {
    if (op_.opcode == VectorOpcode::set_cmpmask) {
        std::memcpy(state.compare_mask.data(), data.in.data(), kCompareMaskBytes);
    } else if (op_.opcode == VectorOpcode::get_cmpmask) {
        std::memcpy(data.out.data(), state.compare_mask.data(), kCompareMaskBytes);
    } else {
        for (int i = 0; i < kSquare * kSquare; ++i) {
            copy_element(data, i % kSquare * kSquare + i / kSquare, i, 2);
        }
    }
}

/// A lone repeat starts one stride behind the addresses, as the vendor's document says.
std::uint32_t NchwConvTask::advance(std::int32_t stride) const {
    const std::int64_t steps = op_.repeat == 1 ? 1 : repeat_;
    return static_cast<std::uint32_t>(steps * stride * kBlockBytes);
}

bool NchwConvTask::next(VectorStep& step) {
    if (repeat_ + 1 >= op_.repeat) return false;
    step.clear();
    ++repeat_;
    const int bytes = op_.elem_bits == 8 ? kBlockBytes / 2 : kBlockBytes;
    const std::uint32_t src_half = op_.src_high_half ? kBlockBytes / 2 : 0;
    const std::uint32_t dst_half = op_.dst_high_half ? kBlockBytes / 2 : 0;
    for (int i = 0; i < kSquare; ++i) {
        const auto entry = static_cast<std::size_t>(i);
        step.add_read(VectorPort::src0,
                      op_.src_addrs[entry] + advance(op_.src_rep_stride) + src_half, i * bytes,
                      bytes);
        step.add_write(op_.dst_addrs[entry] + advance(op_.dst_rep_stride) + dst_half, i * bytes,
                       bytes);
    }
    return true;
}

void NchwConvTask::execute(VectorStep&, VectorData& data, VectorState&) {
    const int size = op_.elem_bits / 8;
    const int channels = op_.elem_bits == 32 ? kSquare / 2 : kSquare; // elements of a source
    for (int c = 0; c < channels; ++c) {
        for (int i = 0; i < kSquare; ++i) {
            copy_element(data, i * channels + c, c * kSquare + i, size);
        }
    }
}

} // namespace aicore
