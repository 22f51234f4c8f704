// What a large memory holds.
#include "hw/mem/sparse_storage.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

constexpr std::int64_t kSize = (std::int64_t{5} << 20) + 100; // ends within a page

TEST(SparseStorage, HoldsWhatWasWrittenAndZeroElsewhere) {
    SparseStorage storage{Bytes(kSize)};
    std::vector<std::uint8_t> data(3 << 20), back(data.size());
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<std::uint8_t>(1 + (i * 7 + i / 4096) % 255);
    const std::uint64_t address = (1 << 20) - 100;
    EXPECT_EQ(storage.write(address, data.data(), data.size()), data.size());
    EXPECT_EQ(storage.read(address, back.data(), back.size()), back.size());
    EXPECT_EQ(back, data);
    std::uint8_t beside[4] = {9, 9, 9, 9};
    EXPECT_EQ(storage.read(address - 2, beside, 4), 4u);
    EXPECT_EQ(beside[0] + beside[1], 0);
    EXPECT_EQ(beside[2], data[0]);
    EXPECT_EQ(storage.read(std::uint64_t{4} << 20, back.data(), 1 << 20), 1u << 20);
    EXPECT_EQ(back[1 << 19], 0) << "a page that nobody has written";
}

TEST(SparseStorage, EndsAtItsSize) {
    SparseStorage storage{Bytes(kSize)};
    const std::uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::uint8_t back[8] = {};
    EXPECT_EQ(storage.write(kSize - 3, data, 8), 3u);
    EXPECT_EQ(storage.read(kSize - 3, back, 8), 3u);
    EXPECT_EQ(back[2], 3);
    EXPECT_EQ(back[3], 0);
    EXPECT_EQ(storage.write(kSize, data, 8), 0u);
    EXPECT_EQ(storage.read(~std::uint64_t{0}, back, 8), 0u);
}

} // namespace
} // namespace aicore
