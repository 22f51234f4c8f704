// Arithmetic of one output block with 4-bit and 8-bit operands and a sparse B, against plain loops
// over values decoded here, on every instruction set of the machine.
#include "hw/numerics/block_mmad.h"
#include "hw/numerics/simd_target.h"
#include "tb/workload/reference_operand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace aicore;

struct Line { // storage with the alignment of a panel
    alignas(kPanelAlignment) std::uint8_t bytes[kPanelAlignment];
};
using Bytes8 = std::vector<std::uint8_t>;

/// Value of element (row, k) of raw fractals.
template <class T>
tb::SumOf<T> value_at(const Bytes8& raw, DataType type, int row, int k) {
    const int c0 = c0_of(type);
    return tb::operand<T>(raw, k / c0 * c0 * 16 + row * c0 + k % c0, 0);
}

Bytes8 random_fractals(int fractals, std::mt19937& random, int mask) {
    Bytes8 bytes(static_cast<std::size_t>(fractals * kFractalBytes));
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(random() & static_cast<unsigned>(mask));
    return bytes;
}

class BlockTypes : public ::testing::Test {
protected:
    ~BlockTypes() override { use_simd_target(""); }

    /// Every K tail of two fractals, with all codes that `mask` allows; the tail holds garbage.
    template <class A, class B>
    static void expect_products(DataType a_type, DataType b_type, int mask) {
        using Sum = tb::SumOf<A>;
        std::mt19937 random(7);
        for (int k = 1; k <= 2 * c0_of(a_type); k += k < 8 ? 1 : 5) {
            const int fractals = (k + c0_of(a_type) - 1) / c0_of(a_type);
            const Bytes8 raw_a = random_fractals(fractals, random, mask);
            const Bytes8 raw_b = random_fractals(fractals, random, mask);
            const int rows = 1 + k % 16;
            std::vector<Sum> start(256), expected;
            for (auto& word : start) word = static_cast<Sum>(random() % 1000u);
            expected = start;
            for (int m = 0; m < rows; ++m) {
                for (int n = 0; n < 16; ++n) {
                    Sum& sum = expected[static_cast<std::size_t>(m * 16 + n)];
                    for (int i = 0; i < k; ++i) {
                        const Sum product =
                            value_at<A>(raw_a, a_type, m, i) * value_at<B>(raw_b, b_type, n, i);
                        sum += product;
                    }
                }
            }
            for (const std::string& target : simd_targets()) {
                use_simd_target(target);
                std::vector<Line> panel_a(decoded_panel_bytes(a_type, fractals) / sizeof(Line));
                std::vector<Line> panel_b(panel_a.size());
                decode_a(a_type, raw_a.data(), fractals, panel_a.data());
                decode_b(b_type, raw_b.data(), fractals, panel_b.data());
                std::vector<Sum> sums = start;
                multiply_accumulate(a_type, panel_a.data(), panel_b.data(), k, rows, sums.data());
                ASSERT_EQ(sums, expected) << target << ", k " << k;
            }
        }
    }
};

TEST_F(BlockTypes, Int4) {
    expect_products<tb::Int4, tb::Int4>(DataType::int4, DataType::int4, 0xFF);
}

// Without infinities and NaN, which are not equal to themselves: exponent bits are masked.
TEST_F(BlockTypes, Fp8InEveryPair) {
    expect_products<tb::E4m3, tb::E4m3>(DataType::fp8_e4m3, DataType::fp8_e4m3, 0xF7);
    expect_products<tb::E5m2, tb::E5m2>(DataType::fp8_e5m2, DataType::fp8_e5m2, 0xBF);
    expect_products<tb::E4m3, tb::E5m2>(DataType::fp8_e4m3, DataType::fp8_e5m2, 0xB7);
    expect_products<tb::E5m2, tb::E4m3>(DataType::fp8_e5m2, DataType::fp8_e4m3, 0xB7);
}

TEST_F(BlockTypes, Hifloat8) {
    expect_products<tb::Hif8, tb::Hif8>(DataType::hifloat8, DataType::hifloat8, 0x6D);
    expect_products<tb::Hif8, tb::Hif8>(DataType::hifloat8, DataType::hifloat8, 0x37);
}

// The reference decodes 8-bit floats by formula, the model by the tables of its formats.
TEST_F(BlockTypes, EveryCodeOfTheEightBitFloats) {
    for (const DataType type : {DataType::fp8_e4m3, DataType::fp8_e5m2, DataType::hifloat8}) {
        Bytes8 codes(kFractalBytes);
        for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i);
        std::vector<Line> panel(decoded_panel_bytes(type, 1) / sizeof(Line));
        decode_a(type, codes.data(), 1, panel.data());
        const auto* const values = reinterpret_cast<const float*>(panel.data());
        for (int code = 0; code < 256; ++code) {
            const float expected = type == DataType::fp8_e4m3   ? tb::e4m3_value(code)
                                   : type == DataType::fp8_e5m2 ? tb::e5m2_value(code)
                                                                : tb::hif8_value(code);
            if (std::isnan(expected)) {
                EXPECT_TRUE(std::isnan(values[code])) << to_string(type) << " " << code;
            } else {
                EXPECT_EQ(values[code], expected) << to_string(type) << " " << code;
                EXPECT_EQ(std::signbit(values[code]), std::signbit(expected)) << code;
            }
        }
    }
}

TEST_F(BlockTypes, VectorOfInt4AndOfFp8) {
    Bytes8 vector(64);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<std::uint8_t>(i * 3);
    std::vector<Line> panel(decoded_panel_bytes(DataType::int4, 2) / sizeof(Line));
    decode_a_vector(DataType::int4, vector.data(), 2, panel.data());
    const auto* const halves = reinterpret_cast<const std::int16_t*>(panel.data());
    for (int k = 0; k < 128; ++k) {
        const int word = k / 64 * 16 * 32 + k % 64 / 2; // row 0 of each fractal
        EXPECT_EQ(halves[2 * word + k % 2],
                  static_cast<std::int32_t>(tb::operand<tb::Int4>(vector, k, 0)));
    }
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<std::uint8_t>(i);
    decode_a_vector(DataType::fp8_e5m2, vector.data(), 2, panel.data());
    const auto* const words = reinterpret_cast<const float*>(panel.data());
    for (int k = 0; k < 32; ++k) {
        EXPECT_EQ(words[k], tb::operand<tb::E5m2>(vector, k, 0));
        EXPECT_EQ(words[16 * 32 + k], tb::operand<tb::E5m2>(vector, 32 + k, 0));
    }
}

// The vendor's table of index pairs, and what random pairs select, of A with two stored elements.
TEST_F(BlockTypes, SparseB) {
    std::mt19937 random(3);
    constexpr int kFractals = 2; // 128 elements of A
    Bytes8 raw_a = random_fractals(2 * kFractals, random, 0xFF);
    Bytes8 raw_b = random_fractals(kFractals, random, 0xFF);
    Bytes8 indices(static_cast<std::size_t>(kFractals * kSparseIndexBytes));
    for (auto& byte : indices) byte = static_cast<std::uint8_t>(random());
    for (const int k : {128, 127, 65, 64, 30, 3}) {
        std::vector<std::int32_t> expected(256), sums(256);
        for (int m = 0; m < 16; ++m) {
            for (int n = 0; n < 16; ++n) {
                for (int j = 0; j < kFractals * 32; ++j) { // stored elements along K
                    const int element = j / 32 * 512 + n * 32 + j % 32;
                    const int index =
                        indices[static_cast<std::size_t>(element / 4)] >> (element % 4 * 2) & 3;
                    const int selected = j / 2 * 4 + index + j % 2;
                    if (index == 3 || selected >= k) continue;
                    expected[static_cast<std::size_t>(m * 16 + n)] +=
                        static_cast<std::int8_t>(raw_b[static_cast<std::size_t>(element)]) *
                        static_cast<std::int32_t>(
                            value_at<std::int8_t>(raw_a, DataType::int8, m, selected));
                }
            }
        }
        std::vector<Line> panel_a(decoded_panel_bytes(DataType::int8, 2 * kFractals) / 64);
        std::vector<Line> panel_b(panel_a.size());
        decode_a(DataType::int8, raw_a.data(), 2 * kFractals, panel_a.data());
        decode_b_sparse(raw_b.data(), indices.data(), kFractals, panel_b.data());
        for (const std::string& target : simd_targets()) {
            use_simd_target(target);
            std::fill(sums.begin(), sums.end(), 0);
            multiply_accumulate(DataType::int8, panel_a.data(), panel_b.data(), k, 16, sums.data());
            ASSERT_EQ(sums, expected) << target << ", k " << k;
        }
    }
}

} // namespace
