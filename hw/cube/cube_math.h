// Arithmetic of an Mmad on one 16 x 16 output block: pure.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/mmad_types.h"

#include <cstdint>

namespace aicore {

/// Products that one cycle of the multiplier array adds: C0 elements over the cycles of a fractal
/// (vendor: k0 of 4 for float32 of arch 2201, 1 of arch 3510), at least 1.
int products_per_step(const CubeConfig& config, const Mmad& mmad);

/// C += A x B of `mmad` for one block, and the form in which C is stored: floats as CTRL[48] says,
/// integers wrapped or saturated as CTRL[53] says, once at the end of the Mmad (both inferred: the
/// point of saturation is not public).
///
/// @param a    panel of operand_panel.h, HF32 applied
/// @param b    the same; a sparse B is expanded
/// @param rows valid rows, 1..16
/// @param c    16 x 16 words, rows of 64 bytes
void multiply_block(const CubeConfig& config, const Mmad& mmad, const void* a, const void* b,
                    int rows, std::uint32_t* c);

} // namespace aicore
