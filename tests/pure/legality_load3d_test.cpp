// Load3d: the last legal value of each rule is accepted, the first illegal refused.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

/// 8 x 8 pixels of 32 channels, all of them.
Load3d load3d(Buffer dst = Buffer::L0A, int bits = 16) {
    Load3d op;
    op.dst = dst;
    op.elem_bits = bits;
    op.l1_h = 8;
    op.l1_w = 8;
    op.channel_size = 32;
    op.m_extension = 64;
    op.k_extension = 32;
    return op;
}

TEST(Load3dLegality, Ranges) {
    const Load3d legal = load3d();
    expect_legal(legal);
    expect_range_32(legal, &Load3d::l1_h, "l1_h", 0, 32767);
    expect_range_32(legal, &Load3d::l1_w, "l1_w", 0, 32767);
    expect_range_32(legal, &Load3d::channel_size, "channel_size", 0, 65535);
    expect_range_32(legal, &Load3d::k_extension, "k_extension", 0, 65535);
    expect_range_32(legal, &Load3d::m_extension, "m_extension", 0, 65535);
    expect_range_32(legal, &Load3d::k_start, "k_start", 0, 65535);
    expect_range_32(legal, &Load3d::m_start, "m_start", 0, 32767);
    expect_range_32(legal, &Load3d::stride_w, "stride_w", 1, 63);
    expect_range_32(legal, &Load3d::stride_h, "stride_h", 1, 63);
    expect_range_32(legal, &Load3d::filter_w, "filter_w", 0, 255);
    expect_range_32(legal, &Load3d::filter_h, "filter_h", 0, 255);
    expect_range_32(legal, &Load3d::dilation_w, "dilation_w", 1, 255);
    expect_range_32(legal, &Load3d::dilation_h, "dilation_h", 1, 255);
    expect_range_32(legal, &Load3d::pad_left, "pad_left", 0, 255);
    expect_range_32(legal, &Load3d::pad_right, "pad_right", 0, 255);
    expect_range_32(legal, &Load3d::pad_top, "pad_top", 0, 255);
    expect_range_32(legal, &Load3d::pad_bottom, "pad_bottom", 0, 255);
}

TEST(Load3dLegality, TypesOfArch2201) {
    for (const int bits : {8, 16, 32}) expect_legal(load3d(Buffer::L0A, bits));
    Load3d op = load3d(Buffer::L0A, 4);
    op.k_extension = op.channel_size = 64;
    expect_legal(op);
    expect_legal(load3d(Buffer::L0B, 16));
    expect_legal(load3d(Buffer::L0B, 32));
    expect_broken(load3d(Buffer::L0B, 8), "dst", "L0B of 8-bit elements",
                  "only 16-bit and 32-bit elements go to L0B");
    op = load3d(Buffer::L0A, 8);
    op.transpose = true;
    expect_broken(op, "transpose", "true of 8-bit elements",
                  "only 16-bit and 32-bit elements can be transposed");
    op.elem_bits = 32;
    expect_legal(op);
    op.dst_stride = 1;
    expect_broken(op, "dst_stride", "1", "must be 0: arch 2201 has no such field");
}

TEST(Load3dLegality, TypesOfArch3510) {
    const IsaLimits limits = limits_3510();
    for (const Buffer dst : {Buffer::L0A, Buffer::L0B}) {
        for (const int bits : {8, 16, 32}) {
            Load3d op = load3d(dst, bits);
            op.transpose = true;
            op.dst_stride = 4;
            EXPECT_FALSE(find_violation(op, limits)) << bits;
        }
    }
    Load3d op = load3d(Buffer::L0A, 4);
    op.dst_stride = 4;
    expect_broken(op, "elem_bits", "4", "must be 8, 16 or 32", limits);
    op = load3d();
    expect_broken(op, "dst_stride", "0", "must be 1 .. 65535", limits);
}

TEST(Load3dLegality, PadValueFitsTheElement) {
    for (const auto& [bits, largest] :
         {std::pair(4, 0xfu), std::pair(8, 0xffu), std::pair(16, 0xffffu)}) {
        Load3d op = load3d(Buffer::L0A, bits);
        op.k_extension = op.channel_size = 64;
        op.pad_value = largest;
        expect_legal(op);
        op.pad_value = largest + 1;
        expect_broken(op, "pad_value", std::to_string(largest + 1),
                      "must be 0 .. " + std::to_string(largest));
    }
    Load3d op = load3d(Buffer::L0A, 32);
    op.pad_value = 0xffffffff;
    expect_legal(op);
}

TEST(Load3dLegality, ChannelSizes) {
    const auto expect_sizes = [](int bits, const std::vector<int>& legal, int unit,
                                 const std::string& rule) {
        for (int channels = 1; channels <= 2 * unit; ++channels) {
            Load3d op = load3d(Buffer::L0A, bits);
            op.channel_size = op.k_extension = channels;
            bool is_legal = channels % unit == 0;
            for (const int rest : legal) is_legal = is_legal || channels % unit == rest;
            if (is_legal) {
                expect_legal(op);
            } else {
                expect_broken(op, "channel_size", std::to_string(channels), rule);
            }
        }
    };
    expect_sizes(4, {8, 16, 32}, 64, "must be a multiple of 64 plus 0, 8, 16 or 32");
    expect_sizes(8, {4, 8, 16}, 32, "must be a multiple of 32 plus 0, 4, 8 or 16");
    expect_sizes(16, {4, 8}, 16, "must be a multiple of 16 plus 0, 4 or 8");
    expect_sizes(32, {4}, 8, "must be a multiple of 8 plus 0 or 4");
}

TEST(Load3dLegality, FilterFitsThePaddedMap) {
    const std::string rule = "the filter must fit into the padded feature map";
    Load3d op = load3d();
    op.m_extension = 16;
    op.k_extension = 16;
    op.filter_h = 10;
    op.pad_top = op.pad_bottom = 1;
    op.m_extension = 8; // one row of positions is left
    expect_legal(op);
    op.filter_h = 11;
    expect_broken(op, "filter_h", "11", rule);
    op.filter_h = 1;
    op.filter_w = 4;
    op.dilation_w = 2; // spans 7
    op.m_extension = 16;
    expect_legal(op);
    op.dilation_w = 3; // 10
    expect_broken(op, "filter_w", "4", rule);
    op = load3d();
    op.filter_size_w = true;
    op.filter_w = 0;
    expect_broken(op, "filter_w", "256", rule);
    op.pad_left = 248;
    op.m_extension = 8; // eight positions, one above the other
    expect_legal(op);
}

TEST(Load3dLegality, WindowOfTheMatrix) {
    Load3d op = load3d(); // 64 x 32
    op.m_start = 63;
    op.m_extension = 1;
    expect_legal(op);
    op.m_extension = 16; // to the end of the last fractal
    expect_legal(op);
    op.m_extension = 17;
    expect_broken(op, "m_extension", "17", "must be at most 16, the rest of the im2col matrix");
    op.m_start = 64;
    expect_broken(op, "m_start", "64", "must be below 64, the size of the im2col matrix");
    op.m_start = 0;
    op.m_extension = 17;
    expect_broken(op, "m_extension", "17",
                  "must be a multiple of 16 or reach the end of the im2col matrix");
    op.elem_bits = 32;
    expect_legal(op); // any number of pixels

    op = load3d();
    op.k_start = 16;
    op.k_extension = 16;
    expect_legal(op);
    op.k_extension = 17;
    expect_broken(op, "k_extension", "17", "must be at most 16, the rest of the im2col matrix");
    op.k_start = 32;
    expect_broken(op, "k_start", "32", "must be below 32, the size of the im2col matrix");
    op.k_start = 8;
    expect_broken(op, "k_start", "8", "must be a multiple of 16");
    op.k_start = 0;
    op.k_extension = 20;
    expect_broken(op, "k_extension", "20",
                  "must be a multiple of 16 or reach the end of the im2col matrix");
    op.channel_size = 20;
    expect_legal(op);
}

TEST(Load3dLegality, Ends) {
    Load3d op = load3d(); // 4096 bytes
    op.src_addr = 524288 - 4096;
    expect_legal(op);
    op.src_addr += 32;
    expect_broken(op, "src_addr", "end 0x80020", kInL1);
    op.m_extension = 48; // of the last plane, only pixels that are there
    expect_legal(op);
    op.src_addr = 524288;
    expect_broken(op, "src_addr", "0x80000", kInL1);
    op = load3d();
    op.l1_h = op.l1_w = 32767; // the second plane is far behind L1
    expect_broken(op, "src_addr", "end 0x7ffe00820", kInL1);

    op = load3d(); // 8 fractals
    op.dst_addr = 65536 - 8 * 512;
    expect_legal(op);
    op.dst_addr += 512;
    expect_broken(op, "dst_addr", "end 0x10200", kInL0a);
    op.dst_addr = 16;
    expect_broken(op, "dst_addr", "0x10", "L0A address must be a multiple of 512");
    op.dst_addr = 0;
    op.src_addr = 16;
    expect_broken(op, "src_addr", "0x10", "L1 address must be a multiple of 32");
}

TEST(Load3dLegality, ZeroMeansNoOperation) {
    for (std::int32_t Load3d::*field :
         {&Load3d::l1_h, &Load3d::l1_w, &Load3d::channel_size, &Load3d::k_extension,
          &Load3d::m_extension, &Load3d::filter_h, &Load3d::filter_w}) {
        Load3d op = load3d();
        op.src_addr = 1 << 30; // nothing is read
        op.*field = 0;
        expect_legal(op);
    }
    Load3d op = load3d();
    op.filter_h = 0;
    op.filter_size_h = true;
    expect_broken(op, "filter_h", "256", "the filter must fit into the padded feature map");
}

} // namespace
} // namespace aicore
