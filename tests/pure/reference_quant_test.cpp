// The quantisation of the reference, by values worked out by hand.
#include "tb/workload/reference_quant.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace aicore::tb {
namespace {

constexpr std::uint64_t kHalf = 0x3F000000, kOne = 0x3F800000;
constexpr std::uint64_t kSigned = std::uint64_t{1} << 46;

template <typename T>
std::vector<T> as(const std::vector<std::uint8_t>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

TEST(ReferenceQuant, RoundsToEvenAndSaturates) {
    const std::vector<float> sums{1, 3, 5, -1, -3, 250, 260, -300, 1e6F};
    EXPECT_EQ(as<std::int8_t>(quantise_sums(sums, 9, {kHalf | kSigned}, false, DataType::int8)),
              (std::vector<std::int8_t>{0, 2, 2, 0, -2, 125, 127, -128, 127}));
    EXPECT_EQ(as<std::uint8_t>(quantise_sums(sums, 9, {kHalf}, false, DataType::uint8)),
              (std::vector<std::uint8_t>{0, 2, 2, 0, 0, 125, 130, 0, 255}));
    EXPECT_EQ(as<std::int16_t>(quantise_sums(sums, 9, {kHalf}, false, DataType::int16)),
              (std::vector<std::int16_t>{0, 2, 2, 0, -2, 125, 130, -150, 32767}));
}

TEST(ReferenceQuant, ReluAndFloat16) {
    EXPECT_EQ(as<std::uint16_t>(
                  quantise_sums({2, -2, 1e6F, -1e6F}, 4, {kHalf}, false, DataType::float16)),
              (std::vector<std::uint16_t>{0x3C00, 0xBC00, 0x7BFF, 0xFBFF}));
    EXPECT_EQ(as<std::uint16_t>(quantise_sums({2, -2}, 2, {kHalf}, true, DataType::float16)),
              (std::vector<std::uint16_t>{0x3C00, 0}));
}

TEST(ReferenceQuant, AWordForEachColumn) {
    EXPECT_EQ(
        as<std::int16_t>(quantise_sums({8, 8, 6, 6}, 2, {kOne, kHalf, 0}, false, DataType::int16)),
        (std::vector<std::int16_t>{8, 4, 6, 3}));
}

TEST(ReferenceQuant, DropsTheLowBitsOfTheScale) {
    EXPECT_EQ(as<std::int16_t>(quantise_sums({1000}, 1, {kOne | 0x1FFF}, false, DataType::int16)),
              (std::vector<std::int16_t>{1000}));
}

TEST(ReferenceQuant, RefusesWhatItDoesNotKnow) {
    EXPECT_THROW(quantise_sums({1}, 1, {kOne | std::uint64_t{1} << 37}, false, DataType::int16),
                 std::invalid_argument);
    EXPECT_THROW(quantise_sums({1}, 1, {kOne}, false, DataType::int8), std::invalid_argument);
    EXPECT_THROW(quantise_sums({1}, 1, {kOne}, false, DataType::int32), std::invalid_argument);
    EXPECT_THROW(quantise_sums({1, 1, 1}, 3, {kOne, kOne}, false, DataType::int16),
                 std::invalid_argument);
}

} // namespace
} // namespace aicore::tb
