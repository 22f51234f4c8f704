// Ranges of GM cut at lines, and block copies byte by byte.
#include "hw/isa/block_walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>

namespace aicore {
namespace {

TEST(BurstSplitter, PiecesCoverTheRangeAndStayInsideALine) {
    for (const std::uint64_t addr : {0u, 1u, 31u, 511u, 512u, 700u}) {
        for (const std::uint64_t bytes : {0u, 1u, 2u, 511u, 512u, 513u, 1024u, 1700u}) {
            BurstSplitter splitter(addr, bytes);
            Burst burst;
            std::uint64_t at = addr;
            std::size_t count = 0;
            for (; splitter.next(burst); ++count) {
                EXPECT_EQ(burst.addr, at);
                ASSERT_GT(burst.bytes, 0u);
                EXPECT_EQ(burst.addr / 512, (burst.addr + burst.bytes - 1) / 512);
                at += burst.bytes;
            }
            EXPECT_EQ(at, addr + bytes);
            std::set<std::uint64_t> lines;
            for (std::uint64_t i = addr; i < addr + bytes; ++i) lines.insert(i / 512);
            EXPECT_EQ(count, lines.size());
            EXPECT_FALSE(splitter.next(burst));
        }
    }
}

/// Source byte of each destination byte; -1: filled.
using ByteMap = std::map<std::uint64_t, std::int64_t>;

template <typename Copy>
ByteMap bytes_moved(const Copy& copy) {
    ByteMap moved;
    CopyLineWalk walk(copy);
    CopyLine line;
    while (walk.next(line)) {
        const std::uint64_t gm = copy.dst == Buffer::GM ? line.dst : line.src;
        EXPECT_EQ(gm / kGmLineBytes, (gm + line.bytes - 1) / kGmLineBytes);
        for (std::uint32_t i = 1; i <= line.lead; ++i) moved[line.dst - i] = -1;
        for (std::uint32_t i = 0; i < line.bytes; ++i) {
            EXPECT_TRUE(moved.emplace(line.dst + i, line.src + i).second);
        }
        for (std::uint32_t i = 0; i < line.trail; ++i) moved[line.dst + line.bytes + i] = -1;
    }
    return moved;
}

TEST(CopyLineWalk, MovesTheBytesOfEveryBlock) {
    std::mt19937 random(1);
    for (int i = 0; i < 50; ++i) {
        DataCopy copy;
        copy.src = i % 2 == 0 ? Buffer::GM : Buffer::L1;
        copy.dst = i % 2 == 0 ? Buffer::L1 : Buffer::GM;
        copy.src_addr = random() % 100 * 32;
        copy.dst_addr = random() % 100 * 32;
        copy.block_count = random() % 5;
        copy.block_len = random() % 50;
        copy.src_gap = random() % 5;
        copy.dst_gap = random() % 5;
        ByteMap expected;
        for (std::int64_t block = 0; block < copy.block_count; ++block) {
            for (std::int64_t byte = 0; byte < 32 * copy.block_len; ++byte) {
                const auto at = [&](std::uint64_t addr, std::int64_t gap) {
                    return addr +
                           static_cast<std::uint64_t>(block * 32 * (copy.block_len + gap) + byte);
                };
                expected[at(copy.dst_addr, copy.dst_gap)] =
                    static_cast<std::int64_t>(at(copy.src_addr, copy.src_gap));
            }
        }
        EXPECT_EQ(bytes_moved(copy), expected) << i;
    }
}

TEST(CopyLineWalk, FillsAroundThePiecesOfAPaddedBlock) {
    DataCopyPad copy;
    copy.src = Buffer::GM;
    copy.dst = Buffer::UB;
    copy.src_addr = 1000; // the first block crosses the line at 1024
    copy.dst_addr = 64;
    copy.block_count = 2;
    copy.block_len = 40;
    copy.src_gap = 8;
    copy.elem_bytes = 4;
    copy.is_pad = true;
    copy.left_padding = 2;
    copy.right_padding = 3;
    ByteMap expected;
    for (std::int64_t block = 0; block < 2; ++block) {
        for (std::int64_t byte = -8; byte < 40 + 12; ++byte) {
            const bool is_data = byte >= 0 && byte < 40;
            expected[static_cast<std::uint64_t>(64 + 64 * block + 8 + byte)] =
                is_data ? 1000 + 48 * block + byte : -1;
        }
    }
    EXPECT_EQ(bytes_moved(copy), expected);
}

} // namespace
} // namespace aicore
