#include "tests/pure/program_samples.h"

#include "tb/program/program_writer.h"

#include <gtest/gtest.h>

#include <sstream>

namespace aicore::tb {
namespace {

/// A list of instructions as a source.
class ListSource : public InstructionSource {
public:
    explicit ListSource(std::vector<Operation> list) : list_(std::move(list)) {}

    bool next(Instruction& instruction) override {
        if (position_ == list_.size()) return false;
        instruction = {list_[position_++], {}};
        return true;
    }
    void rewind() override { position_ = 0; }

private:
    std::vector<Operation> list_;
    std::size_t position_ = 0;
};

std::string write(const std::vector<Tensor>& tensors, InstructionSource& source) {
    std::ostringstream out;
    write_program(out, "it's", tensors, {{"aic0", &source}});
    return out.str();
}

std::vector<Tensor> sample_tensors() {
    Tensor a;
    a.name = "a";
    a.shape = {4, 64, 64};
    a.address = 1000;
    a.init = RandomData{5, -0.1, 1};
    Tensor out;
    out.name = "out";
    out.type = DataType::float32;
    out.shape = {64, 64};
    out.address = 65536;
    out.init = FillBytesData{0xa5};
    out.golden = {MatmulGolden{"a", "a", "", false, true, true}, GoldenRule::isclose, 1e-3, 0,
                  0.25};
    return {a, out};
}

/// Every instruction, every field off its default.
std::vector<Operation> sample_operations() {
    std::vector<Operation> list;
    list.emplace_back(Nd2Nz{1000 + 8192, 64, 2, 2, 16, 32, 512, 48, 17, 2, 640});
    list.emplace_back(DataCopy{Buffer::GM, Buffer::L1, 512, 4096, 3, 2, 1, 5});
    list.emplace_back(DataCopy{Buffer::L1, Buffer::GM, 32, 65536 + 64, 2, 1, 4, 3});
    list.emplace_back(Load2d{Buffer::L0B, 32, 512, 2, 3, 4, 5, 6, true});
    list.emplace_back(L1ToBt{64, 128, 2, 3, 4, 1});
    list.emplace_back(L1ToFb{32, 128, 256});
    Mmad mmad{512, 1024, 2048, DataType::bfloat16, 32, 48, 64};
    for (const MmadInit init : {MmadInit::zero, MmadInit::l0c, MmadInit::bias}) {
        mmad.init = init;
        mmad.bias_addr = 64;
        mmad.unit_flag = UnitFlagMode::toggle;
        mmad.k_direction_align = init == MmadInit::l0c;
        list.emplace_back(mmad);
    }
    list.emplace_back(Mmad{0, 0, 0, DataType::int8, 1, 16, 32});
    Fixpipe fixpipe{Buffer::GM,
                    1024,
                    65536,
                    DataType::float32,
                    DataType::int8,
                    FixpipeLayout::NZ2ND,
                    48,
                    16,
                    32,
                    64,
                    2,
                    3,
                    1024,
                    false,
                    UnitFlagMode::keep,
                    QuantPreMode::VQF322B8_PRE,
                    0,
                    128,
                    ReluMode::normal};
    list.emplace_back(fixpipe);
    fixpipe.dst = Buffer::L1;
    fixpipe.layout = FixpipeLayout::NZ;
    fixpipe.dst_type = DataType::bfloat16;
    fixpipe.quant_pre = QuantPreMode::F322BF16;
    list.emplace_back(fixpipe);
    list.emplace_back(ClearUnitFlags{});
    SetCtrl ctrl;
    ctrl.hf32_trans = false;
    ctrl.mm_direction = Traversal::row_major;
    ctrl.integer_overflow = IntegerOverflow::saturate;
    list.emplace_back(ctrl);
    list.emplace_back(SetFlag{Pipe::MTE2, Pipe::MTE1, 5});
    list.emplace_back(WaitFlag{Pipe::FIX, Pipe::M, 7});
    list.emplace_back(PipeBarrier{Pipe::M});
    Load2d from_gm{Buffer::L1, 1000 + 512, 32, 4, 9, 3, 4, 5, false, Buffer::GM, AddrMode::dec};
    list.emplace_back(from_gm);
    list.emplace_back(LoadTranspose{Buffer::L0B, 32, 512, 8, 9, 3, 2, 1, 4, AddrMode::dec});
    list.emplace_back(LoadSparse{32, 64, 512, 3, 4});
    list.emplace_back(Load3d{Buffer::L0B, 32, 512,   16,   6, 7, 48,  32, 16,  16,  5,      2,   3,
                             1,           2,  false, true, 3, 2, 100, 2,  255, 255, 0x3c00, true});
    list.emplace_back(L1ToBt{64, 128, 2, 3, 4, 1, DataType::float16});
    list.emplace_back(L1ToFb{32, (1 << 16) + 128, 256, 2, 9, 3, FbTable::relu_pre});
    return list;
}

TEST(ProgramWriter, GivesTensorsOfThePeerBack) {
    IsaLimits limits = test_limits();
    limits.peer_gm_address = 1 << 21;
    limits.peer_gm_bytes = 1 << 20;
    Tensor there;
    there.name = "there";
    there.shape = {64};
    there.memory = TensorMemory::PEER_GM;
    there.address = (1 << 21) + 512;
    ListSource source({DataCopy{Buffer::GM, Buffer::L1, (1 << 21) + 576, 0, 1, 1}});
    std::vector<Tensor> tensors = sample_tensors();
    tensors.push_back(there);
    const std::string text = write(tensors, source);
    EXPECT_NE(text.find("src: 'GM:there', src_addr: 64,"), std::string::npos) << text;
    const Program program = load_program_text(text, "p.yaml", limits);
    ASSERT_NE(program.find_tensor("there"), nullptr);
    EXPECT_EQ(program.find_tensor("there")->memory, TensorMemory::PEER_GM);
    EXPECT_EQ(program.find_tensor("there")->address, there.address);
    EXPECT_EQ(std::get<DataCopy>(instructions_of(program).at(0).operation).src_addr,
              there.address + 64);
}

TEST(ProgramWriter, GivesTheStagesOfAFixpipeBack) {
    Fixpipe written;
    written.m_size = written.n_size = written.src_stride = written.dst_stride = 16;
    written.layout = FixpipeLayout::NZ2ND;
    written.dst_type = DataType::uint8;
    written.quant_pre = QuantPreMode::QF322F16_PRE;
    written.quant_scalar = 0x3f800000;
    written.quant_table_addr = 1;
    written.relu_pre = ReluMode::leaky;
    written.relu_pre_alpha = 0x3e000000;
    written.relu_pre_table_addr = 2;
    written.clip_relu_pre = true;
    written.clip_max = 0x3c00;
    written.quant_post = QuantPostMode::VQF162B8_POST;
    written.quant_post_scalar = std::uint64_t{1} << 39;
    written.quant_post_table_addr = 3;
    written.relu_post = ReluMode::prelu;
    written.relu_post_alpha = 0xbe000000;
    written.relu_post_table_addr = 4;
    written.clip_relu_post = true;
    ListSource source({written});
    const auto read = std::get<Fixpipe>(
        instructions_of(load_text(write(sample_tensors(), source))).at(0).operation);
    EXPECT_EQ(read.dst_type, written.dst_type);
    EXPECT_EQ(read.quant_pre, written.quant_pre);
    EXPECT_EQ(read.quant_scalar, written.quant_scalar);
    EXPECT_EQ(read.quant_table_addr, written.quant_table_addr);
    EXPECT_EQ(read.relu_pre, written.relu_pre);
    EXPECT_EQ(read.relu_pre_alpha, written.relu_pre_alpha);
    EXPECT_EQ(read.relu_pre_table_addr, written.relu_pre_table_addr);
    EXPECT_EQ(read.clip_relu_pre, written.clip_relu_pre);
    EXPECT_EQ(read.clip_max, written.clip_max);
    EXPECT_EQ(read.quant_post, written.quant_post);
    EXPECT_EQ(read.quant_post_scalar, written.quant_post_scalar);
    EXPECT_EQ(read.quant_post_table_addr, written.quant_post_table_addr);
    EXPECT_EQ(read.relu_post, written.relu_post);
    EXPECT_EQ(read.relu_post_alpha, written.relu_post_alpha);
    EXPECT_EQ(read.relu_post_table_addr, written.relu_post_table_addr);
    EXPECT_EQ(read.clip_relu_post, written.clip_relu_post);
}

TEST(ProgramWriter, GivesCopiesToTheUnifiedBufferBack) {
    AscCopyL0c2ubSync written;
    written.dst_addr = 32;
    written.src_addr = 64;
    written.n_size = 64;
    written.m_size = 48;
    written.loop_dst_stride = 768;
    written.loop_src_stride = 48;
    written.dual_dst_ctl = 2;
    written.unit_flag_ctl = 3;
    written.sub_blockid = written.nz2dn_en = written.c0_pad_en = written.eltwise_antq_en = true;
    written.quant_pre = QuantPreMode::QF322HIF8_PRE_HYBRID;
    written.dst_type = DataType::hifloat8;
    written.quant_post = QuantPostMode::QF162B8_POST;
    written.relu_post = 3;
    written.src_nz_c0_stride = 2;
    Fixpipe fixpipe;
    fixpipe.m_size = fixpipe.n_size = fixpipe.src_stride = 16;
    fixpipe.dst = Buffer::UB;
    fixpipe.dst_stride = 256;
    fixpipe.dst_stride_unit = PanelStrideUnit::elements;
    fixpipe.dual_dst = DualDst::split_m;
    fixpipe.broadcast = true;
    ListSource source({written, fixpipe});
    const auto all = instructions_of(load_text(write(sample_tensors(), source)));
    const auto& read = std::get<AscCopyL0c2ubSync>(all.at(0).operation);
    EXPECT_EQ(disassemble(all[0].operation), disassemble(written));
    EXPECT_EQ(read.dual_dst_ctl, 2);
    EXPECT_EQ(read.quant_pre, written.quant_pre);
    EXPECT_EQ(read.quant_post, written.quant_post);
    EXPECT_EQ(read.relu_post, 3);
    EXPECT_EQ(read.src_nz_c0_stride, 2);
    EXPECT_TRUE(read.sub_blockid && read.nz2dn_en && read.c0_pad_en && read.eltwise_antq_en);
    EXPECT_FALSE(read.nz2nd_en || read.split_en || read.broadcast_en);
    EXPECT_EQ(disassemble(all[1].operation), disassemble(fixpipe));
    EXPECT_EQ(std::get<Fixpipe>(all[1].operation).dst_stride_unit, PanelStrideUnit::elements);
}

TEST(ProgramWriter, GivesTheSameInstructionsBack) {
    const std::vector<Operation> operations = sample_operations();
    ListSource source(operations);
    const std::string text = write(sample_tensors(), source);
    const Program program = load_text(text);
    ASSERT_NO_THROW(check_program(program, test_limits()));
    EXPECT_EQ(program.name, "it's");

    const std::vector<Instruction> read = instructions_of(program);
    ASSERT_EQ(read.size(), operations.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(disassemble(read[i].operation), disassemble(operations[i])) << i;
    }
    // Fields that the disassembly does not show.
    const auto& nd2nz = std::get<Nd2Nz>(read[0].operation);
    EXPECT_EQ(nd2nz.src_nd_matrix_stride, 512);
    EXPECT_EQ(nd2nz.dst_nz_matrix_stride, 640);
    EXPECT_TRUE(std::get<Mmad>(read[7].operation).k_direction_align);
    const auto& fixpipe = std::get<Fixpipe>(read[10].operation);
    EXPECT_EQ(fixpipe.src_nd_stride, 3);
    EXPECT_EQ(fixpipe.dst_nd_stride, 1024);

    ProgramSource again(program, program.cores.front());
    EXPECT_EQ(write(program.tensors, again), text);
}

TEST(ProgramWriter, KeepsTheTypesAndModesOfAnMmad) {
    Mmad mixed{0, 0, 0, DataType::fp8_e4m3, 1, 16, 32};
    mixed.b_type = DataType::fp8_e5m2;
    mixed.disable_gemv = true;
    Mmad sparse{0, 0, 0, DataType::int8, 16, 16, 64};
    sparse.sparse = true;
    ListSource source({mixed, sparse, Mmad{0, 0, 0, DataType::int4, 16, 16, 64}});
    const std::vector<Instruction> read =
        instructions_of(load_text(write(sample_tensors(), source)));
    ASSERT_EQ(read.size(), 3u);
    const auto& first = std::get<Mmad>(read[0].operation);
    EXPECT_EQ(first.ab_type, DataType::fp8_e4m3);
    EXPECT_EQ(first.b_type, DataType::fp8_e5m2);
    EXPECT_TRUE(first.disable_gemv);
    EXPECT_FALSE(first.sparse);
    const auto& second = std::get<Mmad>(read[1].operation);
    EXPECT_TRUE(second.sparse);
    EXPECT_EQ(second.b_type, std::nullopt);
    EXPECT_EQ(std::get<Mmad>(read[2].operation).ab_type, DataType::int4);
}

TEST(ProgramWriter, NamesTensorsAndLeavesDefaultsOut) {
    Nd2Nz load;
    load.src_addr = 1000 + 128;
    load.n_value = 16, load.d_value = 16, load.src_d_value = 16, load.dst_nz_c0_stride = 16;
    Nd2Nz outside = load;
    outside.src_addr = 999;
    ListSource source({load, outside, PipeBarrier{}});
    const std::string text = write(sample_tensors(), source);
    EXPECT_EQ(text, R"(program: 'it''s'
tensors:
  a:
    dtype: float16
    shape: [4, 64, 64]
    address: 1000
    init: {random: {seed: 5, min: -0.1, max: 1}}
  out:
    dtype: float32
    shape: [64, 64]
    address: 65536
    init: {fill_bytes: 165}
    golden: {matmul: {a: 'a', b: 'a', transpose_b: true, relu: true}, rule: isclose, rtol: 0.001, atol: 0, max_bad_fraction: 0.25}
cores:
  aic0:
    - {op: nd2nz, src: 'GM:a', src_addr: 128, dst_addr: 0, elem_bytes: 2, n_value: 16, d_value: 16, src_d_value: 16, dst_nz_c0_stride: 16}
    - {op: nd2nz, src_addr: 999, dst_addr: 0, elem_bytes: 2, n_value: 16, d_value: 16, src_d_value: 16, dst_nz_c0_stride: 16}
    - {op: pipe_barrier, pipe: ALL}
)");
}

TEST(ProgramWriter, WritesEveryKindOfTensor) {
    const std::string tensors = "  f: {dtype: float32, shape: [2], init: {fill: 0.1}}\n"
                                "  r: {dtype: int32, shape: [2], init: {range: {start: -3, step: "
                                "4}}, golden: {unchanged: true}}\n"
                                "  i: {dtype: int8, shape: [2], init: {random_integers: {seed: "
                                "9, min: -4, max: 4}}}\n"
                                "  n: {dtype: bfloat16, shape: [2]}\n";
    const Program program = load_text("program: t\ntensors:\n" + tensors + "cores: {}\n");
    ListSource source({});
    const std::string text = write(program.tensors, source);
    const Program read = load_text(text);
    ASSERT_EQ(read.tensors.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(initial_bytes(read.tensors[i]), initial_bytes(program.tensors[i])) << i;
        EXPECT_EQ(read.tensors[i].address, program.tensors[i].address);
    }
    EXPECT_TRUE(std::holds_alternative<UnchangedGolden>(read.tensors[1].golden.expected));
    EXPECT_TRUE(instructions_of(read).empty());
    ListSource nothing({});
    EXPECT_EQ(write(read.tensors, nothing), text);
}

} // namespace
} // namespace aicore::tb
