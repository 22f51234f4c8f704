// Loads of the tables that FixPipe and the cube use, from L1: BiasTable and Fixpipe buffer.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/load_step.h"

#include <cstdint>

namespace aicore {

/// Up to 512 bytes of the bias table a step. A float16 bias is charged by the bytes of float32 that
/// are written [inferred: the write port of the table has the width of the link].
class L1ToBtWalk {
public:
    explicit L1ToBtWalk(const L1ToBt& copy);
    bool next(LoadStep& step);

private:
    L1ToBt copy_;
    std::int64_t block_ = 0;
    std::int64_t byte_ = 0; ///< position in the block, in the source
};

/// Up to 512 bytes of the Fixpipe buffer a step.
class L1ToFbWalk {
public:
    explicit L1ToFbWalk(const L1ToFb& copy);
    bool next(LoadStep& step);

private:
    L1ToFb copy_;
    std::int64_t block_ = 0;
    std::int64_t byte_ = 0;
};

/// Bytes of BiasTable that a byte of the source becomes.
constexpr int bt_growth(const L1ToBt& copy) { return size_of(copy.src_type) == 2 ? 2 : 1; }

/// Slice of the Fixpipe buffer that an address selects, and the byte in it.
constexpr int fb_slice(std::uint32_t addr) { return static_cast<int>(addr >> 16); }
constexpr std::uint32_t fb_offset(std::uint32_t addr) { return addr & 0xffffu; }

} // namespace aicore
