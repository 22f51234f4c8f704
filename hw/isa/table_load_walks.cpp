#include "hw/isa/table_load_walks.h"

#include <algorithm>

namespace aicore {

namespace {

LoadTransform bt_transform(DataType type) {
    switch (type) {
    case DataType::float16: return LoadTransform::f16_to_f32;
    case DataType::bfloat16: return LoadTransform::bf16_to_f32;
    default: return LoadTransform::none;
    }
}

} // namespace

L1ToBtWalk::L1ToBtWalk(const L1ToBt& copy) : copy_(copy) {
    if (copy_.block_len == 0) block_ = copy_.block_count;
}

bool L1ToBtWalk::next(LoadStep& step) {
    if (block_ == copy_.block_count) return false;
    const int growth = bt_growth(copy_);
    const std::int64_t block_bytes = copy_.block_len * kBtUnitBytes;
    const std::int64_t src = block_ * (block_bytes + copy_.src_gap * kBlockBytes) + byte_;
    const std::int64_t dst =
        block_ * (block_bytes * growth + copy_.dst_gap * kBtUnitBytes) + byte_ * growth;
    const auto bytes =
        static_cast<int>(std::min<std::int64_t>(block_bytes - byte_, kFractalBytes / growth));
    step.clear();
    step.charged = Bytes(std::int64_t{bytes} * growth);
    step.transform = bt_transform(copy_.src_type);
    step.add_l1(static_cast<std::uint64_t>(copy_.src_addr + src), bytes);
    step.add_output(Buffer::BT, static_cast<std::uint64_t>(copy_.dst_addr + dst), 0,
                    bytes * growth);
    byte_ += bytes;
    if (byte_ == block_bytes) {
        byte_ = 0;
        ++block_;
    }
    return true;
}

L1ToFbWalk::L1ToFbWalk(const L1ToFb& copy) : copy_(copy) {
    if (copy_.bytes == 0) block_ = copy_.block_count;
}

bool L1ToFbWalk::next(LoadStep& step) {
    if (block_ == copy_.block_count) return false;
    const std::int64_t src = block_ * copy_.src_stride * kBlockBytes + byte_;
    const std::int64_t dst = block_ * copy_.dst_stride * kFbUnitBytes + byte_;
    const auto bytes = static_cast<int>(std::min<std::int64_t>(copy_.bytes - byte_, kFractalBytes));
    step.clear();
    step.charged = Bytes(bytes);
    step.add_l1(static_cast<std::uint64_t>(copy_.src_addr + src), bytes);
    step.add_output(Buffer::FB, static_cast<std::uint64_t>(copy_.dst_addr + dst), 0, bytes);
    byte_ += bytes;
    if (byte_ == copy_.bytes) {
        byte_ = 0;
        ++block_;
    }
    return true;
}

} // namespace aicore
