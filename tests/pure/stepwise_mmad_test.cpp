// The readings of how a step of the cube adds its products, against exact integers and plain loops.
#include "hw/numerics/exact_sum.h"
#include "hw/numerics/half.h"
#include "hw/numerics/operand_panel.h"
#include "hw/numerics/stepwise_mmad.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using namespace aicore;

__extension__ using Wide = __int128;

/// value x 2^-shift to float32, to nearest even, by integers; no denormal and no overflow here.
float round_wide(Wide value, int shift) {
    const bool negative = value < 0;
    Wide magnitude = negative ? -value : value;
    int dropped = 0;
    for (Wide rest = magnitude; rest >= (Wide{1} << 24); rest >>= 1) ++dropped;
    const Wide one = Wide{1} << dropped;
    Wide kept = magnitude / one;
    const Wide twice = 2 * (magnitude % one);
    if (twice > one || (twice == one && kept % 2 != 0)) ++kept;
    const auto result = static_cast<float>(std::ldexp(static_cast<double>(kept), dropped - shift));
    return negative ? -result : result;
}

/// value x 2^shift as an integer.
Wide to_wide(float value, int shift) {
    return static_cast<Wide>(std::ldexp(static_cast<double>(value), shift));
}

float sum_of(const std::vector<std::pair<float, float>>& products) {
    ExactSum sum;
    for (const auto& [a, b] : products) sum.add_product(a, b);
    return sum.round();
}

TEST(ExactSum, LosesNothing) {
    EXPECT_EQ(sum_of({{0x1p120f, 0x1p7f}, {1.0f, 1.0f}, {-0x1p120f, 0x1p7f}}), 1.0f);
    EXPECT_EQ(sum_of({{0x1p-149f, 0x1p-149f}, {1.0f, 1.0f}}), 1.0f);
    // One least product above a tie decides it.
    EXPECT_EQ(sum_of({{1.0f, 1.0f}, {0x1p-24f, 1.0f}}), 1.0f);
    EXPECT_EQ(sum_of({{1.0f, 1.0f}, {0x1p-24f, 1.0f}, {0x1p-149f, 0x1p-149f}}), 1.0f + 0x1p-23f);
    EXPECT_EQ(sum_of({{1.0f, 1.0f}, {0x1p-24f, 1.0f}, {-0x1p-149f, 0x1p-149f}}), 1.0f);
    EXPECT_EQ(sum_of({{-3.0f, 5.0f}, {7.0f, 2.0f}}), -1.0f);
}

TEST(ExactSum, EndsOfTheRange) {
    const float largest = std::numeric_limits<float>::max();
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(sum_of({{largest, 1.0f}, {0x1p102f, 1.0f}}), largest);
    EXPECT_EQ(sum_of({{largest, 1.0f}, {0x1p103f, 1.0f}}), infinity); // a tie to even
    EXPECT_EQ(sum_of({{largest, largest}, {-largest, largest}, {2.0f, 2.0f}}), 4.0f);
    EXPECT_EQ(sum_of({{-largest, largest}}), -infinity);
    EXPECT_EQ(sum_of({{0x1p-75f, 0x1p-75f}}), 0.0f); // half of the least denormal, to even
    EXPECT_EQ(sum_of({{0x1.8p-75f, 0x1p-75f}}), 0x1p-149f);
    EXPECT_EQ(sum_of({{0x1p-74f, 0x1p-75f}, {0x1p-75f, 0x1p-75f}}), 0x1p-148f); // 1.5, to even
    EXPECT_EQ(sum_of({{infinity, 2.0f}, {-1.0f, 1.0f}}), infinity);
    EXPECT_EQ(sum_of({{-infinity, 2.0f}}), -infinity);
    for (const float nan :
         {sum_of({{infinity, 0.0f}}), sum_of({{infinity, 1.0f}, {-1.0f, infinity}}),
          sum_of({{std::nanf(""), 1.0f}})}) {
        EXPECT_EQ(f32_to_bits(nan), kCanonicalNanF32);
    }
    const float zero = sum_of({{-1.0f, 1.0f}, {1.0f, 1.0f}});
    EXPECT_EQ(f32_to_bits(zero), 0u);
    EXPECT_EQ(f32_to_bits(sum_of({{-0.0f, 1.0f}})), 0u);
}

TEST(ExactSum, RandomSumsAgainstIntegers) {
    std::mt19937 random(11);
    std::uniform_int_distribution<int> exponent(-8, 8);
    const auto draw = [&] {
        const float fraction = std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
        return std::ldexp(fraction, exponent(random));
    };
    // A float32 of this kind is a multiple of 2^-40 (uniform draws have steps of 2^-32 at least).
    for (int round = 0; round < 20000; ++round) {
        ExactSum sum;
        Wide expected = 0;
        const int terms = 1 + round % 40;
        for (int i = 0; i < terms; ++i) {
            const float a = draw(), b = draw();
            sum.add_product(a, b);
            expected += to_wide(a, 40) * to_wide(b, 40);
        }
        ASSERT_EQ(to_wide(1.0f, 40), Wide{1} << 40);
        ASSERT_EQ(sum.round(), round_wide(expected, 80)) << round;
    }
}

/// One 16 x 16 block with K elements in whole fractals of float32 or float16.
template <class T>
struct Block {
    static constexpr DataType kType =
        std::is_same_v<T, float> ? DataType::float32 : DataType::float16;
    static constexpr int kC0 = c0_of(kType);

    Block(int k, unsigned seed) : fractals((k + kC0 - 1) / kC0) {
        std::mt19937 random(seed);
        const auto draw = [&] {
            const int exponent = static_cast<int>(random() % 9u) - 4;
            return static_cast<T>(static_cast<float>(
                std::ldexp(std::uniform_real_distribution<float>(-1.0f, 1.0f)(random), exponent)));
        };
        const auto count = static_cast<std::size_t>(fractals * kC0 * 16);
        for (std::size_t i = 0; i < count; ++i) a.push_back(draw()), b.push_back(draw());
        for (float& word : c) word = static_cast<float>(draw());
    }
    // A raw fractal has rows of kC0 elements.
    static std::size_t at(int row, int k) {
        return static_cast<std::size_t>(k / kC0 * kC0 * 16 + row * kC0 + k % kC0);
    }
    float a_at(int m, int k) const { return static_cast<float>(a[at(m, k)]); }
    float b_at(int k, int n) const { return static_cast<float>(b[at(n, k)]); }

    std::vector<float> computed(Summation summation, int step, int k_valid, int rows) const {
        struct Line {
            alignas(kPanelAlignment) std::uint8_t bytes[kPanelAlignment];
        };
        std::vector<Line> panel_a(decoded_panel_bytes(kType, fractals) / sizeof(Line));
        std::vector<Line> panel_b(panel_a.size());
        decode_a(kType, reinterpret_cast<const std::uint8_t*>(a.data()), fractals, panel_a.data());
        decode_b(kType, reinterpret_cast<const std::uint8_t*>(b.data()), fractals, panel_b.data());
        std::vector<float> result(c, c + 256);
        multiply_accumulate_stepwise(summation, kType, panel_a.data(), panel_b.data(), step,
                                     k_valid, rows, result.data());
        return result;
    }

    int fractals;
    std::vector<T> a, b;
    float c[256] = {};
};

/// Sum of products [first, last) in a tree whose leaves are `width` places, a power of two.
template <class T>
float tree_sum(const Block<T>& block, int m, int n, int first, int last, int width) {
    if (first >= last) return 0.0f;
    if (width == 1) return block.a_at(m, first) * block.b_at(first, n);
    const int half = width / 2;
    return tree_sum(block, m, n, first, std::min(last, first + half), half) +
           tree_sum(block, m, n, first + half, last, half);
}

template <class T>
void expect_every_reading() {
    unsigned seed = 1;
    for (const int step : {1, 4, 8, 16}) {
        for (const int k : {1, 3, 8, 16, 17, 33, 64}) {
            const Block<T> block(k, ++seed);
            const int rows = k % 16 == 1 ? 16 : 5;
            const auto pairwise = block.computed(Summation::pairwise, step, k, rows);
            const auto exact = block.computed(Summation::exact, step, k, rows);
            const auto then_add = block.computed(Summation::exact_then_add, step, k, rows);
            for (int m = 0; m < 16; ++m) {
                for (int n = 0; n < 16; ++n) {
                    const auto at = static_cast<std::size_t>(m * 16 + n);
                    float tree = block.c[at], once = tree, twice = tree;
                    for (int k0 = 0; m < rows && k0 < k; k0 += step) {
                        const int last = std::min(k, k0 + step);
                        tree += tree_sum(block, m, n, k0, last, step);
                        Wide products = 0;
                        for (int i = k0; i < last; ++i) {
                            products +=
                                to_wide(block.a_at(m, i), 40) * to_wide(block.b_at(i, n), 40);
                        }
                        twice += round_wide(products, 80);
                        once = round_wide(products + to_wide(once, 80), 80);
                    }
                    ASSERT_EQ(pairwise[at], tree) << "step " << step << " k " << k;
                    ASSERT_EQ(exact[at], once) << "step " << step << " k " << k;
                    ASSERT_EQ(then_add[at], twice) << "step " << step << " k " << k;
                }
            }
        }
    }
}

TEST(StepwiseMmad, EveryReadingOfFloat16) { expect_every_reading<Eigen::half>(); }
TEST(StepwiseMmad, EveryReadingOfFloat32) { expect_every_reading<float>(); }

TEST(StepwiseMmad, ReadingsDiffer) {
    Block<float> block(4, 1);
    std::fill(block.a.begin(), block.a.end(), 1.0f);
    std::fill(block.b.begin(), block.b.end(), 0.0f);
    // A column of B: 2^24, 1, 1, 1, and the accumulator 0.
    for (int k = 0; k < 4; ++k) block.b[block.at(0, k)] = k == 0 ? 0x1p24f : 1.0f;
    block.c[0] = 0.0f;
    EXPECT_EQ(block.computed(Summation::pairwise, 4, 4, 1)[0], 0x1p24f + 2.0f);
    EXPECT_EQ(block.computed(Summation::exact, 4, 4, 1)[0], 0x1p24f + 4.0f);
    EXPECT_EQ(block.computed(Summation::exact, 1, 4, 1)[0], 0x1p24f);
    block.c[0] = -0x1p24f;
    EXPECT_EQ(block.computed(Summation::exact, 4, 4, 1)[0], 3.0f);
    EXPECT_EQ(block.computed(Summation::exact_then_add, 4, 4, 1)[0], 4.0f);
}

TEST(StepwiseMmad, RefusesWhatItIsNotFor) {
    float c[256] = {};
    EXPECT_THROW(multiply_accumulate_stepwise(Summation::exact, DataType::int8, c, c, 16, 1, 1, c),
                 std::invalid_argument);
    EXPECT_THROW(
        multiply_accumulate_stepwise(Summation::sequential, DataType::float32, c, c, 4, 1, 1, c),
        std::invalid_argument);
    EXPECT_THROW(
        multiply_accumulate_stepwise(Summation::pairwise, DataType::float32, c, c, 0, 1, 1, c),
        std::invalid_argument);
}

} // namespace
