// The blocks that a DataCopy or DataCopyPad moves.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/isa/instruction.h"

#include <cstdint>

namespace aicore {

/// One block. Its bytes go to [dst + lead, ...); `lead` bytes before and `trail` bytes behind them
/// are filled.
struct CopyBlock {
    std::uint64_t src = 0;
    std::uint64_t dst = 0;
    std::uint32_t bytes = 0;
    std::uint32_t lead = 0;
    std::uint32_t trail = 0;
};

/// Blocks of a copy in their order. Empty when there are no blocks or no bytes.
class BlockWalk {
public:
    explicit BlockWalk(const DataCopy& copy);
    explicit BlockWalk(const DataCopyPad& copy);

    /// Gives the next block; false after the last one.
    bool next(CopyBlock& block);

private:
    CopyBlock first_;
    std::int64_t count_ = 0;
    std::uint64_t src_pitch_ = 0;
    std::uint64_t dst_pitch_ = 0;
    std::int64_t at_ = 0;
};

/// The piece of a block that lies in one line of GM.
struct CopyLine {
    std::uint64_t src = 0;
    std::uint64_t dst = 0;    ///< of its bytes; what is filled lies around them
    std::uint32_t bytes = 0;  ///< 1..512
    std::uint32_t offset = 0; ///< of its bytes in those of the block
    std::uint32_t lead = 0;   ///< bytes to fill before the first piece of a block
    std::uint32_t trail = 0;  ///< ... and behind the last one
};

/// Blocks of a copy from or to GM, cut at the lines of GM.
class CopyLineWalk {
public:
    explicit CopyLineWalk(const DataCopy& copy) : CopyLineWalk(BlockWalk(copy), copy.dst) {}
    explicit CopyLineWalk(const DataCopyPad& copy) : CopyLineWalk(BlockWalk(copy), copy.dst) {}

    /// Gives the next piece; false after the last one.
    bool next(CopyLine& line);

private:
    CopyLineWalk(const BlockWalk& blocks, Buffer dst)
        : blocks_(blocks), is_store_(dst == Buffer::GM) {}

    BlockWalk blocks_;
    bool is_store_; ///< to GM, not from there
    CopyBlock block_;
    BurstSplitter pieces_{0, 0}; ///< of the block, in GM
};

/// Bytes that the block of a DataCopyPad occupies in UB: whole 32-byte blocks.
std::int64_t padded_block_bytes(const DataCopyPad& copy);

} // namespace aicore
