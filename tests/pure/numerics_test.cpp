// Arithmetic of one output block against plain element loops, on every instruction set of the
// machine.
#include "hw/numerics/block_mmad.h"
#include "hw/numerics/convert.h"
#include "hw/numerics/simd_target.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using namespace aicore;

struct Line { // storage with the alignment of a panel
    alignas(kPanelAlignment) std::uint8_t bytes[kPanelAlignment];
};

template <class T>
struct TypeOf;
template <>
struct TypeOf<Eigen::half> {
    static constexpr DataType value = DataType::float16;
};
template <>
struct TypeOf<Eigen::bfloat16> {
    static constexpr DataType value = DataType::bfloat16;
};
template <>
struct TypeOf<float> {
    static constexpr DataType value = DataType::float32;
};
template <>
struct TypeOf<std::int8_t> {
    static constexpr DataType value = DataType::int8;
};

std::uint32_t draw_bits(std::mt19937& random) { return static_cast<std::uint32_t>(random()); }

template <class T>
T from_bits(std::uint32_t bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}

/// A problem of one block: 16 x K and K x 16 elements, K rounded up to whole fractals.
template <class T>
struct Problem {
    using Word = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t, float>;
    static constexpr DataType kType = TypeOf<T>::value;
    static constexpr int kC0 = c0_of(kType);

    explicit Problem(int k) : k_valid(k), fractals((k + kC0 - 1) / kC0), k_all(fractals * kC0) {
        a.resize(static_cast<std::size_t>(16 * k_all));
        b.resize(a.size());
    }

    T& a_at(int m, int k) { return a[static_cast<std::size_t>(m * k_all + k)]; }
    T& b_at(int k, int n) { return b[static_cast<std::size_t>(k * 16 + n)]; }
    Word& c_at(int m, int n) { return c[m * 16 + n]; }

    /// Random elements; `draw(random)` makes one. Beyond k_valid stands `garbage`.
    template <class Draw>
    void fill(unsigned seed, Draw draw, T garbage) {
        std::mt19937 random(seed);
        for (int k = 0; k < k_all; ++k) {
            for (int i = 0; i < 16; ++i) {
                a_at(i, k) = k < k_valid ? draw(random) : garbage;
                b_at(k, i) = k < k_valid ? draw(random) : garbage;
            }
        }
    }

    std::vector<std::uint8_t> raw(bool is_a) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(fractals * kFractalBytes));
        for (int row = 0; row < 16; ++row) {
            for (int k = 0; k < k_all; ++k) {
                const int at = k / kC0 * kFractalBytes + row * kBlockBytes +
                               k % kC0 * static_cast<int>(sizeof(T));
                const T element = is_a ? a_at(row, k) : b_at(k, row);
                std::memcpy(&bytes[static_cast<std::size_t>(at)], &element, sizeof element);
            }
        }
        return bytes;
    }

    /// C after the block, by the definition.
    std::vector<Word> expected(int rows) {
        std::vector<Word> result(c, c + 256);
        for (int m = 0; m < rows; ++m) {
            for (int n = 0; n < 16; ++n) {
                Word& sum = result[static_cast<std::size_t>(m * 16 + n)];
                for (int k = 0; k < k_valid; ++k) {
                    if constexpr (std::is_same_v<T, std::int8_t>) {
                        const std::int64_t exact = std::int64_t{sum} + a_at(m, k) * b_at(k, n);
                        sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(exact));
                    } else {
                        const float product =
                            static_cast<float>(a_at(m, k)) * static_cast<float>(b_at(k, n));
                        sum = sum + product;
                    }
                }
            }
        }
        return result;
    }

    std::vector<Word> computed(int rows) {
        const std::size_t lines = decoded_panel_bytes(kType, fractals) / sizeof(Line);
        std::vector<Line> panel_a(lines), panel_b(lines);
        decode_a(kType, raw(true).data(), fractals, panel_a.data());
        decode_b(kType, raw(false).data(), fractals, panel_b.data());
        std::vector<Word> result(c, c + 256);
        multiply_accumulate(kType, panel_a.data(), panel_b.data(), k_valid, rows, result.data());
        return result;
    }

    int k_valid, fractals, k_all;
    std::vector<T> a, b;
    Word c[256] = {};
};

std::vector<std::uint32_t> bits_of(std::vector<float> words) {
    finish_block(words.data(), static_cast<int>(words.size()), FloatOverflow::inf_nan);
    std::vector<std::uint32_t> bits(words.size());
    std::memcpy(bits.data(), words.data(), words.size() * 4);
    return bits;
}
std::vector<std::uint32_t> bits_of(const std::vector<std::int32_t>& words) {
    return {words.begin(), words.end()};
}

class BlockMmad : public ::testing::Test {
protected:
    ~BlockMmad() override { use_simd_target(""); }

    template <class T>
    static void expect_same_on_every_target(Problem<T>& problem, int rows) {
        const std::vector<std::uint32_t> expected = bits_of(problem.expected(rows));
        for (const std::string& target : simd_targets()) {
            use_simd_target(target);
            ASSERT_EQ(bits_of(problem.computed(rows)), expected)
                << target << ", k " << problem.k_valid << ", rows " << rows;
        }
    }

    /// Every K tail of the first two fractals and some more, every count of rows.
    template <class T, class Draw>
    static void expect_all_shapes(Draw draw, T garbage) {
        unsigned seed = 1;
        for (const int k : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
            Problem<T> problem(k);
            problem.fill(++seed, draw, garbage);
            std::mt19937 random(seed);
            for (auto& word : problem.c) {
                if constexpr (std::is_same_v<T, std::int8_t>) {
                    word = static_cast<std::int32_t>(random());
                } else {
                    word = static_cast<float>(draw(random));
                }
            }
            for (int rows = 1; rows <= 16; ++rows) expect_same_on_every_target(problem, rows);
        }
    }
};

TEST_F(BlockMmad, Float16OfAnyFiniteBits) {
    const auto draw = [](std::mt19937& random) {
        const auto bits = static_cast<std::uint16_t>(random());
        return from_bits<Eigen::half>((bits & 0x7C00u) == 0x7C00u ? bits & 0x83FFu : bits);
    };
    expect_all_shapes<Eigen::half>(draw, from_bits<Eigen::half>(0xFE01u));
}

TEST_F(BlockMmad, Float16OfSimilarSize) {
    const auto draw = [](std::mt19937& random) {
        return Eigen::half(std::uniform_real_distribution<float>(-2.0f, 2.0f)(random));
    };
    expect_all_shapes<Eigen::half>(draw, from_bits<Eigen::half>(0x7D55u));
}

// Exponents near the ends: products overflow, underflow and are denormal, where fusing would show.
TEST_F(BlockMmad, Bfloat16OfExtremeExponents) {
    const auto draw = [](std::mt19937& random) {
        const std::uint32_t exponent = draw_bits(random) % 24u + (random() % 4 == 0 ? 180u : 50u);
        return from_bits<Eigen::bfloat16>((draw_bits(random) & 0x807Fu) | exponent << 7);
    };
    expect_all_shapes<Eigen::bfloat16>(draw, from_bits<Eigen::bfloat16>(0x7FC1u));
}

TEST_F(BlockMmad, Float32) {
    const auto draw = [](std::mt19937& random) {
        return std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
    };
    expect_all_shapes<float>(draw, std::numeric_limits<float>::quiet_NaN());
}

TEST_F(BlockMmad, Float32OfAnyBits) {
    const auto draw = [](std::mt19937& random) { return from_bits<float>(draw_bits(random)); };
    expect_all_shapes<float>(draw, std::numeric_limits<float>::infinity());
}

TEST_F(BlockMmad, Int8Wraps) {
    const auto draw = [](std::mt19937& random) {
        const std::uint32_t bits = draw_bits(random);
        return static_cast<std::int8_t>((bits & 0x300u) == 0 ? 0x80u : bits & 0xFFu);
    };
    expect_all_shapes<std::int8_t>(draw, std::int8_t{-128});
    Problem<std::int8_t> problem(4096);
    problem.fill(
        1, [](std::mt19937&) { return std::int8_t{-128}; }, 0);
    problem.c[0] = std::numeric_limits<std::int32_t>::max();
    expect_same_on_every_target(problem, 16);
}

// 2^64 * 2^64 overflows before the largest negative value is added; fused, the sum is 2^104.
TEST_F(BlockMmad, RoundsAProductBeforeAddingIt) {
    Problem<Eigen::bfloat16> problem(1);
    problem.a_at(0, 0) = problem.b_at(0, 0) = Eigen::bfloat16(0x1p64f);
    problem.c_at(0, 0) = std::numeric_limits<float>::lowest();
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        EXPECT_EQ(problem.computed(1)[0], std::numeric_limits<float>::infinity()) << target;
    }
}

TEST_F(BlockMmad, OrderIsIncreasingK) {
    Problem<float> problem(3);
    for (int k = 0; k < 3; ++k) problem.b_at(k, 0) = 1.0f;
    problem.a_at(0, 0) = 1.0f;
    problem.a_at(0, 1) = 0x1p30f;
    problem.a_at(0, 2) = -0x1p30f;
    problem.a_at(1, 0) = 0x1p30f;
    problem.a_at(1, 1) = -0x1p30f;
    problem.a_at(1, 2) = 1.0f;
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        EXPECT_EQ(problem.computed(2)[0], 0.0f) << target;
        EXPECT_EQ(problem.computed(2)[16], 1.0f) << target;
    }
}

TEST_F(BlockMmad, KeepsSignsOfZeroAndMakesOneNan) {
    Problem<Eigen::half> problem(2);
    problem.fill(
        1, [](std::mt19937&) { return Eigen::half(0.0f); }, Eigen::half(0.0f));
    for (auto& word : problem.c) word = -0.0f;
    problem.a_at(0, 0) = problem.a_at(0, 1) = from_bits<Eigen::half>(0x8000u); // -0 + (-0 * 0)
    problem.a_at(2, 1) = from_bits<Eigen::half>(0x7C00u);                      // inf * 0
    problem.a_at(3, 0) = from_bits<Eigen::half>(0xFC00u);
    problem.b_at(0, 1) = Eigen::half(1.0f); // -inf * 1
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        std::vector<float> words = problem.computed(16);
        std::vector<std::uint32_t> bits = bits_of(words);
        EXPECT_EQ(bits[0], 0x80000000u) << target;
        EXPECT_EQ(bits[16], 0u) << target;
        EXPECT_EQ(bits[2 * 16], kCanonicalNanF32) << target;
        EXPECT_EQ(bits[3 * 16 + 1], 0xFF800000u) << target;
        finish_block(words.data(), 256, FloatOverflow::saturate);
        EXPECT_EQ(words[2 * 16], 0.0f) << target;
        EXPECT_EQ(words[3 * 16 + 1], std::numeric_limits<float>::lowest()) << target;
    }
}

TEST_F(BlockMmad, NoElementOfKLeavesC) {
    Problem<float> problem(1);
    problem.fill(
        1, [](std::mt19937&) { return std::numeric_limits<float>::infinity(); }, 0.0f);
    for (int i = 0; i < 256; ++i) problem.c[i] = static_cast<float>(i);
    problem.k_valid = 0;
    expect_same_on_every_target(problem, 16);
}

template <class T>
void expect_vector_form(T garbage) {
    Problem<T> problem(75);
    problem.fill(
        5, [](std::mt19937& random) { return static_cast<T>(static_cast<int>(random() % 9) - 4); },
        garbage);
    std::vector<T> vector;
    for (int k = 0; k < problem.k_all; ++k) vector.push_back(problem.a_at(0, k));
    const std::size_t lines = decoded_panel_bytes(problem.kType, problem.fractals) / sizeof(Line);
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        std::vector<Line> panel_a(lines), panel_b(lines);
        decode_a_vector(problem.kType, reinterpret_cast<const std::uint8_t*>(vector.data()),
                        problem.fractals, panel_a.data());
        decode_b(problem.kType, problem.raw(false).data(), problem.fractals, panel_b.data());
        auto result = problem.expected(0);
        multiply_accumulate(problem.kType, panel_a.data(), panel_b.data(), 75, 1, result.data());
        EXPECT_EQ(bits_of(result), bits_of(problem.expected(1))) << target;
    }
}

TEST_F(BlockMmad, VectorTimesMatrix) {
    expect_vector_form<Eigen::half>(from_bits<Eigen::half>(0x7E01u));
    expect_vector_form<Eigen::bfloat16>(from_bits<Eigen::bfloat16>(0x7FC1u));
    expect_vector_form<float>(std::numeric_limits<float>::quiet_NaN());
    expect_vector_form<std::int8_t>(std::int8_t{127});
}

TEST_F(BlockMmad, RefusesATypeThatIsNoOperand) {
    std::vector<Line> panel(16);
    float c[256] = {};
    EXPECT_THROW(decode_a(DataType::int32, panel[0].bytes, 1, panel.data()), std::invalid_argument);
    EXPECT_THROW(multiply_accumulate(DataType::int32, panel.data(), panel.data(), 1, 1, c),
                 std::invalid_argument);
}

TEST(SimdTarget, ListsForcesAndRefuses) {
    const std::vector<std::string> targets = simd_targets();
    ASSERT_FALSE(targets.empty());
    use_simd_target(targets.back());
    EXPECT_EQ(simd_targets(), targets);
    EXPECT_THROW(use_simd_target("abacus"), std::invalid_argument);
    use_simd_target("");
}

} // namespace
