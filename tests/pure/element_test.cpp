#include "hw/numerics/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace aicore {
namespace {

std::uint64_t stored(DataType type, double value) {
    std::array<std::uint8_t, 8> bytes{};
    store_element(type, value, bytes.data(), 0);
    std::uint64_t bits = 0;
    for (int i = 7; i >= 0; --i) bits = bits << 8 | bytes[static_cast<std::size_t>(i)];
    return bits;
}

TEST(DataType, NamesReadBack) {
    for (int i = 0; i < kDataTypes; ++i) {
        const auto type = static_cast<DataType>(i);
        EXPECT_EQ(parse_data_type(to_string(type)), type);
    }
    EXPECT_EQ(parse_data_type("hif8"), DataType::hifloat8);
    EXPECT_EQ(parse_data_type("float64"), std::nullopt);
}

TEST(Element, EveryCodeOfNarrowTypesReadsBack) {
    for (int i = 0; i < kDataTypes; ++i) {
        const auto type = static_cast<DataType>(i);
        if (bits_of(type) > 16) continue;
        for (int code = 0; code < 1 << bits_of(type); ++code) {
            std::array<std::uint8_t, 2> bytes{static_cast<std::uint8_t>(code),
                                              static_cast<std::uint8_t>(code >> 8)};
            const double value = element_value(type, bytes.data(), 0);
            if (std::isnan(value)) continue;
            if (type == DataType::hifloat8 && value == 0) continue; // the code of -0 is its NaN
            EXPECT_EQ(stored(type, value), static_cast<std::uint64_t>(code))
                << to_string(type) << ' ' << value;
        }
    }
}

TEST(Element, IntegersSaturateAndTakeTheNearest) {
    EXPECT_EQ(stored(DataType::uint8, -3), 0u);
    EXPECT_EQ(stored(DataType::uint8, 300), 255u);
    EXPECT_EQ(stored(DataType::int16, -40000), 0x8000u);
    EXPECT_EQ(stored(DataType::int32, 2.5), 2u);
    EXPECT_EQ(stored(DataType::int64, 0x1p70), 0x7FFFFFFFFFFFFFFFu);
    EXPECT_EQ(stored(DataType::int64, -0x1p70), 0x8000000000000000u);
    EXPECT_EQ(stored(DataType::int8, std::numeric_limits<double>::quiet_NaN()), 0u);
}

TEST(Element, Int4LeavesItsNeighbourAlone) {
    std::array<std::uint8_t, 1> byte{0xA5};
    store_element(DataType::int4, -1, byte.data(), 0);
    EXPECT_EQ(byte[0], 0xAF);
    store_element(DataType::int4, 3, byte.data(), 1);
    EXPECT_EQ(byte[0], 0x3F);
    EXPECT_EQ(element_value(DataType::int4, byte.data(), 0), -1);
    EXPECT_EQ(element_value(DataType::int4, byte.data(), 1), 3);
}

TEST(Element, DoublesRoundOnce) {
    // Just above half-way between 1 and the next float16; float32 alone would round to the tie.
    EXPECT_EQ(stored(DataType::float16, 1 + 0x1p-11 + 0x1p-40), 0x3C01u);
    EXPECT_EQ(stored(DataType::float16, 1 + 0x1p-11), 0x3C00u);
    EXPECT_EQ(stored(DataType::bfloat16, 1 + 0x1p-8 - 0x1p-40), 0x3F80u);
    EXPECT_EQ(stored(DataType::float16, 65536), 0x7C00u);
}

TEST(Element, LimitsAreValuesOfTheType) {
    for (int i = 0; i < kDataTypes; ++i) {
        const auto type = static_cast<DataType>(i);
        if (type == DataType::int64) continue; // its largest is no double
        for (const double value : {least_value(type), largest_value(type)}) {
            std::array<std::uint8_t, 8> bytes{};
            store_element(type, value, bytes.data(), 0);
            EXPECT_EQ(element_value(type, bytes.data(), 0), value) << to_string(type);
        }
    }
}

} // namespace
} // namespace aicore
