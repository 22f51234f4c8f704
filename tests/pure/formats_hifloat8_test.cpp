// hifloat8: decoding by the prefixes of the vendor's table, encoding by search over the values.
#include "hw/numerics/hifloat8.h"
#include "tests/pure/formats_support.h"

#include <gtest/gtest.h>

#include <bitset>
#include <limits>
#include <set>
#include <string>

namespace {

using namespace aicore;
using namespace aicore::tb;

int binary(const std::string& digits) { return digits.empty() ? 0 : std::stoi(digits, nullptr, 2); }

// Reads the seven digits below the sign as the table of the data type writes them.
double formula(std::uint32_t magnitude) {
    const std::string text = std::bitset<7>(magnitude).to_string();
    struct Row {
        const char* prefix;
        int exponent_digits; ///< after the sign of the exponent; -1: there is no sign either
        int lowest;          ///< magnitude of the exponent when these digits are zero
    };
    for (const Row& row : {Row{"0001", -1, 0}, Row{"001", 0, 1}, Row{"01", 1, 2}, Row{"10", 2, 4},
                           Row{"11", 3, 8}}) {
        const std::string prefix = row.prefix;
        if (text.compare(0, prefix.size(), prefix) != 0) continue;
        std::string rest = text.substr(prefix.size());
        int exponent = 0;
        if (row.exponent_digits >= 0) {
            const auto digits = static_cast<std::size_t>(row.exponent_digits);
            exponent = row.lowest + binary(rest.substr(1, digits));
            if (rest[0] == '1') exponent = -exponent;
            rest = rest.substr(1 + digits);
        }
        const double fraction = binary(rest) / std::ldexp(1.0, static_cast<int>(rest.size()));
        return std::ldexp(1.0 + fraction, exponent);
    }
    return magnitude == 0 ? 0.0 : std::ldexp(1.0, static_cast<int>(magnitude) - 23);
}

/// The values in ascending order with their codes; infinity stands at its place, 1.5 x 2^15.
std::vector<std::pair<double, std::uint32_t>> ordered() {
    std::vector<std::pair<double, std::uint32_t>> values;
    for (std::uint32_t code = 0; code < 0x80u; ++code) values.emplace_back(formula(code), code);
    std::sort(values.begin(), values.end());
    return values;
}

std::uint32_t search(double magnitude, Rounding rounding, std::uint32_t threshold) {
    static const auto values = ordered();
    if (magnitude < 0x1p-23) return 0;
    const auto above = std::upper_bound(values.begin(), values.end(),
                                        std::make_pair(magnitude, std::uint32_t{0x80}));
    if (above == values.end()) return 0x6F;
    const auto [high, high_code] = *above;
    const auto [low, low_code] = *(above - 1);
    const double position = (magnitude - low) / (high - low);
    const bool precise = magnitude >= 0x1p-3 && magnitude < 16.0;
    const bool grows = rounding == Rounding::hybrid && !precise
                           ? std::floor(position * 16384.0) >= threshold
                           : position >= 0.5;
    return grows ? high_code : low_code;
}

std::uint32_t expected_code(float value, Rounding rounding, FloatOverflow overflow) {
    const bool saturate = overflow == FloatOverflow::saturate;
    if (std::isnan(value)) return saturate ? 0u : 0x80u;
    const std::uint32_t threshold = f32_to_bits(value) & 0x3FFFu;
    std::uint32_t code = std::isinf(value) ? 0x6Fu : search(std::fabs(value), rounding, threshold);
    if (code == 0x6Fu && saturate) code = 0x6E;
    return code == 0 ? 0u : code | (std::signbit(value) ? 0x80u : 0u);
}

TEST(FormatsHifloat8, DecodesEveryCode) {
    const Float8Values& values = hif8_values();
    std::set<float> distinct;
    for (std::uint32_t code = 0; code < 256; ++code) {
        if (code == 0x80u) {
            EXPECT_EQ(f32_to_bits(values[code]), kCanonicalNanF32);
            continue;
        }
        distinct.insert(values[code]);
        EXPECT_EQ(std::signbit(values[code]), code > 0x80u) << code;
        if ((code & 0x7Fu) == 0x6Fu) {
            EXPECT_TRUE(std::isinf(values[code])) << code;
        } else {
            EXPECT_EQ(std::fabs(values[code]), formula(code & 0x7Fu)) << code;
        }
    }
    EXPECT_EQ(distinct.size(), 255u);
    EXPECT_EQ(values[kHif8Largest], 32768.0f);
    EXPECT_EQ(values[0x01], 0x1p-22f);
    EXPECT_EQ(values[0x2E], 14.0f); // the example of the vendor's document
}

TEST(FormatsHifloat8, EveryCodeSurvivesNearest) {
    for (std::uint32_t code = 0; code < 256; ++code) {
        const float value = hif8_values()[code];
        EXPECT_EQ(f32_to_hif8(value, Rounding::nearest_away, FloatOverflow::inf_nan), code);
    }
}

TEST(FormatsHifloat8, EncodesByBothRoundings) {
    std::vector<double> magnitudes;
    for (const auto& entry : ordered()) magnitudes.push_back(entry.first);
    std::vector<float> values = all_16_bit_values();
    append_boundaries(ValueTable(magnitudes), values);
    std::mt19937 random(31);
    append_random(random, -127, 128, 200'000, values);
    append_random(random, -25, 17, 2'000'000, values);
    // Thresholds near the tail: short fractions, whose low bits are zero or few.
    for (std::uint32_t exponent = 127 - 25; exponent <= 127 + 17; ++exponent) {
        for (std::uint32_t high = 0; high < 0x200u; ++high) {
            for (const std::uint32_t low : {0u, 1u, 0x1FFFu, 0x2000u, 0x3FFFu}) {
                values.push_back(f32_from_bits(exponent << 23 | high << 14 | low));
            }
        }
    }
    for (const Rounding rounding : {Rounding::nearest_away, Rounding::hybrid}) {
        for (const FloatOverflow overflow : kBothOverflows) {
            for (const float value : values) {
                ASSERT_EQ(f32_to_hif8(value, rounding, overflow),
                          expected_code(value, rounding, overflow))
                    << std::hexfloat << value << " rounding " << static_cast<int>(rounding);
            }
        }
    }
}

TEST(FormatsHifloat8, LiteralComparisonOfHybrid) {
    const auto hybrid = [](float value) {
        return f32_to_hif8(value, Rounding::hybrid, FloatOverflow::inf_nan);
    };
    // With a zero threshold an exact value grows, as in the vendor's script.
    EXPECT_EQ(hybrid(16.0f), 0x41);
    EXPECT_EQ(hybrid(32.0f), 0x45);
    EXPECT_EQ(hybrid(0x1p-22f), 0x02);
    EXPECT_EQ(hybrid(8.0f), 0x28); // three fraction bits: to nearest
    // Just below the smallest value, and half of it.
    EXPECT_EQ(f32_to_hif8(0x1p-23f, Rounding::nearest_away, FloatOverflow::inf_nan), 0x01);
    EXPECT_EQ(hybrid(-0x1p-23f), 0x81);
    EXPECT_EQ(hybrid(-0x1.fffffep-24f), 0x00);
    EXPECT_EQ(hybrid(f32_from_bits(0x34003FFFu)), 0x00); // threshold above the tail
}

TEST(FormatsHifloat8, OtherRoundingsAreRejected) {
    for (const Rounding rounding : kGeneralRoundings) {
        if (rounding == Rounding::nearest_away) continue;
        EXPECT_THROW(f32_to_hif8(1.0f, rounding, FloatOverflow::inf_nan), std::invalid_argument);
    }
}

} // namespace
