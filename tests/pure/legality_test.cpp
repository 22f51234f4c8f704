// Each rule: the last legal value is accepted, the first illegal one is refused by that rule.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aicore {
namespace {

Nd2Nz nd2nz() {
    Nd2Nz op;
    op.n_value = 16;
    op.d_value = 32;
    op.src_d_value = 32;
    op.dst_nz_c0_stride = 16;
    return op;
}

TEST(Nd2NzLegality, Ranges) {
    expect_legal(nd2nz());
    expect_range(nd2nz(), &Nd2Nz::nd_num, "nd_num", 0, 4095);
    expect_range(nd2nz(), &Nd2Nz::n_value, "n_value", 0, 16384);
    expect_range(nd2nz(), &Nd2Nz::d_value, "d_value", 0, 65535);
    expect_range(nd2nz(), &Nd2Nz::src_nd_matrix_stride, "src_nd_matrix_stride", 0, 65535);
    expect_range(nd2nz(), &Nd2Nz::src_d_value, "src_d_value", 1, 65535);
    expect_range(nd2nz(), &Nd2Nz::dst_nz_c0_stride, "dst_nz_c0_stride", 1, 16384);
    expect_range(nd2nz(), &Nd2Nz::dst_nz_n_stride, "dst_nz_n_stride", 1, 16384);
    expect_range(nd2nz(), &Nd2Nz::dst_nz_matrix_stride, "dst_nz_matrix_stride", 0, 16384);

    Nd2Nz op = nd2nz();
    for (const int bytes : {1, 2, 4}) {
        op.elem_bytes = bytes;
        expect_legal(op);
    }
    op.elem_bytes = 3;
    expect_broken(op, "elem_bytes", "3", "must be 1, 2 or 4");
}

TEST(Nd2NzLegality, Alignment) {
    Nd2Nz op = nd2nz();
    op.src_addr = 1;
    op.dst_addr = 32;
    expect_legal(op);
    op.dst_addr = 48;
    expect_broken(op, "dst_addr", "0x30", "L1 address must be a multiple of 32");

    op = nd2nz();
    op.nd_num = 2;
    op.dst_nz_matrix_stride = 528; // 1056 bytes
    expect_legal(op);
    op.dst_nz_matrix_stride = 520;
    expect_broken(op, "dst_nz_matrix_stride", "1040 bytes", "must be a multiple of 32 bytes");
    op.nd_num = 1; // the stride has no meaning
    expect_legal(op);
}

TEST(Nd2NzLegality, EndInL1) {
    const std::string rule = "must lie inside L1 (524288 bytes)";
    Nd2Nz op = nd2nz(); // 2 panels of 16 rows
    op.dst_addr = 524288 - 1024;
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x80020", rule);

    op = nd2nz();
    op.dst_nz_c0_stride = 16384 - 16; // second panel ends with the buffer
    expect_legal(op);
    op.dst_nz_c0_stride += 1;
    expect_broken(op, "dst_addr", "end 0x80020", rule);

    op = nd2nz();
    op.d_value = 16;
    op.dst_nz_n_stride = 1092; // 15 * 1092 + 1 = 16381 blocks
    expect_legal(op);
    op.dst_nz_n_stride = 1093;
    expect_broken(op, "dst_addr", "end 0x80180", rule);

    op = nd2nz();
    op.nd_num = 17;
    op.elem_bytes = 2;
    op.dst_nz_matrix_stride = 16352; // 16 * 32704 + 1024 = 524288
    expect_legal(op);
    op.dst_nz_matrix_stride = 16368;
    expect_broken(op, "dst_addr", "end 0x80200", rule);

    op = nd2nz();
    op.dst_addr = 524288;
    expect_broken(op, "dst_addr", "0x80000", rule);

    op = nd2nz();
    op.d_value = 17; // the zero-filled tail counts
    op.dst_addr = 524288 - 1024;
    expect_legal(op);
    op.d_value = 33;
    expect_broken(op, "dst_addr", "end 0x80200", rule);
}

TEST(Nd2NzLegality, EndInGm) {
    const std::string rule = "must lie inside GM (1073741824 bytes)";
    Nd2Nz op = nd2nz();
    op.src_d_value = 100; // ends 15 * 200 + 64 bytes on
    op.src_addr = (1u << 30) - 3064;
    expect_legal(op);
    op.src_addr += 1;
    expect_broken(op, "src_addr", "end 0x40000001", rule);

    op = nd2nz();
    op.nd_num = 3;
    op.src_nd_matrix_stride = 1000; // 2 * 2000 + 1024
    op.src_addr = (1u << 30) - 5024;
    expect_legal(op);
    op.src_addr += 1;
    expect_broken(op, "src_addr", "end 0x40000001", rule);

    op = nd2nz();
    op.src_addr = UINT64_MAX;
    expect_broken(op, "src_addr", "0xffffffffffffffff", rule);
}

TEST(Nd2NzLegality, AZeroSizeTouchesNothing) {
    for (std::int64_t Nd2Nz::*field : {&Nd2Nz::nd_num, &Nd2Nz::n_value, &Nd2Nz::d_value}) {
        Nd2Nz op = nd2nz();
        op.dst_addr = 1u << 20;
        op.*field = 0;
        expect_legal(op);
    }
}

DataCopy data_copy(Buffer src, Buffer dst) {
    DataCopy op;
    op.src = src;
    op.dst = dst;
    op.block_count = 2;
    op.block_len = 4;
    return op;
}

TEST(DataCopyLegality, Ranges) {
    const DataCopy op = data_copy(Buffer::GM, Buffer::L1);
    expect_legal(op);
    expect_range(op, &DataCopy::block_count, "block_count", 0, 4095);
    expect_range(op, &DataCopy::block_len, "block_len", 0, 65535);
    expect_range(op, &DataCopy::src_gap, "src_gap", 0, 65535);
    expect_range(op, &DataCopy::dst_gap, "dst_gap", 0, 65535);
}

TEST(DataCopyLegality, OnlyBetweenGmAndL1) {
    expect_legal(data_copy(Buffer::L1, Buffer::GM));
    const std::string rule = "must be GM -> L1 or L1 -> GM";
    expect_broken(data_copy(Buffer::GM, Buffer::GM), "src/dst", "GM -> GM", rule);
    expect_broken(data_copy(Buffer::L1, Buffer::L0A), "src/dst", "L1 -> L0A", rule);
    expect_broken(data_copy(Buffer::GM, Buffer::UB), "src/dst", "GM -> UB", rule);
}

TEST(DataCopyLegality, AddressesAndEnds) {
    DataCopy op = data_copy(Buffer::GM, Buffer::L1);
    op.src_addr = 5;
    op.dst_addr = 16;
    expect_broken(op, "dst_addr", "0x10", "L1 address must be a multiple of 32");
    op.dst_gap = 3; // 11 blocks
    op.dst_addr = 524288 - 352;
    expect_legal(op);
    op.dst_addr += 32;
    expect_broken(op, "dst_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");

    op = data_copy(Buffer::GM, Buffer::L1);
    op.src_gap = 2; // 10 blocks
    op.src_addr = (1u << 30) - 320;
    expect_legal(op);
    op.src_addr += 1;
    expect_broken(op, "src_addr", "end 0x40000001", "must lie inside GM (1073741824 bytes)");

    op = data_copy(Buffer::L1, Buffer::GM);
    op.src_addr = 524288 - 256;
    expect_legal(op);
    op.src_addr += 32;
    expect_broken(op, "src_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
    op.src_addr = 16;
    expect_broken(op, "src_addr", "0x10", "L1 address must be a multiple of 32");
    op.src_addr = 0;
    op.dst_gap = 1; // 9 blocks
    op.dst_addr = (1u << 30) - 288;
    expect_legal(op);
    op.dst_addr += 1;
    expect_broken(op, "dst_addr", "end 0x40000001", "must lie inside GM (1073741824 bytes)");
    op.block_len = 0;
    expect_legal(op);
}

Load2d load2d(Buffer dst) {
    Load2d op;
    op.dst = dst;
    op.repeat = 4;
    return op;
}

TEST(Load2dLegality, Fields) {
    expect_legal(load2d(Buffer::L0A));
    expect_legal(load2d(Buffer::L0B));
    expect_broken(load2d(Buffer::L0C), "dst", "L0C", "must be L0A or L0B");
    const Load2d op = load2d(Buffer::L0A);
    expect_range(op, &Load2d::start_index, "start_index", 0, 65535);
    expect_range(op, &Load2d::repeat, "repeat", 0, 255);
    expect_range(op, &Load2d::src_stride, "src_stride", 0, 65535);
    expect_range(op, &Load2d::dst_gap, "dst_gap", 0, 65535);

    Load2d transposed = op;
    transposed.transpose = true;
    expect_legal(transposed);
    transposed.elem_bytes = 4;
    expect_broken(transposed, "transpose", "4-byte elements",
                  "only 2-byte elements can be transposed");
    transposed.elem_bytes = 8;
    expect_broken(transposed, "elem_bytes", "8", "must be 1, 2 or 4");
}

TEST(Load2dLegality, AddressesAndEnds) {
    Load2d op = load2d(Buffer::L0A);
    op.src_addr = 32;
    expect_legal(op);
    op.src_addr = 8;
    expect_broken(op, "src_addr", "0x8", "L1 address must be a multiple of 32");
    op = load2d(Buffer::L0B);
    op.dst_addr = 0x10100;
    expect_broken(op, "dst_addr", "0x10100", "L0B address must be a multiple of 512");

    op = load2d(Buffer::L0A);
    op.start_index = 1014;
    op.src_stride = 3; // the last fractal of L1 is 1023
    expect_legal(op);
    op.start_index = 1015;
    expect_broken(op, "src_addr", "end 0x80200", "must lie inside L1 (524288 bytes)");

    op = load2d(Buffer::L0A);
    op.dst_gap = 1; // 7 fractals
    op.dst_addr = 65536 - 7 * 512;
    expect_legal(op);
    op.dst_addr += 512;
    expect_broken(op, "dst_addr", "end 0x10200", "must lie inside L0A (65536 bytes)");
    op.repeat = 0;
    expect_legal(op);
}

TEST(TableLegality, L1ToBt) {
    L1ToBt op;
    op.block_len = 16;
    expect_legal(op);
    expect_range(op, &L1ToBt::block_count, "block_count", 0, 4095);
    expect_range(op, &L1ToBt::block_len, "block_len", 0, 65535);
    expect_range(op, &L1ToBt::src_gap, "src_gap", 0, 65535);
    expect_range(op, &L1ToBt::dst_gap, "dst_gap", 0, 65535);

    op.dst_addr = 64;
    expect_broken(op, "dst_addr", "end 0x440", "must lie inside BT (1024 bytes)");
    op.dst_addr = 32;
    expect_broken(op, "dst_addr", "0x20", "BT address must be a multiple of 64");
    op.dst_addr = 0;
    op.src_addr = 16;
    expect_broken(op, "src_addr", "0x10", "L1 address must be a multiple of 32");

    op.block_count = 2;
    op.block_len = 2;
    op.src_gap = 1; // 128 + 32 + 128 bytes
    op.src_addr = 524288 - 288;
    expect_legal(op);
    op.src_addr += 32;
    expect_broken(op, "src_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
    op.src_addr = 0;
    op.dst_gap = 12; // 16 entries
    expect_legal(op);
    op.dst_gap = 13;
    expect_broken(op, "dst_addr", "end 0x440", "must lie inside BT (1024 bytes)");
    op.block_count = 0;
    expect_legal(op);
}

TEST(TableLegality, L1ToFb) {
    L1ToFb op;
    op.bytes = 2048;
    expect_legal(op);
    expect_range(op, &L1ToFb::bytes, "bytes", 0, 65535 * 128);
    op.dst_addr = 128;
    expect_broken(op, "dst_addr", "end 2176", "must lie inside slice 0 of FB (2048 bytes)");
    op.dst_addr = 64;
    expect_broken(op, "dst_addr", "0x40", "FB address must be a multiple of 128");
    op.dst_addr = 0;
    op.bytes = 64;
    expect_broken(op, "bytes", "64", "must be a multiple of 128");
    op.bytes = 128;
    op.src_addr = 16;
    expect_broken(op, "src_addr", "0x10", "L1 address must be a multiple of 32");
    op.src_addr = 524288 - 128;
    expect_legal(op);
    op.src_addr += 32;
    expect_broken(op, "src_addr", "end 0x80020", "must lie inside L1 (524288 bytes)");
    op.bytes = 0;
    expect_legal(op);
}

TEST(EventLegality, ExactlyTheEventsOfTheCubeCore) {
    const std::vector<std::string> events{
        "MTE2_MTE1", "MTE1_MTE2", "MTE1_M",   "M_MTE1",   "MTE3_MTE1", "MTE1_MTE3",
        "MTE2_M",    "M_MTE2",    "M_FIX",    "FIX_M",    "MTE3_MTE2", "MTE2_MTE3",
        "S_MTE2",    "MTE2_S",    "S_MTE3",   "MTE3_S",   "MTE2_FIX",  "FIX_MTE2",
        "FIX_S",     "M_S",       "FIX_MTE3", "MTE1_FIX", "FIX_MTE1",  "FIX_FIX"};
    for (int src = 0; src <= kPipes; ++src) {
        for (int dst = 0; dst <= kPipes; ++dst) {
            const auto from = static_cast<Pipe>(src), to = static_cast<Pipe>(dst);
            const std::string name =
                std::string(to_string(from)) + "_" + std::string(to_string(to));
            if (std::find(events.begin(), events.end(), name) != events.end()) {
                expect_legal(SetFlag{from, to, 0});
                expect_legal(WaitFlag{from, to, 0});
            } else {
                const std::string rule = "the cube core has no such event (HardEvent list)";
                expect_broken(SetFlag{from, to, 0}, "src/dst", name, rule);
                expect_broken(WaitFlag{from, to, 0}, "src/dst", name, rule);
            }
        }
    }
}

TEST(EventLegality, Ids) {
    expect_legal(SetFlag{Pipe::MTE1, Pipe::M, 7});
    expect_broken(SetFlag{Pipe::MTE1, Pipe::M, 8}, "id", "8", "must be 0 .. 7");
    expect_broken(WaitFlag{Pipe::MTE1, Pipe::M, -1}, "id", "-1", "must be 0 .. 7");
    IsaLimits four = kLimits;
    four.event_ids = 4;
    EXPECT_FALSE(find_violation(WaitFlag{Pipe::MTE1, Pipe::M, 3}, four));
    EXPECT_TRUE(find_violation(WaitFlag{Pipe::MTE1, Pipe::M, 4}, four));
}

TEST(EventLegality, Barriers) {
    for (const Pipe pipe : {Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::FIX, Pipe::ALL})
        expect_legal(PipeBarrier{pipe});
    expect_broken(PipeBarrier{Pipe::S}, "pipe", "S", "PIPE_S is not allowed in a pipe barrier");
    expect_broken(PipeBarrier{Pipe::V}, "pipe", "V", "the cube core has no pipe V");
    expect_legal(ClearUnitFlags{});
    SetCtrl ctrl;
    ctrl.mm_direction = Traversal::row_major;
    expect_legal(ctrl);
    ctrl.hifloat8 = true;
    expect_broken(ctrl, "hifloat8", "given", "bit 45 of CTRL belongs to arch 3510");
}

} // namespace
} // namespace aicore
