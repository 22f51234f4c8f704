#include "tests/pure/program_samples.h"

#include <gtest/gtest.h>

namespace aicore::tb {
namespace {

/// K loop of a small matrix product, written as generators of sequences write it: every field
/// stands there, also those without effect.
constexpr const char* kMatmul = R"(program: sample
note: two K pieces
variables: {rows: 16, pitch: rows*2}
tensors:
  a.piece: {dtype: float16, shape: [2, rows, 16], init: {random: {seed: 1, min: -1, max: 1}}}
  b: {dtype: float16, shape: [pitch, 16], note: second operand}
  out: {dtype: float32, shape: [16, 16], init: {fill_bytes: 0xa5}}
cores:
  aic0:
  - loop: {var: k, count: 2}
    body:
    - {op: nd2nz, pipe: MTE2, src: 'GM:a.piece', src_addr: k*512, dst: L1, dst_addr: 0, elem_bytes: 2,
      nd_num: 1, n_value: rows, d_value: 16, src_nd_matrix_stride: 0, src_d_value: 16,
      dst_nz_c0_stride: 16, dst_nz_n_stride: 1, dst_nz_matrix_stride: 0}
    - {op: nd2nz, pipe: MTE2, src: 'GM:b', src_addr: k*512, dst: L1, dst_addr: 512, elem_bytes: 2,
      n_value: 16, d_value: 16, src_d_value: 16, dst_nz_c0_stride: 16}
    - {sync: [MTE2, MTE1], event: k}
    - loop: {var: i, count: k + 1}
      body:
      - {op: load2d, src: L1, src_addr: i*512, dst: L0A, dst_addr: 1024*i+512*k, elem_bytes: 2,
        repeat: 1, transpose: false}
    - {op: load2d, src: L1, src_addr: 512, dst: L0B, dst_addr: 0, elem_bytes: 2, repeat: 1,
      transpose: true}
    - {op: mmad, pipe: M, a: L0A, a_addr: 0, b: L0B, b_addr: 0, c: L0C, c_addr: 0,
      ab_dtype: float16, c_dtype: float32, m: 16, n: 16, k: 16,
      c_init_zero: {index: k, values: [true, false]}, unit_flag: {index: k, values: [2, 3]},
      k_direction_align: false}
  - {op: fixpipe, pipe: FIX, src: L0C, src_addr: 0, dst: 'GM:out', dst_addr: 0, src_dtype: float32,
    dst_dtype: float32, layout: NZ2ND, n_size: 16, m_size: 16, src_stride: 16, dst_stride: 16,
    dst_stride_unit: element, nd_num: 1, src_nd_stride: 0, dst_nd_stride: 0, quant_pre: none,
    quant_scalar: 70369817919488, relu: false, unit_flag: 3, channel_split: false}
  - {op: clear_unit_flags, pipe: FIX, note: optional}
)";

TEST(Program, WalksNestedLoops) {
    const Program program = load_text(kMatmul);
    EXPECT_EQ(program.name, "sample");
    ASSERT_NO_THROW(check_program(program, test_limits()));

    const std::vector<Instruction> all = instructions_of(program);
    std::vector<std::string> names;
    for (const Instruction& instruction : all) names.emplace_back(mnemonic(instruction.operation));
    const std::vector<std::string> expected{
        "nd2nz",  "nd2nz",  "set_flag", "wait_flag", "load2d",          "load2d",
        "mmad",   "nd2nz",  "nd2nz",    "set_flag",  "wait_flag",       "load2d",
        "load2d", "load2d", "mmad",     "fixpipe",   "clear_unit_flags"};
    ASSERT_EQ(names, expected);

    const auto& first = std::get<Nd2Nz>(all[0].operation);
    EXPECT_EQ(first.src_addr, 0u);
    EXPECT_EQ(first.n_value, 16);
    EXPECT_EQ(std::get<Nd2Nz>(all[1].operation).src_addr, 1024u);
    EXPECT_EQ(std::get<Nd2Nz>(all[7].operation).src_addr, 512u);
    EXPECT_EQ(std::get<Nd2Nz>(all[8].operation).src_addr, 1536u);
    EXPECT_EQ(std::get<Load2d>(all[12].operation).dst_addr, 1536u);
    EXPECT_EQ(std::get<Load2d>(all[5].operation).dst, Buffer::L0B);
    EXPECT_TRUE(std::get<Load2d>(all[5].operation).transpose);
    EXPECT_EQ(std::get<Mmad>(all[6].operation).init, MmadInit::zero);
    EXPECT_EQ(std::get<Mmad>(all[6].operation).unit_flag, UnitFlagMode::keep);
    EXPECT_EQ(std::get<Mmad>(all[14].operation).init, MmadInit::l0c);
    EXPECT_EQ(std::get<Mmad>(all[14].operation).unit_flag, UnitFlagMode::toggle);
    const auto& fixpipe = std::get<Fixpipe>(all[15].operation);
    EXPECT_EQ(fixpipe.dst_addr, 2048u);
    EXPECT_EQ(fixpipe.layout, FixpipeLayout::NZ2ND);
    EXPECT_EQ(fixpipe.unit_flag, UnitFlagMode::toggle);
}

TEST(Program, GivesPlacesOfInstructions) {
    const std::vector<Instruction> all = instructions_of(load_text(kMatmul));
    EXPECT_EQ(all[0].place.line, 12);
    EXPECT_EQ(all[0].place.column, 7);
    EXPECT_EQ(all[2].place.line, 17); // both halves of the sync
    EXPECT_EQ(all[3].place.line, 17);
    EXPECT_EQ(all[13].place.line, 22);
}

TEST(Program, ExpandsSync) {
    const std::vector<Instruction> all = instructions_of(load_text(kMatmul));
    const auto& set = std::get<SetFlag>(all[9].operation);
    const auto& wait = std::get<WaitFlag>(all[10].operation);
    EXPECT_EQ(set.src, Pipe::MTE2);
    EXPECT_EQ(set.dst, Pipe::MTE1);
    EXPECT_EQ(set.id, 1);
    EXPECT_EQ(wait.src, Pipe::MTE2);
    EXPECT_EQ(wait.dst, Pipe::MTE1);
    EXPECT_EQ(wait.id, 1);
}

TEST(ProgramSource, RewindsAndWalksIndependently) {
    const Program program = load_text(kMatmul);
    ProgramSource a(program, program.cores.front()), b(program, program.cores.front());
    Instruction instruction;
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(a.next(instruction));
    const std::vector<Instruction> from_b = collect(b);
    EXPECT_EQ(from_b.size(), 17u);
    ASSERT_TRUE(a.next(instruction));
    EXPECT_EQ(disassemble(instruction.operation), disassemble(from_b[9].operation));
    a.rewind();
    const std::vector<Instruction> again = collect(a);
    ASSERT_EQ(again.size(), 17u);
    for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(disassemble(again[i].operation), disassemble(from_b[i].operation));
    }
    EXPECT_FALSE(a.next(instruction));
}

TEST(Program, ReadsEveryInstruction) {
    const Program program = load_text(with_body(R"(
{op: data_copy, pipe: MTE2, src: GM, src_addr: 0x400, dst: L1, dst_addr: 64, block_len: 2},
{op: data_copy, src: L1, src_addr: 64, dst: 'GM:out', dst_addr: 32, block_count: 2, block_len: 1, dst_gap: 3},
{op: l1_to_bt, src_addr: 0, dst_addr: 64, block_len: 1},
{op: l1_to_fb, src: L1, src_addr: 0, dst_addr: 0, bytes: 128, table: quant_pre},
{op: set_ctrl, mm_direction: row_major, hf32: true},
{op: set_flag, src: M, dst: MTE1, id: 2},
{op: wait_flag, src: M, dst: MTE1, id: 2},
{op: pipe_barrier, pipe: ALL},
{op: mmad, a_addr: 0, b_addr: 0, c_addr: 0, ab_dtype: int8, c_dtype: int32, m: 1, n: 16, k: 32, c_init_zero: false, c_init_bias: true, bias_addr: 64, gemv: true}
)"));
    ASSERT_NO_THROW(check_program(program, test_limits()));
    const std::vector<Instruction> all = instructions_of(program);
    ASSERT_EQ(all.size(), 9u);
    EXPECT_EQ(std::get<DataCopy>(all[0].operation).src_addr, 1024u);
    const auto& store = std::get<DataCopy>(all[1].operation);
    EXPECT_EQ(store.dst_addr, 4128u);
    EXPECT_EQ(store.src, Buffer::L1);
    EXPECT_EQ(store.dst_gap, 3);
    EXPECT_EQ(std::get<L1ToBt>(all[2].operation).dst_addr, 64u);
    EXPECT_EQ(std::get<L1ToFb>(all[3].operation).bytes, 128);
    const auto& ctrl = std::get<SetCtrl>(all[4].operation);
    EXPECT_EQ(ctrl.mm_direction, Traversal::row_major);
    EXPECT_EQ(ctrl.hf32, true);
    EXPECT_EQ(ctrl.float_overflow, std::nullopt);
    EXPECT_EQ(std::get<SetFlag>(all[5].operation).id, 2);
    EXPECT_EQ(std::get<WaitFlag>(all[6].operation).dst, Pipe::MTE1);
    EXPECT_EQ(std::get<PipeBarrier>(all[7].operation).pipe, Pipe::ALL);
    const auto& mmad = std::get<Mmad>(all[8].operation);
    EXPECT_EQ(mmad.init, MmadInit::bias);
    EXPECT_EQ(mmad.bias_addr, 64u);
    EXPECT_EQ(mmad.ab_type, DataType::int8);
}

TEST(Program, ReadsJson) {
    const Program program = load_text(R"({
  "program": "json",
  "variables": {"step": 512},
  "tensors": {"a": {"dtype": "int8", "shape": [1024], "init": {"range": {"start": -5, "step": 0}}}},
  "cores": {"aic0": [
    {"loop": {"var": "k", "count": 2},
     "body": [{"op": "data_copy", "src": "GM:a", "src_addr": "k*step", "dst": "L1", "dst_addr": 0,
               "block_len": 16}]},
    {"sync": ["MTE2", "MTE1"], "event": 0}]}
})");
    ASSERT_NO_THROW(check_program(program, test_limits()));
    const std::vector<Instruction> all = instructions_of(program);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(std::get<DataCopy>(all[1].operation).src_addr, 512u);
    EXPECT_EQ(all[1].place.line, 7);
}

TEST(Program, SkipsLoopsWithoutIterations) {
    const Program program = load_text(with_body(R"(
{loop: {var: i, count: 0}, body: [{op: pipe_barrier, pipe: ALL}]},
{loop: {var: i, count: 1000000000}, body: []},
{loop: {var: i, count: 3}, body: [{loop: {var: j, count: i}, body: [{op: clear_unit_flags}]}]}
)"));
    EXPECT_EQ(instructions_of(program).size(), 3u);
}

TEST(GmRange, SpansWhatAnInstructionTouches) {
    Nd2Nz load;
    load.src_addr = 100;
    load.nd_num = 2, load.n_value = 3, load.d_value = 5, load.src_d_value = 7;
    load.src_nd_matrix_stride = 50;
    EXPECT_EQ(gm_range(load, {})->begin, 100u);
    EXPECT_EQ(gm_range(load, {})->end, 100u + 2 * (50 + 14 + 5));
    load.d_value = 0;
    EXPECT_FALSE(gm_range(load, {}));

    Fixpipe store;
    store.dst_addr = 64;
    store.m_size = 20, store.n_size = 32, store.dst_stride = 100;
    EXPECT_EQ(gm_range(store, {})->end, 64u + 100 * 32 + 20 * 64);
    store.layout = FixpipeLayout::NZ2ND;
    EXPECT_EQ(gm_range(store, {})->end, 64u + (19 * 100 + 32) * 4);
    store.dst = Buffer::L1;
    EXPECT_FALSE(gm_range(store, {}));
    EXPECT_FALSE(gm_range(Mmad{}, {}));

    store.dst = Buffer::GM;
    store.broadcast = true;
    FixpipeReadings whole_fractals;
    whole_fractals.broadcast = BroadcastRows::fractals;
    EXPECT_EQ(gm_range(store, {})->end, 64u + (19 * 100 + 32) * 4);
    EXPECT_EQ(gm_range(store, whole_fractals)->end, 64u + (31 * 100 + 32) * 4);

    DataCopy copy;
    copy.block_count = 2, copy.block_len = 3, copy.src_gap = 1, copy.dst_gap = 9;
    EXPECT_EQ(gm_range(copy, {})->end, 32u * 7);
}

} // namespace
} // namespace aicore::tb
