#include "hw/isa/block_walk.h"

#include "hw/isa/fractal_order.h"

namespace aicore {

BlockWalk::BlockWalk(const DataCopy& copy)
    : count_(copy.block_len == 0 ? 0 : copy.block_count),
      src_pitch_(static_cast<std::uint64_t>((copy.block_len + copy.src_gap) * kBlockBytes)),
      dst_pitch_(static_cast<std::uint64_t>((copy.block_len + copy.dst_gap) * kBlockBytes)) {
    first_.src = copy.src_addr;
    first_.dst = copy.dst_addr;
    first_.bytes = static_cast<std::uint32_t>(copy.block_len * kBlockBytes);
}

BlockWalk::BlockWalk(const DataCopyPad& copy) : count_(copy.block_len == 0 ? 0 : copy.block_count) {
    first_.src = copy.src_addr;
    first_.dst = copy.dst_addr;
    first_.bytes = static_cast<std::uint32_t>(copy.block_len);
    const std::int64_t near = padded_block_bytes(copy);
    if (copy.dst == Buffer::GM) {
        src_pitch_ = static_cast<std::uint64_t>(near + copy.src_gap * kBlockBytes);
        dst_pitch_ = static_cast<std::uint64_t>(copy.block_len + copy.dst_gap);
        return;
    }
    src_pitch_ = static_cast<std::uint64_t>(copy.block_len + copy.src_gap);
    dst_pitch_ = static_cast<std::uint64_t>(near + copy.dst_gap * kBlockBytes);
    first_.lead = static_cast<std::uint32_t>(copy.left_padding * copy.elem_bytes);
    // Without padding the block is filled up to its end; with it, what lies behind is left alone.
    first_.trail = static_cast<std::uint32_t>(copy.is_pad ? copy.right_padding * copy.elem_bytes
                                                          : near - copy.block_len - first_.lead);
}

bool BlockWalk::next(CopyBlock& block) {
    if (at_ == count_) return false;
    block = first_;
    block.src += static_cast<std::uint64_t>(at_) * src_pitch_;
    block.dst += static_cast<std::uint64_t>(at_) * dst_pitch_;
    ++at_;
    return true;
}

bool CopyLineWalk::next(CopyLine& line) {
    Burst piece;
    while (!pieces_.next(piece)) {
        if (!blocks_.next(block_)) return false;
        pieces_ = BurstSplitter(is_store_ ? block_.dst : block_.src, block_.bytes);
    }
    const std::uint64_t offset = piece.addr - (is_store_ ? block_.dst : block_.src);
    line.src = block_.src + offset;
    line.dst = block_.dst + block_.lead + offset;
    line.bytes = piece.bytes;
    line.offset = static_cast<std::uint32_t>(offset);
    line.lead = offset == 0 ? block_.lead : 0;
    line.trail = offset + piece.bytes == block_.bytes ? block_.trail : 0;
    return true;
}

std::int64_t padded_block_bytes(const DataCopyPad& copy) {
    const std::int64_t padding =
        copy.dst == Buffer::GM ? 0 : (copy.left_padding + copy.right_padding) * copy.elem_bytes;
    return ceil_div(copy.block_len + padding, kBlockBytes) * kBlockBytes;
}

} // namespace aicore
