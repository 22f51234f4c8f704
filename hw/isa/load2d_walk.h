// Fractals moved by a LoadData2D.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>

namespace aicore {

/// Address in L1 or GM of the i-th fractal (0 .. repeat-1). A source stride of 0 reads one fractal
/// again.
constexpr std::uint64_t load2d_src(const Load2d& load, std::int64_t i) {
    const std::int64_t step = load.addr_mode == AddrMode::inc ? load.src_stride : -load.src_stride;
    const std::int64_t fractal = load.start_index + i * step;
    return load.src_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

/// Address in the destination of the i-th fractal.
constexpr std::uint64_t load2d_dst(const Load2d& load, std::int64_t i) {
    const std::int64_t fractal = i * (load.dst_gap + 1);
    return load.dst_addr + static_cast<std::uint64_t>(fractal) * kFractalBytes;
}

} // namespace aicore
