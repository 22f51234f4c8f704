// Conversions: scalar against Eigen's, vectorised against scalar on every instruction set.
#include "hw/numerics/convert.h"
#include "hw/numerics/fractal.h"
#include "hw/numerics/simd_target.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace aicore;

std::uint32_t draw_bits(std::mt19937& random) { return static_cast<std::uint32_t>(random()); }

constexpr FloatOverflow kBoth[] = {FloatOverflow::inf_nan, FloatOverflow::saturate};

std::uint16_t eigen_f16(float value) { return Eigen::half(value).x; }
std::uint16_t eigen_bf16(float value) { return Eigen::bfloat16(value).value; }

struct Format {
    std::uint16_t (*convert)(float, FloatOverflow);
    std::uint16_t (*reference)(float);
    float (*widen)(std::uint16_t);
    std::uint16_t infinity, nan;
};
const Format kF16{f32_to_f16, eigen_f16, f16_to_f32, 0x7C00, 0x7E00};
const Format kBf16{f32_to_bf16, eigen_bf16, bf16_to_f32, 0x7F80, 0x7FC0};

void expect_rounds(const Format& format, float value) {
    const std::uint16_t keep = format.convert(value, FloatOverflow::inf_nan);
    const std::uint16_t saturated = format.convert(value, FloatOverflow::saturate);
    if (std::isnan(value)) {
        ASSERT_EQ(keep, format.nan);
        ASSERT_EQ(saturated, 0);
        return;
    }
    const std::uint16_t reference = format.reference(value);
    ASSERT_EQ(keep, reference) << std::hexfloat << value;
    const bool overflows = (reference & 0x7FFF) == format.infinity;
    ASSERT_EQ(saturated, overflows ? reference - 1 : reference) << std::hexfloat << value;
}

// Every value of the format, every half-way point, and one float32 to each side of both.
void expect_all_boundaries(const Format& format) {
    for (std::uint32_t low = 0; low < format.infinity; ++low) {
        const float below = format.widen(static_cast<std::uint16_t>(low));
        const float above = low + 1u == format.infinity
                                ? std::ldexp(1.0f, 16)
                                : format.widen(static_cast<std::uint16_t>(low + 1));
        // Of bfloat16 the half-way point is a bit pattern: it exists below infinity too.
        const float middle = format.infinity == 0x7F80 ? f32_from_bits((low << 16) | 0x8000u)
                                                       : below + (above - below) / 2.0f;
        for (const float centre : {below, middle}) {
            const std::uint32_t bits = f32_to_bits(centre);
            for (const std::uint32_t near : {bits == 0 ? bits : bits - 1u, bits, bits + 1u}) {
                expect_rounds(format, f32_from_bits(near));
                expect_rounds(format, f32_from_bits(near | 0x80000000u));
            }
        }
    }
}

TEST(Half, WidensEveryValue) {
    for (std::uint32_t i = 0; i < 0x10000u; ++i) {
        const auto bits = static_cast<std::uint16_t>(i);
        const float half = f16_to_f32(bits), brain = bf16_to_f32(bits);
        const Eigen::half reference = Eigen::numext::bit_cast<Eigen::half>(bits);
        if (std::isnan(static_cast<float>(reference))) {
            ASSERT_TRUE(std::isnan(half)) << i;
        } else {
            ASSERT_EQ(f32_to_bits(half), f32_to_bits(static_cast<float>(reference))) << i;
        }
        ASSERT_EQ(f32_to_bits(brain), i << 16);
    }
}

TEST(Half, RoundsAtEveryBoundary) {
    expect_all_boundaries(kF16);
    expect_all_boundaries(kBf16);
}

TEST(Half, RoundsRandomBits) {
    std::mt19937 random(7);
    for (int i = 0; i < 4'000'000; ++i) {
        const float value = f32_from_bits(draw_bits(random));
        expect_rounds(kF16, value);
        expect_rounds(kBf16, value);
        // Most patterns lie outside the range of float16: exponents 2^-26 .. 2^17 too.
        const std::uint32_t exponent = 101u + draw_bits(random) % 44u;
        expect_rounds(kF16, f32_from_bits((f32_to_bits(value) & 0x807FFFFFu) | exponent << 23));
    }
}

class Convert : public ::testing::Test {
protected:
    ~Convert() override { use_simd_target(""); }

    static std::vector<float> patterns() {
        std::vector<float> values;
        std::mt19937 random(3);
        for (std::uint32_t i = 0; i < 0x10000u; ++i) {
            for (const std::uint32_t tail : {0u, 1u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
                values.push_back(f32_from_bits(i << 16 | tail));
            }
            values.push_back(
                f32_from_bits((i << 13) + 0x37000000u + (draw_bits(random) & 0x1FFFu)));
            values.push_back(f32_from_bits((i << 12) + 0x37FFFFFFu + draw_bits(random) % 3u));
        }
        for (int i = 0; i < 1'000'000; ++i) values.push_back(f32_from_bits(draw_bits(random)));
        values.push_back(1.0f); // an odd count, so that there is a tail
        return values;
    }
};

TEST_F(Convert, CastsEqualScalarOnEveryTarget) {
    const std::vector<float> values = patterns();
    const int count = static_cast<int>(values.size());
    std::vector<std::uint16_t> half(values.size()), brain(values.size());
    for (const FloatOverflow overflow : kBoth) {
        for (const std::string& target : simd_targets()) {
            use_simd_target(target);
            convert_f32_to_f16(values.data(), count, overflow, half.data());
            convert_f32_to_bf16(values.data(), count, overflow, brain.data());
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_EQ(half[i], f32_to_f16(values[i], overflow))
                    << target << " " << std::hexfloat << values[i];
                ASSERT_EQ(brain[i], f32_to_bf16(values[i], overflow))
                    << target << " " << std::hexfloat << values[i];
            }
        }
    }
}

TEST_F(Convert, FinishAndReluOnEveryTarget) {
    const std::vector<float> values = patterns();
    const int count = static_cast<int>(values.size());
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        std::vector<float> kept = values, saturated = values, clipped = values;
        std::vector<std::int32_t> integers;
        for (const float value : values) {
            integers.push_back(static_cast<std::int32_t>(f32_to_bits(value)));
        }
        finish_block(kept.data(), count, FloatOverflow::inf_nan);
        finish_block(saturated.data(), count, FloatOverflow::saturate);
        relu_f32(clipped.data(), count);
        relu_s32(integers.data(), count);
        constexpr float kMax = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float value = values[i];
            const std::uint32_t bits = f32_to_bits(value);
            const bool nan = std::isnan(value), inf = std::isinf(value);
            const float limit = inf ? std::copysign(kMax, value) : value;
            ASSERT_EQ(f32_to_bits(kept[i]), nan ? kCanonicalNanF32 : bits) << target;
            ASSERT_EQ(f32_to_bits(saturated[i]), nan ? 0u : f32_to_bits(limit)) << target;
            ASSERT_EQ(f32_to_bits(clipped[i]), nan || value > 0.0f ? bits : 0u) << target;
            ASSERT_EQ(static_cast<std::uint32_t>(integers[i]), bits < 0x80000000u ? bits : 0u);
        }
    }
}

TEST_F(Convert, ShortRowsStayInside) {
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        for (int count = 0; count <= 40; ++count) {
            std::vector<float> words(48, -1.0f);
            std::vector<std::uint16_t> half(48, 0xAAAA), brain(48, 0xAAAA);
            convert_f32_to_f16(words.data(), count, FloatOverflow::inf_nan, half.data());
            convert_f32_to_bf16(words.data(), count, FloatOverflow::inf_nan, brain.data());
            relu_f32(words.data(), count);
            for (int i = 0; i < 48; ++i) {
                const auto at = static_cast<std::size_t>(i);
                ASSERT_EQ(half[at], i < count ? 0xBC00 : 0xAAAA) << target << " " << count;
                ASSERT_EQ(brain[at], i < count ? 0xBF80 : 0xAAAA) << target << " " << count;
                ASSERT_EQ(words[at], i < count ? 0.0f : -1.0f) << target << " " << count;
            }
        }
    }
}

TEST_F(Convert, TransposesAFractalOnEveryTarget) {
    std::vector<std::uint16_t> in(256), out(256);
    std::mt19937 random(9);
    for (auto& element : in) element = static_cast<std::uint16_t>(random());
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        transpose_fractal_b16(reinterpret_cast<const std::uint8_t*>(in.data()),
                              reinterpret_cast<std::uint8_t*>(out.data()));
        for (std::size_t r = 0; r < 16; ++r) {
            for (std::size_t c = 0; c < 16; ++c) ASSERT_EQ(out[c * 16 + r], in[r * 16 + c]);
        }
    }
}

} // namespace
