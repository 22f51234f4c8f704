// Vector instructions in program files.
#include "tb/program/program_writer.h"
#include "tests/pure/program_samples.h"
#include "tests/support/random_vectors.h"

#include <gtest/gtest.h>

#include <sstream>

namespace aicore::tb {
namespace {

class OneInstruction : public InstructionSource {
public:
    explicit OneInstruction(Operation operation) : operation_(std::move(operation)) {}
    bool next(Instruction& instruction) override {
        if (is_done_) return false;
        instruction = {operation_, {}};
        is_done_ = true;
        return true;
    }
    void rewind() override { is_done_ = false; }

private:
    Operation operation_;
    bool is_done_ = false;
};

std::string written(const Operation& operation) {
    OneInstruction source(operation);
    std::ostringstream out;
    write_program(out, "p", {}, {{"aic0", &source}});
    return out.str();
}

/// Writes, reads and writes again.
void expect_round_trip(const Operation& operation) {
    const std::string text = written(operation);
    const std::vector<Instruction> read = instructions_of(load_text(text));
    ASSERT_EQ(read.size(), 1u) << text;
    EXPECT_EQ(mnemonic(read[0].operation), mnemonic(operation)) << text;
    EXPECT_EQ(written(read[0].operation), text);
}

TEST(VectorProgram, EveryInstructionIsWrittenAndReadBack) {
    test::RandomVectors random(1);
    for (int opcode = 0; opcode < kVectorOpcodes; ++opcode) {
        for (int i = 0; i < 8; ++i) {
            VectorOp op = random.op(static_cast<VectorOpcode>(opcode));
            op.control = {};
            expect_round_trip(op);
        }
    }
    VectorGather gather = random.gather(false), blocks = random.gather(true);
    GatherMask mask = random.gather_mask();
    gather.control = blocks.control = mask.control = {};
    expect_round_trip(gather);
    expect_round_trip(blocks);
    expect_round_trip(mask);
    expect_round_trip(random.sort());
    expect_round_trip(random.merge());
    expect_round_trip(random.conv());
    expect_round_trip(SetVectorMask{{1, 2, 3, 0xFFFFFFFF}});
    expect_round_trip(SetMaskMode{MaskMode::counter});
    expect_round_trip(SetDeqScale{std::uint64_t{1} << 46});
}

template <typename Op>
Op first(const std::string& line) {
    return std::get<Op>(instructions_of(load_text(with_body(line))).at(0).operation);
}

std::uint32_t scalar(const std::string& type, const std::string& value) {
    return first<VectorOp>("{op: vadds, dtype: " + type +
                           ", dst_addr: 0, src0_addr: 0, scalar: " + value + "}")
        .scalar;
}

TEST(VectorProgram, ScalarsAreNumbersOfTheType) {
    EXPECT_EQ(scalar("float32", "0.5"), 0x3F000000u);
    EXPECT_EQ(scalar("float16", "-2"), 0xC000u);
    EXPECT_EQ(scalar("float16", "inf"), 0x7C00u);
    EXPECT_EQ(scalar("float32", "0x40490fdb"), 0x40490FDBu);
    EXPECT_EQ(scalar("int16", "-1"), 0xFFFFu);
    EXPECT_EQ(scalar("int32", "3*7"), 21u);
    EXPECT_THROW(scalar("int16", "40000"), InputError);
    EXPECT_THROW(scalar("int16", "0.5"), InputError);
    EXPECT_THROW(scalar("float16", "0x12345"), InputError);
}

TEST(VectorProgram, MasksByLanesCountAndWords) {
    using Words = std::array<std::uint32_t, 4>;
    EXPECT_EQ(first<SetVectorMask>("{op: set_vector_mask, lanes: 70}").words,
              (Words{~0u, ~0u, 63u, 0u}));
    EXPECT_EQ(first<SetVectorMask>("{op: set_vector_mask, count: 300}").words,
              (Words{300, 0, 0, 0}));
    EXPECT_EQ(first<SetVectorMask>("{op: set_vector_mask, lanes: 0, word1: 5}").words,
              (Words{0, 5, 0, 0}));
}

TEST(VectorProgram, AddressListsByBaseAndStep) {
    const auto conv = first<NchwConv>("{op: vnchwconv, elem_bits: 16, src_base: 32, src_step: 512, "
                                      "dst_base: 0, dst_step: 32, src3: 64}");
    EXPECT_EQ(conv.src_addrs[15], 32u + 15 * 512);
    EXPECT_EQ(conv.src_addrs[3], 64u);
    EXPECT_EQ(conv.dst_addrs[2], 64u);
}

TEST(VectorProgram, TheCheckKnowsTheMaskThatIsSet) {
    IsaLimits limits = test_limits();
    limits.ub_bytes = 4096;
    const auto error = [&limits](const std::string& lines) -> std::string {
        std::string text = with_body(lines);
        text.replace(text.find("aic0"), 4, "aiv0");
        try {
            check_program(load_text(text), limits);
        } catch (const InputError& input_error) {
            return input_error.what();
        }
        return "";
    };
    const std::string add = "{op: vadds, dtype: float32, dst_addr: 0, src0_addr: 0, scalar: 1}";
    EXPECT_EQ(error("{op: set_vector_mask, lanes: 64},\n" + add), "");
    EXPECT_EQ(error("{op: set_vector_mask, lanes: 65},\n" + add),
              "p.yaml:7:1: vadds: mask = 0x1 above bit 63: a repeat of 32-bit elements has 64 mask "
              "bits, the others must be 0");
    EXPECT_EQ(
        error("{op: set_vector_mask, count: 2000},\n{op: set_mask_mode, mode: counter},\n" + add),
        "p.yaml:8:39: vadds: dst_addr = end 0x1f00: must lie inside UB (4096 bytes)");
}

TEST(VectorProgram, AScalarHasAtMostTheBitsOfItsType) {
    const auto error = [](const std::string& type, const std::string& scalar) -> std::string {
        try {
            load_text(with_body("{op: vector_dup, dtype: " + type +
                                ", dst_addr: 0, scalar: " + scalar + "}"));
        } catch (const InputError& input_error) {
            return input_error.what();
        }
        return "";
    };
    EXPECT_EQ(error("int16", "0xffff"), "");
    EXPECT_NE(error("int16", "0x10000").find("0x10000 has more bits than the type"),
              std::string::npos);
    EXPECT_EQ(error("int64", "0x1"), "") << "the rules of the instruction are checked later";
}

} // namespace
} // namespace aicore::tb
