#include "hw/isa/instruction.h"

#include <gtest/gtest.h>

#include <variant>

namespace aicore {
namespace {

TEST(Names, EveryPipeBufferAndTypeReadsBackAsWritten) {
    for (int i = 0; i <= kPipes; ++i) {
        const auto pipe = static_cast<Pipe>(i);
        EXPECT_EQ(parse_pipe(to_string(pipe)), pipe);
    }
    for (int i = 0; i < 9; ++i) {
        const auto buffer = static_cast<Buffer>(i);
        EXPECT_EQ(parse_buffer(to_string(buffer)), buffer);
    }
    for (int i = 0; i < 6; ++i) {
        const auto type = static_cast<DataType>(i);
        EXPECT_EQ(parse_data_type(to_string(type)), type);
    }
    EXPECT_EQ(to_string(Pipe::MTE2), "MTE2");
    EXPECT_EQ(to_string(Buffer::L0C), "L0C");
    EXPECT_EQ(to_string(DataType::bfloat16), "bfloat16");
}

TEST(Names, ShortTypeNamesAreAccepted) {
    for (const char* text : {"fp16", "f16", "half"})
        EXPECT_EQ(parse_data_type(text), DataType::float16);
    EXPECT_EQ(parse_data_type("bf16"), DataType::bfloat16);
    for (const char* text : {"fp32", "f32", "float"})
        EXPECT_EQ(parse_data_type(text), DataType::float32);
    EXPECT_EQ(parse_data_type("s4"), DataType::int4);
    EXPECT_EQ(parse_data_type("s8"), DataType::int8);
    EXPECT_EQ(parse_data_type("s32"), DataType::int32);
}

TEST(Names, UnknownNamesAreRefused) {
    EXPECT_FALSE(parse_pipe("mte2"));
    EXPECT_FALSE(parse_pipe(""));
    EXPECT_FALSE(parse_buffer("L2"));
    EXPECT_FALSE(parse_data_type("float64"));
}

TEST(Instruction, GoesToItsPipe) {
    EXPECT_EQ(pipe_of(Nd2Nz{}), Pipe::MTE2);
    DataCopy copy;
    EXPECT_EQ(pipe_of(copy), Pipe::MTE2);
    copy.src = Buffer::L1;
    copy.dst = Buffer::GM;
    EXPECT_EQ(pipe_of(copy), Pipe::MTE3);
    Load2d load;
    EXPECT_EQ(pipe_of(load), Pipe::MTE1);
    load.src = Buffer::GM;
    EXPECT_EQ(pipe_of(load), Pipe::MTE2);
    EXPECT_EQ(pipe_of(Load2dV2{}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(LoadTranspose{}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(LoadSparse{}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(Load3d{}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(L1ToBt{}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(L1ToFb{}), Pipe::FIX);
    EXPECT_EQ(pipe_of(Mmad{}), Pipe::M);
    EXPECT_EQ(pipe_of(Fixpipe{}), Pipe::FIX);
    EXPECT_EQ(pipe_of(ClearUnitFlags{}), Pipe::FIX);
    EXPECT_EQ(pipe_of(SetCtrl{}), Pipe::S);
    EXPECT_EQ(pipe_of(SetFlag{Pipe::MTE1, Pipe::M, 0}), Pipe::MTE1);
    EXPECT_EQ(pipe_of(WaitFlag{Pipe::MTE1, Pipe::M, 0}), Pipe::M);
    EXPECT_EQ(pipe_of(PipeBarrier{Pipe::MTE3}), Pipe::MTE3);
    EXPECT_EQ(pipe_of(PipeBarrier{Pipe::ALL}), Pipe::S);
}

TEST(Instruction, HasTheNameThatProgramsUse) {
    EXPECT_EQ(mnemonic(Nd2Nz{}), "nd2nz");
    EXPECT_EQ(mnemonic(DataCopy{}), "data_copy");
    EXPECT_EQ(mnemonic(Load2d{}), "load2d");
    EXPECT_EQ(mnemonic(L1ToBt{}), "l1_to_bt");
    EXPECT_EQ(mnemonic(L1ToFb{}), "l1_to_fb");
    EXPECT_EQ(mnemonic(Mmad{}), "mmad");
    EXPECT_EQ(mnemonic(Fixpipe{}), "fixpipe");
    EXPECT_EQ(mnemonic(ClearUnitFlags{}), "clear_unit_flags");
    EXPECT_EQ(mnemonic(SetCtrl{}), "set_ctrl");
    EXPECT_EQ(mnemonic(SetFlag{}), "set_flag");
    EXPECT_EQ(mnemonic(WaitFlag{}), "wait_flag");
    EXPECT_EQ(mnemonic(PipeBarrier{}), "pipe_barrier");
    EXPECT_EQ(mnemonic(Load2dV2{}), "load2d_v2");
    EXPECT_EQ(mnemonic(LoadTranspose{}), "load_transpose");
    EXPECT_EQ(mnemonic(LoadSparse{}), "load_sparse");
    EXPECT_EQ(mnemonic(Load3d{}), "load3d");
}

TEST(Disassembly, Moves) {
    Nd2Nz nd2nz;
    nd2nz.src_addr = 0x1000;
    nd2nz.dst_addr = 0x200;
    nd2nz.n_value = 128;
    nd2nz.d_value = 64;
    nd2nz.src_d_value = 512;
    nd2nz.dst_nz_c0_stride = 128;
    EXPECT_EQ(disassemble(nd2nz),
              "nd2nz 128x64 b16 GM[0x1000] pitch 512 -> L1[0x200] panel 128 row 1");
    nd2nz.nd_num = 3;
    EXPECT_EQ(disassemble(nd2nz),
              "nd2nz 3x128x64 b16 GM[0x1000] pitch 512 -> L1[0x200] panel 128 row 1");

    DataCopy copy;
    copy.src = Buffer::L1;
    copy.dst = Buffer::GM;
    copy.dst_addr = 0xa0;
    copy.block_len = 4;
    EXPECT_EQ(disassemble(copy), "data_copy 1x128 B L1[0x0] -> GM[0xa0]");
    copy.block_count = 2;
    copy.dst_gap = 1;
    EXPECT_EQ(disassemble(copy), "data_copy 2x128 B gaps 0,32 L1[0x0] -> GM[0xa0]");

    Load2d load;
    load.dst = Buffer::L0B;
    load.repeat = 16;
    load.src_stride = 4;
    load.transpose = true;
    EXPECT_EQ(disassemble(load), "load2d x16 L1[0x0] -> L0B[0x0] start 0 stride 4 gap 0 transpose");

    L1ToBt bt;
    bt.block_len = 2;
    EXPECT_EQ(disassemble(bt), "l1_to_bt 1x128 B L1[0x0] -> BT[0x0]");
    L1ToFb fb;
    fb.bytes = 256;
    EXPECT_EQ(disassemble(fb), "l1_to_fb 256 B L1[0x0] -> FB[0x0]");
}

TEST(Disassembly, Loads) {
    Load2d load;
    load.src = Buffer::GM;
    load.repeat = 2;
    load.start_index = 7;
    load.addr_mode = AddrMode::dec;
    EXPECT_EQ(disassemble(load), "load2d x2 GM[0x0] -> L0A[0x0] start 7 stride 1 gap 0 dec");

    Load2dV2 v2;
    v2.m_step = 2;
    v2.k_step = 3;
    v2.k_start = 1;
    v2.src_stride = -4;
    v2.dst_stride = 2;
    v2.transpose = true;
    EXPECT_EQ(disassemble(v2),
              "load2d_v2 2x3 b16 L1[0x0] -> L0A[0x0] start 0,1 strides -4,2 transpose");

    LoadTranspose square;
    square.dst = Buffer::L0B;
    square.elem_bits = 4;
    square.repeat = 5;
    square.dst_frac_gap = 2;
    EXPECT_EQ(disassemble(square),
              "load_transpose x5 b4 L1[0x0] -> L0B[0x0] start 0 stride 1 gaps 0,2");

    LoadSparse sparse;
    sparse.repeat = 8;
    sparse.index_addr = 0x800;
    EXPECT_EQ(disassemble(sparse), "load_sparse x8 L1[0x0] -> L0B[0x0] indices L1[0x800] start 0");

    Load3d map;
    map.l1_h = 4;
    map.l1_w = 8;
    map.channel_size = 32;
    map.m_extension = 16;
    map.k_extension = 64;
    map.m_start = 16;
    map.filter_size_w = true;
    map.pad_left = 250;
    EXPECT_EQ(disassemble(map), "load3d 16x64 at 16,0 b16 L1[0x0] -> L0A[0x0] map 4x8x32 filter "
                                "1x257 stride 1,1 dilation 1,1 pad 250,0,0,0");
    map.pad_value = 0x3c00;
    map.dst_stride = 4;
    map.transpose = true;
    EXPECT_EQ(disassemble(map),
              "load3d 16x64 at 16,0 b16 L1[0x0] -> L0A[0x0] map 4x8x32 filter 1x257 stride 1,1 "
              "dilation 1,1 pad 250,0,0,0 of 0x3c00 dst stride 4 transpose");

    L1ToBt bt;
    bt.block_len = 2;
    bt.src_type = DataType::float16;
    EXPECT_EQ(disassemble(bt), "l1_to_bt 1x128 B L1[0x0] -> BT[0x0] from float16");
    L1ToFb fb;
    fb.bytes = 256;
    fb.block_count = 3;
    fb.src_stride = 8;
    fb.dst_stride = 2;
    fb.dst_addr = 0x10000;
    EXPECT_EQ(disassemble(fb), "l1_to_fb 3x256 B strides 256,256 L1[0x0] -> FB[0x10000]");
}

TEST(Disassembly, CubeAndFixpipe) {
    Mmad mmad;
    mmad.m = 128;
    mmad.n = 256;
    mmad.k = 64;
    mmad.init = MmadInit::l0c;
    mmad.unit_flag = UnitFlagMode::toggle;
    EXPECT_EQ(disassemble(mmad),
              "mmad 128x256x64 float16 L0A[0x0] L0B[0x0] -> L0C[0x0] init=l0c unit_flag=3");
    mmad.unit_flag = UnitFlagMode::off;
    mmad.init = MmadInit::bias;
    mmad.bias_addr = 64;
    EXPECT_EQ(disassemble(mmad),
              "mmad 128x256x64 float16 L0A[0x0] L0B[0x0] -> L0C[0x0] init=bias BT[0x40]");

    Fixpipe fixpipe;
    fixpipe.dst_type = DataType::float16;
    fixpipe.quant_pre = QuantPreMode::F322F16;
    fixpipe.relu_pre = ReluMode::normal;
    fixpipe.m_size = 128;
    fixpipe.n_size = 256;
    fixpipe.src_stride = 128;
    fixpipe.dst_stride = 96;
    fixpipe.unit_flag = UnitFlagMode::keep;
    EXPECT_EQ(disassemble(fixpipe), "fixpipe 128x256 float32->float16 NZ L0C[0x0] -> GM[0x0] "
                                    "pitch 128->96 quant=F322F16 relu unit_flag=2");
    fixpipe.layout = FixpipeLayout::NZ2ND;
    fixpipe.nd_num = 2;
    EXPECT_EQ(disassemble(fixpipe), "fixpipe 2x128x256 float32->float16 NZ2ND L0C[0x0] -> "
                                    "GM[0x0] pitch 128->96 quant=F322F16 relu unit_flag=2");
}

TEST(Disassembly, Synchronisation) {
    EXPECT_EQ(disassemble(SetFlag{Pipe::MTE1, Pipe::M, 3}), "set_flag MTE1->M id 3");
    EXPECT_EQ(disassemble(WaitFlag{Pipe::M, Pipe::FIX, 0}), "wait_flag M->FIX id 0");
    EXPECT_EQ(disassemble(PipeBarrier{Pipe::ALL}), "pipe_barrier ALL");
    SetCtrl ctrl{true,
                 true,
                 false,
                 FloatOverflow::saturate,
                 SaturatedNan::keep,
                 Traversal::row_major,
                 IntegerOverflow::saturate};
    EXPECT_EQ(disassemble(ctrl),
              "set_ctrl hifloat8=true hf32=true hf32_trans=false float_overflow=saturate "
              "fp8_nan=keep mm_direction=row_major integer_overflow=saturate");
    EXPECT_EQ(disassemble(SetCtrl{}), "set_ctrl");

    Mmad mixed;
    mixed.ab_type = DataType::fp8_e5m2;
    mixed.b_type = DataType::fp8_e4m3;
    EXPECT_EQ(disassemble(mixed), "mmad 0x0x0 fp8_e5m2 x fp8_e4m3 L0A[0x0] L0B[0x0] -> L0C[0x0] "
                                  "init=zero");
    mixed = {};
    mixed.ab_type = DataType::int8;
    mixed.sparse = true;
    EXPECT_EQ(disassemble(mixed), "mmad 0x0x0 int8 sparse L0A[0x0] L0B[0x0] -> L0C[0x0] init=zero");
    EXPECT_EQ(disassemble(ClearUnitFlags{}), "clear_unit_flags");
}

} // namespace
} // namespace aicore
