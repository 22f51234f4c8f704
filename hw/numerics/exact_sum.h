// A sum of float32 products without any rounding before its end.
#pragma once

#include <array>
#include <cstdint>

namespace aicore {

/// Fixed-point accumulator over the whole range of float32 products, from 2^-298 upwards, with room
/// for more than 2^64 of them.
class ExactSum {
public:
    /// Adds a x b. Infinities and NaN follow IEEE 754: 0 x infinity, and infinities of both signs,
    /// make a NaN.
    void add_product(float a, float b);
    void add(float value) { add_product(value, 1.0f); }

    /// The sum rounded to float32, to nearest even, with denormals; what rounds beyond the largest
    /// value is infinity, a NaN is 0x7FC00000. An exact zero is +0 (inferred).
    float round() const;

private:
    static constexpr int kLimbs = 11;

    void add_limbs(std::uint64_t magnitude, int position, bool negative);

    std::array<std::uint64_t, kLimbs> limbs_{}; ///< two's complement, least significant first
    bool positive_infinity_ = false;
    bool negative_infinity_ = false;
    bool nan_ = false;
};

} // namespace aicore
