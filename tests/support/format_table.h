// Rounding by neighbours: the two values of a format around an exact one.
#pragma once

#include "hw/numerics/rounding.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace aicore::test {

using Exact = long double;

inline Exact half_value(std::uint16_t bits) {
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
}
inline Exact bfloat_value(std::uint16_t bits) {
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits));
}
inline Exact float_value(std::uint32_t bits) { return Eigen::numext::bit_cast<float>(bits); }

/// Chooses between neighbours low < x < high of which `low_is_even`.
inline bool takes_high(Exact low, Exact x, Exact high, bool low_is_even, Rounding rounding) {
    const Exact below = x - low, above = high - x;
    switch (rounding) {
    case Rounding::nearest_even: return above < below || (above == below && !low_is_even);
    case Rounding::nearest_away: return above < below || (above == below && x > 0);
    case Rounding::floor: return false;
    case Rounding::ceil: return true;
    case Rounding::trunc: return x < 0;
    default: return low_is_even; // odd
    }
}

/// Finite positive codes of a 16-bit format, in order, and the value that would follow them.
inline std::uint16_t round_magnitude(Exact x, bool negative, Rounding rounding,
                                     Exact (*value)(std::uint16_t), std::uint16_t infinity) {
    if (std::isinf(x)) return infinity;
    std::uint16_t low = 0, high = static_cast<std::uint16_t>(infinity - 1);
    if (x >= value(high)) {
        low = high;
    } else {
        while (high - low > 1) { // value(low) <= x < value(high)
            const auto middle = static_cast<std::uint16_t>((low + high) / 2);
            (value(middle) <= x ? low : high) = middle;
        }
    }
    if (value(low) == x) return low;
    const auto next = static_cast<std::uint16_t>(low + 1);
    const Exact above = next == infinity
                            ? 2 * value(low) - value(static_cast<std::uint16_t>(low - 1))
                            : value(next);
    // Directions turn round with the sign.
    const Rounding as_positive = !negative                     ? rounding
                                 : rounding == Rounding::floor ? Rounding::ceil
                                 : rounding == Rounding::ceil  ? Rounding::floor
                                                               : rounding;
    if (next == infinity && x >= above) {
        const bool grows = as_positive == Rounding::nearest_even ||
                           as_positive == Rounding::nearest_away || as_positive == Rounding::ceil;
        return grows ? infinity : low;
    }
    return takes_high(value(low), x, above, low % 2 == 0, as_positive) ? next : low;
}

inline float round_to_float(Exact x, Rounding rounding = Rounding::nearest_even) {
    if (std::isnan(x)) return std::numeric_limits<float>::quiet_NaN();
    const auto near = static_cast<float>(x); // within one unit, whatever its direction
    if (static_cast<Exact>(near) == x || std::isinf(near)) return near;
    const float infinity = std::numeric_limits<float>::infinity();
    const float low = static_cast<Exact>(near) < x ? near : std::nextafter(near, -infinity);
    const float high = std::nextafter(low, infinity);
    std::uint32_t bits;
    std::memcpy(&bits, &low, 4);
    return takes_high(low, x, high, bits % 2 == 0, rounding) ? high : low;
}

inline Exact round_to_integer(Exact x, Rounding rounding) {
    const Exact low = std::floor(x);
    if (low == x || !std::isfinite(x)) return x;
    return takes_high(low, x, low + 1, std::fmod(low, 2.0L) == 0, rounding) ? low + 1 : low;
}

} // namespace aicore::test
