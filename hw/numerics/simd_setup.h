// Settings of the vector library, for the sources of this room only: included before the library.
#pragma once

// The kernels hold vectors in arrays, which vectors of unknown length do not allow: machines with
// such vectors run the fixed-length or the scalar code.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
