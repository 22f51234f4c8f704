// Rearrangement of the elements inside one fractal.
#pragma once

#include <cstdint>

namespace aicore {

/// Transposes one 512-byte fractal of 16 x 16 two-byte elements: out[c][r] = in[r][c], both
/// row-major in rows of 32 bytes. This is what the transposing load2d does to each fractal.
/// `in` and `out` are two-byte aligned and must not overlap.
void transpose_fractal_b16(const std::uint8_t* in, std::uint8_t* out);

} // namespace aicore
