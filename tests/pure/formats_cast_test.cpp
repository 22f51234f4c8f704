// Casts with every rounding: to 16-bit floats by search over all their values, to and from integers
// by the standard library in double precision.
#include "hw/numerics/cast.h"
#include "tests/pure/formats_support.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace {

using namespace aicore;
using namespace aicore::tb;

using FloatCast = std::uint16_t (*)(float, Rounding, FloatOverflow);

std::uint32_t expected_float_code(const ValueTable& table, float value, Rounding rounding,
                                  FloatOverflow overflow) {
    const bool saturate = overflow == FloatOverflow::saturate;
    const std::uint32_t infinity = table.largest() + 1;
    const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
    std::uint32_t code = std::isinf(value) ? infinity : table.search(value, rounding);
    if (saturate) code = std::min(code, table.largest());
    return sign | code;
}

void expect_float_casts(FloatCast cast, const ValueTable& table, std::uint16_t nan,
                        const std::vector<float>& values) {
    for (const Rounding rounding : kGeneralRoundings) {
        for (const FloatOverflow overflow : kBothOverflows) {
            for (const float value : values) {
                if (std::isnan(value)) {
                    const bool saturate = overflow == FloatOverflow::saturate;
                    ASSERT_EQ(cast(value, rounding, overflow), saturate ? 0 : nan);
                } else {
                    ASSERT_EQ(cast(value, rounding, overflow),
                              expected_float_code(table, value, rounding, overflow))
                        << std::hexfloat << value << " rounding " << static_cast<int>(rounding);
                }
            }
        }
    }
}

TEST(FormatsCast, ToFloat16EveryRounding) {
    const ValueTable table = float16_values();
    std::vector<float> values = all_16_bit_values();
    append_boundaries(table, values);
    std::mt19937 random(11);
    append_random(random, -127, 128, 100'000, values);
    append_random(random, -27, 17, 400'000, values);
    expect_float_casts(cast_f32_to_f16, table, 0x7E00, values);
}

TEST(FormatsCast, ToBfloat16EveryRounding) {
    const ValueTable table = bfloat16_values();
    std::vector<float> values = all_16_bit_values();
    append_boundaries(table, values);
    std::mt19937 random(12);
    append_random(random, -127, 128, 400'000, values);
    for (std::uint32_t low = 0; low < 0x10000u; ++low) { // between the largest and infinity
        values.push_back(f32_from_bits(0x7F7F0000u | low));
        values.push_back(f32_from_bits(0xFF7F0000u | low));
    }
    expect_float_casts(cast_f32_to_bf16, table, 0x7FC0, values);
}

TEST(FormatsCast, NearestEvenEqualsTheRoundingOfHalf) {
    std::vector<float> values = all_16_bit_values();
    std::mt19937 random(13);
    append_random(random, -127, 128, 1'000'000, values);
    append_random(random, -27, 17, 1'000'000, values);
    for (const FloatOverflow overflow : kBothOverflows) {
        for (const float value : values) {
            ASSERT_EQ(cast_f32_to_f16(value, Rounding::nearest_even, overflow),
                      f32_to_f16(value, overflow));
            ASSERT_EQ(cast_f32_to_bf16(value, Rounding::nearest_even, overflow),
                      f32_to_bf16(value, overflow));
        }
    }
}

double integral(double value, Rounding rounding) {
    switch (rounding) {
    case Rounding::nearest_even: return std::nearbyint(value);
    case Rounding::nearest_away: return std::round(value);
    case Rounding::floor: return std::floor(value);
    case Rounding::ceil: return std::ceil(value);
    case Rounding::odd: {
        const double below = std::floor(value);
        return std::fmod(below, 2.0) != 0.0 ? below : std::ceil(value);
    }
    default: return std::trunc(value);
    }
}

double expected_integer(float value, double lowest, double highest, Rounding rounding,
                        IntegerOverflow overflow) {
    if (std::isnan(value)) return 0.0;
    if (std::isinf(value)) return value < 0.0f ? lowest : highest;
    double result = integral(value, rounding);
    if (overflow == IntegerOverflow::saturate) return std::clamp(result, lowest, highest);
    const double period = highest - lowest + 1.0;
    result = std::fmod(result, period);
    if (result < lowest) result += period;
    if (result > highest) result -= period;
    return result;
}

template <class Int>
void expect_integers(Int (*cast)(float, Rounding, IntegerOverflow), double lowest, double highest,
                     const std::vector<float>& values) {
    for (const Rounding rounding : kGeneralRoundings) {
        for (const IntegerOverflow overflow : {IntegerOverflow::wrap, IntegerOverflow::saturate}) {
            for (const float value : values) {
                const auto result = static_cast<double>(cast(value, rounding, overflow));
                ASSERT_EQ(result, expected_integer(value, lowest, highest, rounding, overflow))
                    << std::hexfloat << value << " rounding " << static_cast<int>(rounding)
                    << " overflow " << static_cast<int>(overflow);
            }
        }
    }
}

TEST(FormatsCast, ToIntegersEveryRounding) {
    ASSERT_EQ(std::fegetround(), FE_TONEAREST);
    std::vector<float> values = all_16_bit_values();
    std::mt19937 random(14);
    append_random(random, -127, 128, 100'000, values);
    append_random(random, -3, 34, 200'000, values);
    for (int i = -1200; i <= 1200; ++i) values.push_back(static_cast<float>(i) / 4.0f);
    for (const double limit : {32768.0, 65536.0, 2147483648.0, 4294967296.0, 0x1p62, 0x1p63}) {
        const auto value = static_cast<float>(limit);
        for (const float near : {std::nextafter(value, 0.0f), value, value - 0.5f, value + 0.5f}) {
            values.push_back(near);
            values.push_back(-near);
        }
    }
    expect_integers(cast_f32_to_s32, -2147483648.0, 2147483647.0, values);
    expect_integers(cast_f32_to_s16, -32768.0, 32767.0, values);
    expect_integers(cast_f32_to_s8, -128.0, 127.0, values);
    expect_integers(cast_f32_to_u8, 0.0, 255.0, values);
    expect_integers(cast_f32_to_s4, -8.0, 7.0, values);
}

// Values that the vendor's documents give.
TEST(FormatsCast, DocumentedExamples) {
    EXPECT_EQ(cast_f32_to_u8(257.0f, Rounding::nearest_even, IntegerOverflow::wrap), 1);
    EXPECT_EQ(cast_f32_to_u8(257.0f, Rounding::nearest_even, IntegerOverflow::saturate), 255);
    EXPECT_EQ(cast_f32_to_s32(-1.5f, Rounding::ceil, IntegerOverflow::saturate), -1);
    EXPECT_EQ(cast_f32_to_s32(4194304.5f, Rounding::nearest_even, IntegerOverflow::saturate),
              4194304);
    EXPECT_EQ(cast_f32_to_s32(2.5f, Rounding::nearest_away, IntegerOverflow::saturate), 3);
    const float half_and_tie = 0.5f + 0x1p-12f;
    EXPECT_EQ(f16_to_f32(cast_f32_to_f16(half_and_tie, Rounding::odd, FloatOverflow::saturate)),
              0.5f + 0x1p-11f);
    EXPECT_EQ(
        f16_to_f32(cast_f32_to_f16(half_and_tie, Rounding::nearest_even, FloatOverflow::saturate)),
        0.5f);
    const std::int32_t tie = (1 << 25) + 3;
    EXPECT_EQ(cast_s32_to_f32(tie, Rounding::nearest_even), 0x1p25f + 4.0f);
    EXPECT_EQ(cast_s32_to_f32(tie, Rounding::trunc), 0x1p25f);
    EXPECT_EQ(
        f16_to_f32(cast_s32_to_f16((1 << 12) + 2, Rounding::nearest_away, FloatOverflow::saturate)),
        0x1p12f + 4.0f);
}

float expected_f32(std::int32_t value, Rounding rounding) {
    const double exact = value;
    const auto nearest = static_cast<float>(exact);
    if (static_cast<double>(nearest) == exact) return nearest;
    const float infinity = std::numeric_limits<float>::infinity();
    const float below = nearest < exact ? nearest : std::nextafter(nearest, -infinity);
    const float above = std::nextafter(below, infinity);
    switch (rounding) {
    case Rounding::nearest_even: return nearest;
    case Rounding::nearest_away: {
        const double down = exact - below, up = above - exact;
        if (down == up) return exact < 0.0 ? below : above;
        return down < up ? below : above;
    }
    case Rounding::floor: return below;
    case Rounding::ceil: return above;
    case Rounding::odd: return f32_to_bits(below) % 2 != 0 ? below : above;
    default: return exact < 0.0 ? above : below;
    }
}

TEST(FormatsCast, FromInt32) {
    std::vector<std::int32_t> values;
    std::mt19937 random(15);
    for (int bits = 0; bits <= 31; ++bits) {
        for (int i = 0; i < 20'000; ++i) {
            values.push_back(static_cast<std::int32_t>(random()) >> (31 - bits));
        }
    }
    for (std::int32_t i = -70'000; i <= 70'000; ++i) values.push_back(i);
    const auto lowest = std::numeric_limits<std::int32_t>::min();
    const auto highest = std::numeric_limits<std::int32_t>::max();
    for (int i = 0; i < 300; ++i) {
        values.push_back(lowest + i);
        values.push_back(highest - i);
    }
    const ValueTable table = float16_values();
    for (const Rounding rounding : kGeneralRoundings) {
        for (const std::int32_t value : values) {
            ASSERT_EQ(cast_s32_to_f32(value, rounding), expected_f32(value, rounding))
                << value << " rounding " << static_cast<int>(rounding);
            std::uint32_t code = table.search(value, rounding);
            const std::uint32_t sign = value < 0 ? 0x8000u : 0u;
            ASSERT_EQ(cast_s32_to_f16(value, rounding, FloatOverflow::inf_nan), sign | code)
                << value << " rounding " << static_cast<int>(rounding);
            code = std::min(code, table.largest());
            ASSERT_EQ(cast_s32_to_f16(value, rounding, FloatOverflow::saturate), sign | code);
        }
    }
}

TEST(FormatsCast, HybridIsRejectedForEveryValue) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float value : {0.0f, 1.0f, 0.3f, -1e30f, nan}) {
        EXPECT_THROW(cast_f32_to_f16(value, Rounding::hybrid, FloatOverflow::saturate),
                     std::invalid_argument);
        EXPECT_THROW(cast_f32_to_bf16(value, Rounding::hybrid, FloatOverflow::inf_nan),
                     std::invalid_argument);
        EXPECT_THROW(cast_f32_to_s8(value, Rounding::hybrid, IntegerOverflow::saturate),
                     std::invalid_argument);
    }
    EXPECT_THROW(cast_s32_to_f32(0, Rounding::hybrid), std::invalid_argument);
    EXPECT_THROW(cast_s32_to_f16(1, Rounding::hybrid, FloatOverflow::saturate),
                 std::invalid_argument);
}

} // namespace
