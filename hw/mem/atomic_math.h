// Arithmetic of atomic writes to global memory: pure.
//
// Sums, maxima and minima of 16-bit floats follow the vendor's table of atomic operations: IEEE 754
// with rounding to nearest even, a NaN wins, -0 lies below +0; saturating, infinities become the
// largest finite value and NaN becomes +0. [inferred] float32 and bfloat16 likewise, float32 never
// saturates (the switch is described for 16-bit floats), and sums of integers wrap.
#pragma once

#include "tlm/atomic_access.h"

#include <cstddef>
#include <cstdint>

namespace aicore {

/// memory[i] = memory[i] op data[i] for the elements of `bytes` bytes, a multiple of the element's
/// size. No alignment is needed.
void combine(const AtomicAccess& access, const std::uint8_t* data, std::size_t bytes,
             std::uint8_t* memory);

} // namespace aicore
