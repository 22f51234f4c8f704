// Fractals moved by a LoadData2D.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>

namespace aicore {

/// L1 address of the i-th fractal (0 .. repeat-1). A source stride of 0 reads one fractal again.
constexpr std::uint64_t load2d_src(const Load2d& load, std::int64_t i) {
    const std::int64_t fractal = load.start_index + i * load.src_stride;
    return load.src_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

/// L0A or L0B address of the i-th fractal.
constexpr std::uint64_t load2d_dst(const Load2d& load, std::int64_t i) {
    const std::int64_t fractal = i * (load.dst_gap + 1);
    return load.dst_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

} // namespace aicore
