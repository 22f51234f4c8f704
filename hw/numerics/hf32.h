// HF32: float32 operands of the cube with a shortened fraction (bit 46 of CTRL). The value stays a
// float32 whose dropped bits are zero.
#pragma once

#include "hw/numerics/half.h"
#include "hw/numerics/rounding.h"

#include <cstdint>

namespace aicore {

/// Rounds float32 values to HF32.
///
/// Denormals become zero of their sign, infinities and NaN stay bit for bit, and what rounds beyond
/// the largest value becomes infinity (inferred: the carry runs into the exponent).
class Hf32 {
public:
    /// @param fraction_bits 1..22; numerics.hf32_fraction_bits of the platform
    /// @param rounding as bit 47 of CTRL says, 0 nearest_even, 1 nearest_away; or trunc, which
    /// other
    ///        pages of the vendor name for 1 ("toward zero")
    /// @throws std::invalid_argument for other values
    Hf32(int fraction_bits, Rounding rounding);

    float round(float value) const {
        const std::uint32_t bits = f32_to_bits(value);
        const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
        const std::uint32_t sign = bits & 0x80000000u;
        if (magnitude < 0x00800000u) return f32_from_bits(sign);
        if (magnitude >= 0x7F800000u) return value;
        const std::uint32_t tie = (magnitude >> dropped_) & tie_;
        return f32_from_bits(sign | ((magnitude + bias_ + tie) & mask_));
    }

    /// The same for a row, vectorised. `out` may be `in`; else they must not overlap. Pointers need
    /// 4-byte alignment only; a count of 0 does nothing.
    void round_row(const float* in, int count, float* out) const;

private:
    // Rounding is an addition that carries into the kept bits.
    int dropped_;        // bits
    std::uint32_t mask_; // kept bits
    std::uint32_t bias_; // added below the kept bits
    std::uint32_t tie_;  // 1: the last kept bit is added as well
};

} // namespace aicore
