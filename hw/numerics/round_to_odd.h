// A float64 result on its way to a narrower format without a second rounding.
#pragma once

#include "hw/numerics/half.h"

#include <cmath>
#include <limits>

namespace aicore {

/// To float32 with a sticky last bit (to odd), so that rounding again to fewer bits is exact.
inline float to_odd_f32(double value) {
    const auto nearest = static_cast<float>(value);
    if (!std::isfinite(nearest) || static_cast<double>(nearest) == value) return nearest;
    if ((f32_to_bits(nearest) & 1u) != 0) return nearest;
    const float towards = static_cast<double>(nearest) < value
                              ? std::numeric_limits<float>::infinity()
                              : -std::numeric_limits<float>::infinity();
    return std::nextafter(nearest, towards);
}

} // namespace aicore
