// The blocks that a DataCopy or DataCopyPad moves.
#pragma once

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

/// Bytes that the block of a DataCopyPad occupies in UB: whole 32-byte blocks.
std::int64_t padded_block_bytes(const DataCopyPad& copy);

} // namespace aicore
