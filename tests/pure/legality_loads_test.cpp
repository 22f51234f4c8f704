// Loads of MTE1 and MTE2: the last legal value of each rule is accepted, the first illegal refused.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

// ---- load2d ------------------------------------------------------------------------------------

Load2d load2d() {
    Load2d op;
    op.repeat = 4;
    return op;
}

TEST(Load2dLegality, CountsDownToIndexZero) {
    Load2d op = load2d();
    op.addr_mode = AddrMode::dec;
    op.src_stride = 5;
    op.start_index = 15;
    expect_legal(op);
    op.start_index = 14;
    expect_broken(op, "start_index", "14",
                  "must be at least 15, (repeat - 1) * src_stride, to count down");
    op.repeat = 3;
    expect_legal(op);
    op.start_index = 1023;
    expect_legal(op);
    op.start_index = 1024;
    expect_broken(op, "src_addr", "end 0x80200", kInL1);
}

TEST(Load2dLegality, FromGm) {
    Load2d op = load2d();
    op.src = Buffer::GM;
    op.src_addr = (1u << 30) - 4 * 512;
    for (const Buffer dst : {Buffer::L0A, Buffer::L0B, Buffer::L1}) {
        op.dst = dst;
        expect_legal(op);
    }
    op.src_addr += 1;
    expect_broken(op, "src_addr", "end 0x40000001", "must lie inside GM (1073741824 bytes)");
    op.src_addr = 1;
    op.dst_addr = 32;
    expect_legal(op);
    op.dst_addr = 16;
    expect_broken(op, "dst_addr", "0x10", "L1 address must be a multiple of 32");
    op.dst = Buffer::L0A;
    op.dst_addr = 32;
    expect_broken(op, "dst_addr", "0x20", "L0A address must be a multiple of 512");
    op.dst_addr = 0;
    op.transpose = true;
    expect_broken(op, "transpose", "GM source", "only loads from L1 can be transposed");
    op.transpose = false;
    op.dst = Buffer::BT;
    expect_broken(op, "dst", "BT", "must be L1, L0A or L0B");
    op.dst = Buffer::L1;
    op.src = Buffer::L1;
    expect_broken(op, "dst", "L1", "must be L0A or L0B");
    op.src = Buffer::L0C;
    expect_broken(op, "src", "L0C", "must be L1 or GM");
}

TEST(Load2dLegality, Arch3510) {
    const IsaLimits limits = limits_3510();
    Load2d op = load2d();
    EXPECT_FALSE(find_violation(op, limits));
    op.dst_gap = 1;
    expect_broken(op, "dst_gap", "1", "has no effect on arch 3510, must be 0", limits);
    op.dst_gap = 0;
    op.src = Buffer::GM;
    expect_broken(op, "src", "GM", "arch 3510 loads L0A and L0B from L1 only", limits);
    op.dst = Buffer::L1;
    EXPECT_FALSE(find_violation(op, limits));
}

// ---- load2d_v2 ---------------------------------------------------------------------------------

Load2dV2 load2d_v2() {
    Load2dV2 op;
    op.m_step = 4;
    op.k_step = 4;
    op.src_stride = 4;
    op.dst_stride = 4;
    return op;
}

TEST(Load2dV2Legality, FieldsAndArchitecture) {
    const IsaLimits limits = limits_3510();
    const Load2dV2 legal = load2d_v2();
    EXPECT_FALSE(find_violation(legal, limits));
    expect_broken(legal, "op", "arch 2201", "only arch 3510 has this instruction");
    expect_range_32(legal, &Load2dV2::m_start, "m_start", 0, 65535, limits);
    expect_range_32(legal, &Load2dV2::k_start, "k_start", 0, 65535, limits);
    expect_range_32(legal, &Load2dV2::m_step, "m_step", 0, 255, limits);
    expect_range_32(legal, &Load2dV2::k_step, "k_step", 0, 255, limits);
    expect_range_32(legal, &Load2dV2::src_stride, "src_stride", -32768, 32767, limits);
    expect_range_32(legal, &Load2dV2::dst_stride, "dst_stride", 0, 65535, limits);
}

TEST(Load2dV2Legality, SquaresToTranspose) {
    const IsaLimits limits = limits_3510();
    for (const auto& [bits, unit] : {std::pair(4, 4), std::pair(8, 2), std::pair(16, 1)}) {
        Load2dV2 op = load2d_v2();
        op.transpose = true;
        op.elem_bits = bits;
        op.m_step = unit;
        op.dst_stride = 16;
        EXPECT_FALSE(find_violation(op, limits)) << bits;
        if (unit == 1) continue;
        op.m_step = unit + 1;
        expect_broken(op, "m_step", std::to_string(unit + 1),
                      "must be a multiple of " + std::to_string(unit) + " to transpose " +
                          std::to_string(bits) + "-bit elements",
                      limits);
    }
    Load2dV2 op = load2d_v2();
    op.transpose = true;
    op.elem_bits = 32;
    op.m_step = 3;
    EXPECT_FALSE(find_violation(op, limits));
    op.k_step = 3;
    expect_broken(op, "k_step", "3", "must be a multiple of 2 to transpose 32-bit elements",
                  limits);
}

TEST(Load2dV2Legality, Ends) {
    const IsaLimits limits = limits_3510();
    Load2dV2 op = load2d_v2(); // 16 fractals
    op.m_start = 1008;
    EXPECT_FALSE(find_violation(op, limits));
    op.m_start = 1009;
    expect_broken(op, "src_addr", "end 0x80200", kInL1, limits);
    op = load2d_v2();
    op.src_stride = -4;
    op.m_start = 12; // the last column starts with the buffer
    EXPECT_FALSE(find_violation(op, limits));
    op.m_start = 11;
    expect_broken(op, "src_stride", "-4", "leads below the start of L1", limits);

    op = load2d_v2();
    op.dst_stride = 41; // ends with fractal 3 * 41 + 4
    EXPECT_FALSE(find_violation(op, limits));
    op.dst_addr = 512;
    EXPECT_FALSE(find_violation(op, limits));
    op.dst_addr = 1024;
    expect_broken(op, "dst_addr", "end 0x10200", kInL0a, limits);
    op.transpose = true;
    op.elem_bits = 8; // 2 columns of 8 fractals
    op.dst_stride = 120;
    op.dst_addr = 0;
    EXPECT_FALSE(find_violation(op, limits));
    op.dst_stride = 121;
    expect_broken(op, "dst_addr", "end 0x10200", kInL0a, limits);
    op.k_step = 0;
    EXPECT_FALSE(find_violation(op, limits));
}

// ---- load_transpose ----------------------------------------------------------------------------

LoadTranspose load_transpose(Buffer dst, int bits) {
    LoadTranspose op;
    op.dst = dst;
    op.elem_bits = bits;
    op.repeat = 4;
    op.dst_gap = 3;
    return op;
}

TEST(LoadTransposeLegality, FieldsAndWidths) {
    const LoadTranspose legal = load_transpose(Buffer::L0B, 16);
    expect_legal(legal);
    expect_range_32(legal, &LoadTranspose::start_index, "start_index", 0, 65535);
    expect_range_32(legal, &LoadTranspose::repeat, "repeat", 0, 255);
    expect_range_32(legal, &LoadTranspose::src_stride, "src_stride", 0, 65535);
    expect_range_32(legal, &LoadTranspose::dst_gap, "dst_gap", 0, 65535);
    expect_range_32(legal, &LoadTranspose::dst_frac_gap, "dst_frac_gap", 0, 65535);
    for (const int bits : {8, 16, 32}) expect_legal(load_transpose(Buffer::L0A, bits));
    expect_legal(load_transpose(Buffer::L0B, 4));
    expect_broken(load_transpose(Buffer::L0A, 4), "dst", "L0A", "4-bit squares go to L0B only");
    expect_broken(load_transpose(Buffer::L0B, 4), "elem_bits", "4", "must be 8, 16 or 32",
                  limits_3510());
    expect_broken(load_transpose(Buffer::L0B, 64), "elem_bits", "64", "must be 4, 8, 16 or 32");
    expect_broken(load_transpose(Buffer::L1, 16), "dst", "L1", "must be L0A or L0B");
}

TEST(LoadTransposeLegality, Ends) {
    LoadTranspose op = load_transpose(Buffer::L0B, 4); // squares of 2048 B
    op.start_index = 252;
    expect_legal(op);
    op.start_index = 253;
    expect_broken(op, "src_addr", "end 0x80800", kInL1);
    op.start_index = 3;
    op.addr_mode = AddrMode::dec;
    expect_legal(op);
    op.start_index = 2;
    expect_broken(op, "start_index", "2",
                  "must be at least 3, (repeat - 1) * src_stride, to count down");

    op = load_transpose(Buffer::L0B, 4);
    op.dst_frac_gap = 36; // the last fractal is 3 * 4 + 3 * 37 = 123
    op.dst_addr = 65536 - 124 * 512;
    expect_legal(op);
    op.dst_addr += 512;
    expect_broken(op, "dst_addr", "end 0x10200", kInL0b);
    op.src_addr = 16;
    expect_broken(op, "src_addr", "0x10", "L1 address must be a multiple of 32");
    op.src_addr = 0;
    op.dst_addr = 256;
    expect_broken(op, "dst_addr", "0x100", "L0B address must be a multiple of 512");
    op.dst_addr = 0;
    op.start_index = 9999;
    op.repeat = 0;
    expect_legal(op);
}

// ---- load_sparse -------------------------------------------------------------------------------

TEST(LoadSparseLegality, Rules) {
    LoadSparse op;
    op.repeat = 128;
    expect_legal(op);
    expect_broken(op, "op", "arch 3510", "only arch 2201 has this instruction", limits_3510());
    LoadSparse few = op;
    few.repeat = 1;
    expect_range_32(few, &LoadSparse::start_index, "start_index", 0, 65535);
    expect_range_32(op, &LoadSparse::repeat, "repeat", 0, 255);

    op.repeat = 129;
    expect_broken(op, "dst_addr", "end 0x10200", kInL0b);
    op.repeat = 2;
    op.start_index = 1022;
    expect_legal(op);
    op.start_index = 1023;
    expect_broken(op, "src_addr", "end 0x80200", kInL1);
    op.start_index = 0;
    op.index_addr = 524288 - 256;
    expect_legal(op);
    op.index_addr += 32;
    expect_broken(op, "index_addr", "end 0x80020", kInL1);
    op.index_addr = 8;
    expect_broken(op, "index_addr", "0x8", "L1 address must be a multiple of 32");
    op.index_addr = 0;
    op.dst_addr = 128;
    expect_broken(op, "dst_addr", "0x80", "L0B address must be a multiple of 512");
}

// ---- tables ------------------------------------------------------------------------------------

TEST(BtLegality, Types) {
    L1ToBt op;
    op.block_len = 8;
    for (const DataType type : {DataType::float32, DataType::int32, DataType::float16}) {
        op.src_type = type;
        expect_legal(op);
    }
    op.src_type = DataType::bfloat16;
    expect_broken(op, "src_dtype", "bfloat16", "arch 2201 converts float16 only");
    EXPECT_FALSE(find_violation(op, limits_3510()));
    op.src_type = DataType::int8;
    expect_broken(op, "src_dtype", "int8",
                  "must be float16, float32 or int32 (arch 3510: or bfloat16)");
}

TEST(BtLegality, ConvertedBlocksTakeTwiceTheirLength) {
    L1ToBt op;
    op.src_type = DataType::float16;
    op.block_len = 8;
    expect_legal(op);
    op.block_len = 9;
    expect_broken(op, "dst_addr", "end 0x480", "must lie inside BT (1024 bytes)");
    op.block_count = 2;
    op.block_len = 2;
    op.dst_gap = 8; // 4 + 8 + 4 entries
    expect_legal(op);
    op.dst_gap = 9;
    expect_broken(op, "dst_addr", "end 0x440", "must lie inside BT (1024 bytes)");
}

TEST(FbLegality, Slices) {
    IsaLimits limits = kLimits;
    limits.fb1_bytes = 1024;
    limits.fb2_bytes = 2048;
    limits.fb3_bytes = 512;
    for (const auto& [slice, bytes] :
         {std::pair(0u, 2048), std::pair(1u, 1024), std::pair(2u, 2048), std::pair(3u, 512)}) {
        L1ToFb op;
        op.dst_addr = slice << 16;
        op.bytes = bytes;
        EXPECT_FALSE(find_violation(op, limits)) << slice;
        op.dst_addr += 128;
        expect_broken(op, "dst_addr", "end " + std::to_string(bytes + 128),
                      "must lie inside slice " + std::to_string(slice) + " of FB (" +
                          std::to_string(bytes) + " bytes)",
                      limits);
    }
    L1ToFb op;
    op.bytes = 128;
    op.dst_addr = 4u << 16;
    expect_broken(op, "dst_addr[31:16]", "4", "must be 0 .. 3", limits);
}

TEST(FbLegality, Units) {
    L1ToFb op;
    op.bytes = 192;
    expect_broken(op, "bytes", "192", "must be a multiple of 128");
    EXPECT_FALSE(find_violation(op, limits_3510()));
    op.bytes = 160;
    expect_broken(op, "bytes", "160", "must be a multiple of 64", limits_3510());
}

TEST(FbLegality, Blocks) {
    L1ToFb op;
    op.bytes = 128;
    op.block_count = 4;
    op.src_stride = 4;
    op.dst_stride = 5; // ends with entry 16 of 128 B
    expect_legal(op);
    expect_range(op, &L1ToFb::block_count, "block_count", 0, 4095);
    expect_range(op, &L1ToFb::src_stride, "src_stride", 0, 65535);
    expect_range(op, &L1ToFb::dst_stride, "dst_stride", 0, 65535);
    op.dst_addr = 128;
    expect_broken(op, "dst_addr", "end 2176", "must lie inside slice 0 of FB (2048 bytes)");
    op.dst_addr = 0;
    op.src_addr = 524288 - 512;
    expect_legal(op);
    op.src_addr += 32;
    expect_broken(op, "src_addr", "end 0x80020", kInL1);
}

} // namespace
} // namespace aicore
