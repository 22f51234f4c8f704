// The bytes of the program window.
#pragma once

#include "hw/core/control_registers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aicore {

/// Memory of kProgramWindowBytes that exists up to the last byte that was written; the rest reads
/// as zero. Offsets count from the start of the window and must lie in it.
class ProgramWindow {
public:
    static constexpr bool contains(std::uint64_t offset, std::uint64_t bytes) {
        return offset <= kProgramWindowBytes && bytes <= kProgramWindowBytes - offset;
    }

    void write(std::uint64_t offset, const std::uint8_t* data, std::uint64_t bytes) {
        if (offset + bytes > bytes_.size()) bytes_.resize(static_cast<std::size_t>(offset + bytes));
        std::copy_n(data, bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    void read(std::uint64_t offset, std::uint8_t* data, std::uint64_t bytes) const {
        for (std::uint64_t i = 0; i < bytes; ++i) {
            data[i] = offset + i < bytes_.size() ? bytes_[static_cast<std::size_t>(offset + i)] : 0;
        }
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

} // namespace aicore
