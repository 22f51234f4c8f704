// Rounding modes of conversions, and the rounding of an exact magnitude.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace aicore {

/// Names of the vendor's data conversion rules in parentheses; their tables define each mode by
/// the bits that are dropped, which is what round_off does.
enum class Rounding : std::uint8_t {
    nearest_even, ///< to nearest, ties to even (CAST_RINT; CAST_NONE where precision is lost)
    nearest_away, ///< to nearest, ties away from zero (CAST_ROUND)
    floor,        ///< towards minus infinity (CAST_FLOOR)
    ceil,         ///< towards plus infinity (CAST_CEIL)
    trunc,        ///< towards zero (CAST_TRUNC)
    odd,          ///< an inexact result takes the neighbour with an odd last bit (CAST_ODD)
    hybrid,       ///< of hifloat8 results only, see hifloat8.h (CAST_HYBRID)
};

/// Throws what every conversion but that to hifloat8 throws for Rounding::hybrid.
[[noreturn]] inline void reject_hybrid() {
    throw std::invalid_argument("hybrid rounding exists for hifloat8 results only");
}

/// Drops the low `bits` bits of a magnitude: magnitude / 2^bits, rounded to an integer.
/// @param bits     0 or more
/// @param negative sign of the value, which floor and ceil depend on
/// @throws std::invalid_argument for Rounding::hybrid
inline std::uint64_t round_off(std::uint64_t magnitude, int bits, bool negative,
                               Rounding rounding) {
    if (bits > 63) { // far below one half: any such value rounds alike
        magnitude = magnitude != 0 ? 1 : 0;
        bits = 2;
    }
    const std::uint64_t one = std::uint64_t{1} << bits;
    const std::uint64_t kept = magnitude >> bits;
    const std::uint64_t rest = magnitude & (one - 1);
    const std::uint64_t twice = 2 * rest;
    switch (rounding) {
    case Rounding::nearest_even:
        return kept + (twice > one || (twice == one && kept % 2 != 0) ? 1 : 0);
    case Rounding::nearest_away: return kept + (twice >= one ? 1 : 0);
    case Rounding::floor: return kept + (negative && rest != 0 ? 1 : 0);
    case Rounding::ceil: return kept + (!negative && rest != 0 ? 1 : 0);
    case Rounding::trunc: return kept;
    case Rounding::odd: return kept | (rest != 0 ? 1 : 0);
    case Rounding::hybrid: break;
    }
    reject_hybrid();
}

} // namespace aicore
