// Order in which the cube adds up the products of one accumulation step.
#pragma once

#include <cstdint>

namespace aicore {

/// A step takes the products of one cycle of the multiplier array, k0 of them, and adds them to the
/// accumulator. Not public; all of these are readings. Sums are float32, each addition rounded to
/// nearest even; integers are exact in any order.
enum class Summation : std::uint8_t {
    sequential, ///< products rounded to float32 and added to the accumulator in increasing k
    pairwise,   ///< rounded products in a tree of neighbours; its sum is added to the accumulator
    exact,      ///< exact sum of the products and the accumulator, rounded once
    exact_then_add, ///< exact sum of the products rounded to float32, then added
};

} // namespace aicore
