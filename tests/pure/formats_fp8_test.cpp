// fp8: decoding by formula, encoding by search over the decoded values.
#include "hw/numerics/fp8.h"
#include "tests/pure/formats_support.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace aicore;
using namespace aicore::tb;

struct Fp8 {
    const Float8Values& (*values)();
    std::uint8_t (*encode)(float, FloatOverflow, SaturatedNan);
    int fraction_bits, bias;
    std::uint32_t largest;
    double next; ///< value after the largest if exponents went on
    bool has_infinity;
    std::uint8_t nan;
};
const Fp8 kE4m3{e4m3_values, f32_to_e4m3, 3, 7, 0x7E, 480.0, false, 0x7F};
const Fp8 kE5m2{e5m2_values, f32_to_e5m2, 2, 15, 0x7B, 65536.0, true, 0x7E};

double formula(const Fp8& format, std::uint32_t magnitude) {
    const int field = static_cast<int>(magnitude) >> format.fraction_bits;
    const double fraction =
        (magnitude % (1u << format.fraction_bits)) / static_cast<double>(1 << format.fraction_bits);
    return field == 0 ? std::ldexp(fraction, 1 - format.bias)
                      : std::ldexp(1.0 + fraction, field - format.bias);
}

ValueTable table_of(const Fp8& format) {
    std::vector<double> values;
    for (std::uint32_t code = 0; code <= format.largest; ++code) {
        values.push_back(formula(format, code));
    }
    values.push_back(format.next);
    return ValueTable(std::move(values));
}

void expect_decodes(const Fp8& format) {
    const Float8Values& values = format.values();
    for (std::uint32_t code = 0; code < 256; ++code) {
        const std::uint32_t magnitude = code & 0x7Fu;
        const float value = values[code];
        if (magnitude > format.largest) {
            if (format.has_infinity && magnitude == format.largest + 1) {
                ASSERT_TRUE(std::isinf(value)) << code;
                ASSERT_EQ(std::signbit(value), code >= 0x80) << code;
            } else {
                ASSERT_EQ(f32_to_bits(value), kCanonicalNanF32) << code;
            }
            continue;
        }
        ASSERT_EQ(std::fabs(value), formula(format, magnitude)) << code;
        ASSERT_EQ(std::signbit(value), code >= 0x80) << code;
        for (const FloatOverflow overflow : kBothOverflows) {
            ASSERT_EQ(format.encode(value, overflow, SaturatedNan::zero), code);
        }
    }
}

std::uint32_t expected_code(const Fp8& format, const ValueTable& table, float value,
                            FloatOverflow overflow, SaturatedNan nan) {
    const bool saturate = overflow == FloatOverflow::saturate;
    if (std::isnan(value)) return saturate && nan == SaturatedNan::zero ? 0u : format.nan;
    const std::uint32_t sign = std::signbit(value) ? 0x80u : 0u;
    const std::uint32_t code =
        std::isinf(value) ? format.largest + 1 : table.search(value, Rounding::nearest_even);
    if (code <= format.largest) return sign | code;
    if (saturate) return sign | format.largest;
    return format.has_infinity ? sign | code : format.nan;
}

void expect_encodes(const Fp8& format) {
    const ValueTable table = table_of(format);
    std::vector<float> values = all_16_bit_values();
    append_boundaries(table, values);
    std::mt19937 random(21);
    append_random(random, -127, 128, 200'000, values);
    append_random(random, -20, 18, 1'000'000, values);
    for (const FloatOverflow overflow : kBothOverflows) {
        for (const SaturatedNan nan : {SaturatedNan::zero, SaturatedNan::keep}) {
            for (const float value : values) {
                ASSERT_EQ(format.encode(value, overflow, nan),
                          expected_code(format, table, value, overflow, nan))
                    << std::hexfloat << value;
            }
        }
    }
}

TEST(FormatsFp8, E4m3DecodesEveryCode) { expect_decodes(kE4m3); }
TEST(FormatsFp8, E5m2DecodesEveryCode) { expect_decodes(kE5m2); }
TEST(FormatsFp8, E4m3EncodesToNearest) { expect_encodes(kE4m3); }
TEST(FormatsFp8, E5m2EncodesToNearest) { expect_encodes(kE5m2); }

TEST(FormatsFp8, EdgesOfTheRange) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto keep = FloatOverflow::inf_nan;
    const auto saturate = FloatOverflow::saturate;
    EXPECT_EQ(e4m3_values()[0x7E], 448.0f);
    EXPECT_EQ(e5m2_values()[0x7B], 57344.0f);
    EXPECT_EQ(e4m3_values()[0x01], 0x1p-9f);
    EXPECT_EQ(e5m2_values()[0x01], 0x1p-16f);
    // 464 is half-way to the value after the largest: to even, that is down.
    EXPECT_EQ(f32_to_e4m3(464.0f, keep, SaturatedNan::zero), 0x7E);
    EXPECT_EQ(f32_to_e4m3(-464.5f, keep, SaturatedNan::zero), 0x7F);
    EXPECT_EQ(f32_to_e4m3(-464.5f, saturate, SaturatedNan::zero), 0xFE);
    EXPECT_EQ(f32_to_e4m3(infinity, saturate, SaturatedNan::keep), 0x7E);
    EXPECT_EQ(f32_to_e5m2(-infinity, keep, SaturatedNan::zero), 0xFC);
    EXPECT_EQ(f32_to_e5m2(61440.0f, keep, SaturatedNan::zero), 0x7C);
}

TEST(FormatsFp8, DecodesRows) {
    std::vector<std::uint8_t> codes(300);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i * 7);
    std::vector<float> out(codes.size() + 1, -3.0f);
    decode_float8(e4m3_values(), codes.data(), static_cast<int>(codes.size()), out.data());
    for (std::size_t i = 0; i < codes.size(); ++i) {
        ASSERT_EQ(f32_to_bits(out[i]), f32_to_bits(e4m3_values()[codes[i]]));
    }
    EXPECT_EQ(out.back(), -3.0f);
}

} // namespace
