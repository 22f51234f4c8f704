// Global memory is read and written in bursts that never cross a 512-byte line.
#pragma once

#include <algorithm>
#include <cstdint>

namespace aicore {

inline constexpr std::uint32_t kGmLineBytes = 512;

/// A piece of a GM range inside one line.
struct Burst {
    std::uint64_t addr = 0;
    std::uint32_t bytes = 0; ///< 1..512
};

/// Cuts the range [addr, addr + bytes) at line boundaries, in increasing address order.
class BurstSplitter {
public:
    constexpr BurstSplitter(std::uint64_t addr, std::uint64_t bytes)
        : addr_(addr), end_(addr + bytes) {}

    /// Gives the next piece; false when the range is used up.
    constexpr bool next(Burst& burst) {
        if (addr_ == end_) return false;
        const std::uint64_t line_end = (addr_ / kGmLineBytes + 1) * kGmLineBytes;
        burst = {addr_, static_cast<std::uint32_t>(std::min(line_end, end_) - addr_)};
        addr_ += burst.bytes;
        return true;
    }

private:
    std::uint64_t addr_;
    std::uint64_t end_;
};

} // namespace aicore
