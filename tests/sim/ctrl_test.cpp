// The CTRL register: what set_ctrl changes reaches the instructions that are dispatched after it.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <limits>

namespace aicore::test {
namespace {

constexpr std::uint16_t kBrainLargest = 0x7f7f;
constexpr std::uint32_t kInfinity = 0x7f800000, kLargest = 0x7f7fffff;

SetCtrl overflow(FloatOverflow value) {
    SetCtrl ctrl;
    ctrl.float_overflow = value;
    return ctrl;
}

class Ctrl : public SimTest {
protected:
    /// One bfloat16 product that leaves float32, stored at `gm_addr`.
    static void add_product(ProgramList& program, std::uint64_t gm_addr) {
        Mmad product = mmad(1, 1, 1);
        product.ab_type = DataType::bfloat16;
        program.add(product);
        program.add(PipeBarrier{Pipe::ALL});
        program.add(store_rows(1, 1, gm_addr));
        program.add(PipeBarrier{Pipe::ALL});
    }
    static std::vector<std::uint32_t> run(CoreBench& bench, ProgramList& program, int results) {
        // Written after the reset that starts a run, which clears the buffers.
        ProgramList loads{load_l1(1024),
                          SetFlag{Pipe::MTE2, Pipe::MTE1, 0},
                          WaitFlag{Pipe::MTE2, Pipe::MTE1, 0},
                          load_fractals(Buffer::L0A, 1),
                          load_fractals(Buffer::L0B, 1, 512),
                          PipeBarrier{Pipe::ALL}};
        for (const Instruction& instruction : program.instructions()) {
            loads.add(instruction.operation);
        }
        bench.reset();
        bench.poke(Buffer::GM, 0, float16s(512, kBrainLargest));
        bench.run(loads);
        std::vector<std::uint32_t> words(static_cast<std::size_t>(results));
        const ByteVector bytes = bench.peek(Buffer::GM, 4096, words.size() * 4);
        std::memcpy(words.data(), bytes.data(), bytes.size());
        return words;
    }
};

TEST_F(Ctrl, FloatOverflowHoldsForWhatFollows) {
    CoreBench bench;
    ProgramList program;
    add_product(program, 4096);
    program.add(overflow(FloatOverflow::saturate));
    add_product(program, 4100);
    program.add(SetCtrl{}); // names nothing
    add_product(program, 4104);
    program.add(overflow(FloatOverflow::inf_nan));
    add_product(program, 4108);
    EXPECT_EQ(run(bench, program, 4),
              (std::vector<std::uint32_t>{kInfinity, kLargest, kLargest, kInfinity}));
}

TEST_F(Ctrl, ResetBringsThePlatformsState) {
    BenchOptions options;
    options.overrides = {"numerics.float_overflow=saturate"};
    CoreBench bench(options);
    ProgramList program;
    add_product(program, 4096);
    program.add(overflow(FloatOverflow::inf_nan));
    add_product(program, 4100);
    const std::vector<std::uint32_t> expected{kLargest, kInfinity};
    EXPECT_EQ(run(bench, program, 2), expected);
    EXPECT_EQ(run(bench, program, 2), expected) << "the second run starts from reset again";
}

// The instruction in the queue keeps the state it was dispatched with.
TEST_F(Ctrl, FixpipeConvertsWithTheStateOfItsDispatch) {
    CoreBench bench;
    ProgramList program;
    Mmad product = mmad(1, 1, 1);
    product.ab_type = DataType::bfloat16;
    program.add(product);
    program.add(PipeBarrier{Pipe::ALL});
    program.add(to_float16(store_rows(1, 1, 4096)));
    program.add(overflow(FloatOverflow::saturate));
    program.add(to_float16(store_rows(1, 1, 4098)));
    EXPECT_EQ(run(bench, program, 1), std::vector<std::uint32_t>{0x7bff7c00});
}

} // namespace
} // namespace aicore::test
