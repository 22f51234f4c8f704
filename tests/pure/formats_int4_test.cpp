// int4 packing: every byte, and rows of every short length.
#include "hw/numerics/int4.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace aicore;

TEST(FormatsInt4, EveryByte) {
    for (int low = -8; low < 8; ++low) {
        for (int high = -8; high < 8; ++high) {
            const int byte = (low + 16) % 16 + 16 * ((high + 16) % 16);
            const std::uint8_t packed =
                pack_int4(static_cast<std::int8_t>(low), static_cast<std::int8_t>(high));
            ASSERT_EQ(packed, byte);
            ASSERT_EQ(int4_low(packed), low);
            ASSERT_EQ(int4_high(packed), high);
        }
    }
    EXPECT_EQ(pack_int4(6, 7), 0x76); // the example of the vendor's document
}

TEST(FormatsInt4, RowsOfEveryLength) {
    std::mt19937 random(51);
    std::vector<std::int8_t> values(600);
    for (std::int8_t& value : values) value = static_cast<std::int8_t>(random() % 16u) - 8;
    for (std::size_t count = 0; count <= 520; ++count) {
        std::vector<std::uint8_t> bytes((count + 1) / 2 + 1, 0xA5);
        pack_int4_row(values.data(), static_cast<int>(count), bytes.data());
        ASSERT_EQ(bytes.back(), 0xA5);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t byte = bytes[i / 2];
            ASSERT_EQ(i % 2 == 0 ? int4_low(byte) : int4_high(byte), values[i]) << count;
        }
        if (count % 2 != 0) {
            ASSERT_EQ(bytes[count / 2] >> 4, 0);
        }
    }
}

} // namespace
