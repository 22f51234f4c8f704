// Cycles of an Mmad: pure formulas.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/mmad_walk.h"

namespace aicore {

/// Cycles of one fractal of A times one of B.
inline int cycles_per_fractal(const CubeConfig& config, const Mmad& mmad) {
    return config.cycles_per_fractal(mmad.ab_type, uses_hf32(mmad));
}

/// Cycles that one 16 x 16 output block occupies the multiplier array.
inline Cycles block_cycles(const CubeConfig& config, const Mmad& mmad) {
    return Cycles(std::int64_t(mmad_shape(mmad).b_k1) * cycles_per_fractal(config, mmad));
}

/// The vendor's theoretical cycles of one Mmad: start-up + m/16 * n/16 * k/k0 fractals.
inline Cycles theory_cycles(const CubeConfig& config, const Mmad& mmad) {
    const MmadShape shape = mmad_shape(mmad);
    return config.startup_cycles + block_cycles(config, mmad) * (std::int64_t(shape.m1) * shape.n1);
}

/// Issue to the first fractal in the array. The rest of the start-up comes after the last fractal.
inline Cycles front_cycles(const CubeConfig& config) {
    return config.startup_cycles - config.drain_cycles;
}

} // namespace aicore
