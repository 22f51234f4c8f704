#include "hw/numerics/exact_sum.h"

#include "hw/numerics/half.h"

#include <algorithm>
#include <cmath>

namespace aicore {
namespace {

constexpr int kLowestBit = -298; ///< of the product of two least denormals
constexpr int kLimbBits = 64;
constexpr int kFractionBits = 24; ///< of a float32, with the leading one
constexpr int kLeastExponent = -149;

/// |value| = significand x 2^exponent, value finite.
struct Parts {
    std::uint64_t significand;
    int exponent;
};

Parts split(std::uint32_t bits) {
    const std::uint32_t field = bits >> 23 & 0xFFu;
    const std::uint32_t fraction = bits & 0x7FFFFFu;
    if (field == 0) return {fraction, kLeastExponent};
    return {fraction | 0x800000u, kLeastExponent - 1 + static_cast<int>(field)};
}

bool is_special(std::uint32_t bits) { return (bits & 0x7F800000u) == 0x7F800000u; }

} // namespace

void ExactSum::add_product(float a, float b) {
    const std::uint32_t x = f32_to_bits(a);
    const std::uint32_t y = f32_to_bits(b);
    const bool negative = ((x ^ y) >> 31) != 0;
    if (is_special(x) || is_special(y)) {
        const float product = a * b;
        nan_ = nan_ || product != product;
        (negative ? negative_infinity_ : positive_infinity_) = true;
        return;
    }
    const Parts p = split(x);
    const Parts q = split(y);
    const std::uint64_t magnitude = p.significand * q.significand; // below 2^48
    if (magnitude != 0) add_limbs(magnitude, p.exponent + q.exponent - kLowestBit, negative);
}

void ExactSum::add_limbs(std::uint64_t magnitude, int position, bool negative) {
    const auto first = static_cast<std::size_t>(position / kLimbBits);
    const int shift = position % kLimbBits;
    const std::uint64_t parts[2] = {magnitude << shift,
                                    shift == 0 ? 0 : magnitude >> (kLimbBits - shift)};
    std::uint64_t carry = 0; // borrow when negative
    for (std::size_t i = first; i < limbs_.size(); ++i) {
        const std::uint64_t part = i - first < 2 ? parts[i - first] : 0;
        if (part == 0 && carry == 0 && i - first >= 2) return;
        const std::uint64_t old = limbs_[i];
        if (negative) {
            limbs_[i] = old - part - carry;
            carry = old < part || (old == part && carry != 0) ? 1 : 0;
        } else {
            limbs_[i] = old + part + carry;
            carry = limbs_[i] < old || (limbs_[i] == old && (part != 0 || carry != 0)) ? 1 : 0;
        }
    }
}

float ExactSum::round() const {
    if (nan_ || (positive_infinity_ && negative_infinity_)) return f32_from_bits(kCanonicalNanF32);
    if (positive_infinity_) return HUGE_VALF;
    if (negative_infinity_) return -HUGE_VALF;

    std::array<std::uint64_t, kLimbs> magnitude = limbs_;
    const bool negative = (limbs_.back() >> 63) != 0;
    if (negative) {
        std::uint64_t carry = 1;
        for (std::uint64_t& limb : magnitude) {
            limb = ~limb + carry;
            carry = carry != 0 && limb == 0 ? 1 : 0;
        }
    }
    const auto bit = [&magnitude](int position) {
        return (magnitude[static_cast<std::size_t>(position / kLimbBits)] >>
                (position % kLimbBits)) &
               1u;
    };
    int high = kLimbs * kLimbBits - 1;
    while (high >= 0 && bit(high) == 0) --high;
    if (high < 0) return 0.0f;

    // The last kept bit; a denormal keeps fewer.
    const int last = std::max(high - (kFractionBits - 1), kLeastExponent - kLowestBit);
    std::uint32_t kept = 0;
    for (int position = high; position >= last; --position) {
        kept = kept << 1 | static_cast<std::uint32_t>(bit(position));
    }
    bool sticky = false;
    for (int position = last - 2; position >= 0 && !sticky; --position) sticky = bit(position) != 0;
    if (bit(last - 1) != 0 && (sticky || (kept & 1u) != 0)) ++kept;
    const float value = std::ldexp(static_cast<float>(kept), last + kLowestBit);
    return negative ? -value : value;
}

} // namespace aicore
