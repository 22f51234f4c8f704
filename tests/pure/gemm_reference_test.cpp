#include "tb/workload/gemm_reference.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

namespace aicore::tb {
namespace {

template <typename T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <typename T>
std::vector<T> values_of(const std::vector<std::uint8_t>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

ReferenceGemm gemm_of(std::int64_t m, std::int64_t n, std::int64_t k, DataType dtype) {
    ReferenceGemm gemm;
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    gemm.dtype = dtype;
    gemm.out_dtype = dtype == DataType::int8 ? DataType::int32 : DataType::float32;
    return gemm;
}

TEST(GemmReference, SmallProductByHand) {
    const auto a = bytes_of<float>({1, 2, 3, 4, 5, 6});
    const auto b = bytes_of<float>({1, 0, -1, 2, 0.5F, 1});
    const auto c = reference_gemm(gemm_of(2, 2, 3, DataType::float32), a, b);
    EXPECT_EQ(values_of<float>(c), (std::vector<float>{0.5F, 7, 2, 16}));
    ReferenceGemm transposed = gemm_of(2, 2, 3, DataType::float32);
    transposed.b_transposed = true;
    const auto bt = bytes_of<float>({1, -1, 0.5F, 0, 2, 1});
    EXPECT_EQ(reference_gemm(transposed, a, bt), c);
}

TEST(GemmReference, AddsInTheOrderOfKWithRoundedProducts) {
    // 2^24 + 1 is lost in float32; in another order the ones would add up first.
    const auto a = bytes_of<float>({16777216, 1, 1});
    const auto b = bytes_of<float>({1, 1, 1});
    const auto gemm = gemm_of(1, 1, 3, DataType::float32);
    EXPECT_EQ(values_of<float>(reference_gemm(gemm, a, b)).at(0), 16777216.0F);
    // (1 + 2^-12)^2 needs 25 bits: rounded alone it cancels to 0, fused it would leave 2^-24.
    const float x = 1 + 0x1p-12F;
    const auto p = bytes_of<float>({-(1 + 0x1p-11F), x});
    const auto q = bytes_of<float>({1, x});
    EXPECT_EQ(values_of<float>(reference_gemm(gemm_of(1, 1, 2, DataType::float32), p, q)).at(0),
              0.0F);
}

TEST(GemmReference, IntegersWrap) {
    const std::vector<std::int8_t> ones(140000, -128);
    const auto c =
        reference_gemm(gemm_of(1, 1, 140000, DataType::int8), bytes_of(ones), bytes_of(ones));
    // 140000 * 16384 = 2293760000 = 2^32 - 2001207296
    EXPECT_EQ(values_of<std::int32_t>(c).at(0), -2001207296);
}

TEST(GemmReference, ReluAndRoundingToTheOutputType) {
    const auto a = bytes_of<float>({2049, -3});
    const auto b = bytes_of<float>({1});
    ReferenceGemm gemm = gemm_of(2, 1, 1, DataType::float32);
    gemm.relu = true;
    EXPECT_EQ(values_of<float>(reference_gemm(gemm, a, b)), (std::vector<float>{2049, 0}));
    gemm.out_dtype = DataType::float16; // 2049 lies between 2048 and 2050: even
    EXPECT_EQ(values_of<std::uint16_t>(reference_gemm(gemm, a, b)),
              (std::vector<std::uint16_t>{0x6800, 0}));
    gemm.out_dtype = DataType::bfloat16;
    gemm.relu = false;
    EXPECT_EQ(values_of<std::uint16_t>(reference_gemm(gemm, a, b)),
              (std::vector<std::uint16_t>{0x4500, 0xc040}));
}

TEST(GemmReference, BlocksAndThreadsDoNotChangeABit) {
    // Larger than a block in n and k, with rests.
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8}) {
        const ReferenceGemm gemm = gemm_of(5, 521, 263, type);
        std::vector<std::uint8_t> a(static_cast<std::size_t>(gemm.m * gemm.k * size_of(type)));
        std::vector<std::uint8_t> b(static_cast<std::size_t>(gemm.k * gemm.n * size_of(type)));
        fill_random(type, 1, a);
        fill_random(type, 2, b);
        const auto c = reference_gemm(gemm, a, b);
        EXPECT_EQ(reference_gemm(gemm, a, b, 3), c);
        if (type == DataType::float16) {
            const auto x = values_of<Eigen::half>(a), y = values_of<Eigen::half>(b);
            const auto z = values_of<float>(c);
            for (std::size_t m = 0; m < 5; ++m)
                for (std::size_t n = 0; n < 521; ++n) {
                    float sum = 0;
                    for (std::size_t k = 0; k < 263; ++k)
                        sum +=
                            static_cast<float>(x[m * 263 + k]) * static_cast<float>(y[k * 521 + n]);
                    ASSERT_EQ(z[m * 521 + n], sum) << m << " " << n;
                }
        }
    }
}

TEST(GemmReference, RejectsWrongInputs) {
    const std::vector<std::uint8_t> four(4), eight(8);
    auto gemm = gemm_of(1, 1, 1, DataType::float32);
    EXPECT_THROW(reference_gemm(gemm, four, eight), std::invalid_argument);
    gemm.out_dtype = DataType::int32;
    EXPECT_THROW(reference_gemm(gemm, four, four), std::invalid_argument);
    EXPECT_THROW(reference_gemm(gemm_of(1, 1, 1, DataType::int32), four, four),
                 std::invalid_argument);
}

TEST(CompareElements, CountsDifferentBits) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto x = bytes_of<float>({1, 2, nan, 0});
    const auto y = bytes_of<float>({1, 2.5F, -nan, -0.0F});
    const CompareResult result = compare_elements(DataType::float32, x, y);
    EXPECT_EQ(result.checked, 4);
    EXPECT_EQ(result.mismatches, 2); // 2 and the sign of zero
    EXPECT_EQ(result.first_mismatch, 1);
    EXPECT_EQ(result.max_abs_error, 0.5);
    const CompareResult same = compare_elements(DataType::float32, x, x);
    EXPECT_EQ(same.mismatches, 0);
    EXPECT_EQ(same.first_mismatch, -1);
    const auto z = bytes_of<float>({nan, 2, nan, 0});
    EXPECT_TRUE(std::isinf(compare_elements(DataType::float32, x, z).max_abs_error));
    EXPECT_THROW(compare_elements(DataType::float32, x, {}), std::invalid_argument);
}

TEST(FillRandom, DependsOnSeedAndIndexOnly) {
    std::vector<std::uint8_t> little(100), large(20000), other(20000);
    fill_random(DataType::float16, 7, little);
    fill_random(DataType::float16, 7, large);
    fill_random(DataType::float16, 8, other);
    EXPECT_TRUE(std::equal(little.begin(), little.end(), large.begin()));
    EXPECT_NE(large, other);
    // First output of the published splitmix64 with seed 0.
    std::vector<std::uint8_t> one(4);
    fill_random(DataType::int32, 0, one);
    EXPECT_EQ(values_of<std::uint32_t>(one).at(0), 0xe220a839U);
}

TEST(FillRandom, CoversTheRange) {
    std::vector<std::uint8_t> bytes(40000);
    fill_random(DataType::float32, 3, bytes);
    double sum = 0;
    float low = 0, high = 0;
    for (const float value : values_of<float>(bytes)) {
        EXPECT_LE(std::fabs(value), 1.0F);
        low = std::min(low, value);
        high = std::max(high, value);
        sum += static_cast<double>(value);
    }
    EXPECT_LT(low, -0.99F);
    EXPECT_GT(high, 0.99F);
    EXPECT_LT(std::fabs(sum / 10000), 0.02);
    fill_random(DataType::int8, 3, bytes);
    EXPECT_EQ(std::set<std::uint8_t>(bytes.begin(), bytes.end()).size(), 256U);
}

} // namespace
} // namespace aicore::tb
