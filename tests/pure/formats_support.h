// Independent references for the conversions of number formats: searches over tables of values in
// double precision, which holds every value and every half-way point exactly.
#pragma once

#include "hw/numerics/half.h"
#include "hw/numerics/rounding.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace aicore::tb {

inline constexpr Rounding kGeneralRoundings[] = {Rounding::nearest_even, Rounding::nearest_away,
                                                 Rounding::floor,        Rounding::ceil,
                                                 Rounding::trunc,        Rounding::odd};
inline constexpr FloatOverflow kBothOverflows[] = {FloatOverflow::inf_nan, FloatOverflow::saturate};

/// A floating-point format as the list of its values: one for each code from 0 to the largest
/// finite one, then the value which the next code would have if exponents went on.
class ValueTable {
public:
    explicit ValueTable(std::vector<double> values) : values_(std::move(values)) {}

    /// Magnitude code of the largest finite value.
    std::uint32_t largest() const { return static_cast<std::uint32_t>(values_.size()) - 2; }

    const std::vector<double>& values() const { return values_; }

    /// Magnitude code of a finite value; largest() + 1 stands for overflow.
    std::uint32_t search(double value, Rounding rounding) const {
        const double magnitude = std::fabs(value);
        const bool negative = std::signbit(value);
        const auto above = std::lower_bound(values_.begin(), values_.end(), magnitude);
        const auto index = static_cast<std::uint32_t>(above - values_.begin());
        const bool in_range = index <= largest();
        if (in_range && *above == magnitude) return index;
        // Neighbours; all that lies beyond the list is beyond the last half-way point.
        const std::uint32_t high = std::min(index, largest() + 1), low = high - 1;
        const double middle = (values_[low] + values_[high]) / 2.0;
        switch (rounding) {
        case Rounding::nearest_even:
            if (magnitude == middle) return low % 2 == 0 ? low : high;
            return magnitude < middle ? low : high;
        case Rounding::nearest_away: return magnitude < middle ? low : high;
        case Rounding::floor: return negative ? high : low;
        case Rounding::ceil: return negative ? low : high;
        case Rounding::odd: return low % 2 != 0 || high > largest() ? low : high;
        default: return low;
        }
    }

private:
    std::vector<double> values_;
};

inline ValueTable float16_values() {
    std::vector<double> values;
    for (std::uint32_t code = 0; code < 0x7C00; ++code) {
        const auto bits = static_cast<std::uint16_t>(code);
        values.push_back(static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits)));
    }
    values.push_back(65536.0);
    return ValueTable(std::move(values));
}

inline ValueTable bfloat16_values() {
    std::vector<double> values;
    for (std::uint32_t code = 0; code < 0x7F80; ++code) {
        const auto bits = static_cast<std::uint16_t>(code);
        values.push_back(static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits)));
    }
    values.push_back(std::ldexp(1.0, 128));
    return ValueTable(std::move(values));
}

/// All values of float16 and bfloat16, with infinities and NaN, as float32.
inline std::vector<float> all_16_bit_values() {
    std::vector<float> values;
    for (std::uint32_t code = 0; code < 0x10000u; ++code) {
        const auto bits = static_cast<std::uint16_t>(code);
        values.push_back(static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits)));
        values.push_back(f32_from_bits(code << 16));
    }
    return values;
}

/// Appends every value and half-way point of the table with its float32 neighbours, of both signs.
inline void append_boundaries(const ValueTable& table, std::vector<float>& out) {
    for (std::size_t i = 0; i + 1 < table.values().size(); ++i) {
        const double low = table.values()[i], high = table.values()[i + 1];
        for (const double centre : {low, low + (high - low) / 2.0}) {
            const auto value = static_cast<float>(centre);
            for (const float near : {std::nextafter(value, -1.0f), value,
                                     std::nextafter(value, std::ldexp(1.0f, 127))}) {
                out.push_back(near);
                out.push_back(-near);
            }
        }
    }
}

/// Appends float32 patterns of any sign and fraction with exponents in [low, high] (unbiased).
inline void append_random(std::mt19937& random, int low, int high, int count,
                          std::vector<float>& out) {
    std::uniform_int_distribution<int> exponents(low + 127, high + 127);
    for (int i = 0; i < count; ++i) {
        const auto bits = static_cast<std::uint32_t>(random());
        const auto exponent = static_cast<std::uint32_t>(exponents(random));
        out.push_back(f32_from_bits((bits & 0x807FFFFFu) | exponent << 23));
    }
}

} // namespace aicore::tb
