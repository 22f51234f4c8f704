// HF32: by the standard library's rounding in double precision, rows on every instruction set.
#include "hw/numerics/hf32.h"
#include "hw/numerics/simd_target.h"
#include "tests/pure/formats_support.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace {

using namespace aicore;
using namespace aicore::tb;

constexpr Rounding kHf32Roundings[] = {Rounding::nearest_even, Rounding::nearest_away,
                                       Rounding::trunc};

float expected(float value, int fraction_bits, Rounding rounding) {
    if (!std::isfinite(value)) return value;
    if (std::fabs(value) < std::numeric_limits<float>::min()) return std::copysign(0.0f, value);
    int exponent = 0;
    const double significand = std::frexp(static_cast<double>(value), &exponent); // 0.5 .. 1
    double kept = std::ldexp(significand, fraction_bits + 1);
    switch (rounding) {
    case Rounding::nearest_even: kept = std::nearbyint(kept); break;
    case Rounding::nearest_away: kept = std::round(kept); break;
    default: kept = std::trunc(kept); break;
    }
    const double result = std::ldexp(kept, exponent - fraction_bits - 1);
    if (std::fabs(result) > std::numeric_limits<float>::max()) {
        return std::copysign(std::numeric_limits<float>::infinity(), value);
    }
    return static_cast<float>(result);
}

std::vector<float> inputs() {
    std::vector<float> values = all_16_bit_values();
    std::mt19937 random(41);
    append_random(random, -127, 128, 1'000'000, values);
    for (std::uint32_t high = 0; high < 0x10000u; high += 7) {
        // Around every half-way point of both widths.
        for (const std::uint32_t low : {0x7FFu, 0x800u, 0x801u, 0xFFFu, 0x1000u, 0x1001u, 0x17FFu,
                                        0x1800u, 0x1801u, 0x1FFFu, 0xFFFFu}) {
            values.push_back(f32_from_bits(high << 16 | low));
        }
    }
    values.push_back(f32_from_bits(0x7F7FFFFFu));
    values.push_back(f32_from_bits(0x007FFFFFu));
    values.push_back(f32_from_bits(0xFF800001u)); // a NaN whose payload would be dropped
    return values;
}

TEST(FormatsHf32, RoundsAsTheStandardLibrary) {
    ASSERT_EQ(std::fegetround(), FE_TONEAREST);
    const std::vector<float> values = inputs();
    for (const int fraction_bits : {11, 10}) {
        for (const Rounding rounding : kHf32Roundings) {
            const Hf32 hf32(fraction_bits, rounding);
            for (const float value : values) {
                ASSERT_EQ(f32_to_bits(hf32.round(value)),
                          f32_to_bits(expected(value, fraction_bits, rounding)))
                    << std::hexfloat << value << " rounding " << static_cast<int>(rounding);
            }
        }
    }
}

TEST(FormatsHf32, EveryWidth) {
    std::vector<float> values;
    std::mt19937 random(42);
    append_random(random, -127, 128, 20'000, values);
    for (int fraction_bits = 1; fraction_bits <= 22; ++fraction_bits) {
        for (const Rounding rounding : kHf32Roundings) {
            const Hf32 hf32(fraction_bits, rounding);
            for (const float value : values) {
                ASSERT_EQ(f32_to_bits(hf32.round(value)),
                          f32_to_bits(expected(value, fraction_bits, rounding)));
            }
        }
    }
}

TEST(FormatsHf32, RowsEqualScalarOnEveryTarget) {
    const std::vector<float> values = inputs();
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        for (const int fraction_bits : {11, 10}) {
            for (const Rounding rounding : kHf32Roundings) {
                const Hf32 hf32(fraction_bits, rounding);
                std::vector<float> row = values;
                hf32.round_row(row.data(), static_cast<int>(row.size()), row.data());
                for (std::size_t i = 0; i < row.size(); ++i) {
                    ASSERT_EQ(f32_to_bits(row[i]), f32_to_bits(hf32.round(values[i])))
                        << target << std::hexfloat << values[i];
                }
            }
        }
        for (int count = 0; count < 40; ++count) { // tails, from an address without alignment
            const Hf32 hf32(10, Rounding::nearest_even);
            std::vector<float> row(64, 1.0f);
            hf32.round_row(values.data() + 70'001, count, row.data() + 1);
            for (int i = 0; i < 63; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const float wanted = i < count ? hf32.round(values[70'001 + at]) : 1.0f;
                ASSERT_EQ(f32_to_bits(row[at + 1]), f32_to_bits(wanted)) << target;
            }
        }
    }
    use_simd_target("");
}

TEST(FormatsHf32, ModesDiffer) {
    const float tie = 1.0f + 0x1p-12f, negative_tie = -tie;
    EXPECT_EQ(Hf32(11, Rounding::nearest_even).round(tie), 1.0f);
    EXPECT_EQ(Hf32(11, Rounding::nearest_away).round(tie), 1.0f + 0x1p-11f);
    EXPECT_EQ(Hf32(11, Rounding::nearest_away).round(negative_tie), -1.0f - 0x1p-11f);
    EXPECT_EQ(Hf32(11, Rounding::trunc).round(negative_tie), -1.0f);
    EXPECT_EQ(Hf32(10, Rounding::nearest_away).round(tie), 1.0f);
    // A carry through the whole fraction clears it and raises the exponent.
    EXPECT_EQ(Hf32(11, Rounding::nearest_even).round(0x1.fffffep3f), 16.0f);
}

TEST(FormatsHf32, RejectsOtherSettings) {
    EXPECT_THROW(Hf32(0, Rounding::nearest_even), std::invalid_argument);
    EXPECT_THROW(Hf32(23, Rounding::nearest_even), std::invalid_argument);
    for (const Rounding rounding :
         {Rounding::floor, Rounding::ceil, Rounding::odd, Rounding::hybrid}) {
        EXPECT_THROW(Hf32(11, rounding), std::invalid_argument);
    }
}

} // namespace
