// What an AI Core says about programs that are wrong: error line, code and message.
#include "tests/support/ai_core_bench.h"
#include "tests/support/instructions.h"

#include <gmock/gmock.h>

namespace aicore::test {
namespace {

namespace reg = control_register;
using ::testing::HasSubstr;
using Bytes = AiCoreBench::Bytes;

class AiCoreErrors : public SimTest {
protected:
    void expect_error(AiCoreBench& bench, LaunchError code, const std::string& message) {
        EXPECT_EQ(bench.status(), LaunchStatus::error);
        EXPECT_EQ(bench.error_code(), code) << to_string(bench.error_code());
        EXPECT_THAT(bench.core.error_message(), HasSubstr(message));
        EXPECT_TRUE(bench.error.read());
        EXPECT_FALSE(bench.done.read());
        EXPECT_EQ(bench.start(), tlm::TLM_GENERIC_ERROR_RESPONSE) << "after an error";
        bench.reset();
        EXPECT_FALSE(bench.error.read());
        EXPECT_EQ(bench.status(), LaunchStatus::idle);
        EXPECT_EQ(bench.error_code(), LaunchError::none);
        EXPECT_EQ(bench.core.error_message(), "");
        EXPECT_EQ(bench.run({{load_l1(512)}}), LaunchStatus::done);
    }
};

TEST_F(AiCoreErrors, EmptyWindow) {
    AiCoreBench bench;
    bench.reset();
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::no_program, "the program window is empty");
}

TEST_F(AiCoreErrors, AtomicWriteToAnotherChip) {
    AiCoreBench bench;
    bench.reset();
    DataCopy store = store_l1(512);
    store.dst_addr = static_cast<std::uint64_t>(bench.platform.memories.hccs.peer_address.count());
    const SetAtomic add{AtomicOperation::add, AtomicElement::float32};
    bench.load(encode(AiCoreBench::image({{add, store}})));
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::illegal_instruction,
                 "atomic writes do not reach the peer's GM");
}

TEST_F(AiCoreErrors, MalformedImage) {
    AiCoreBench bench;
    bench.reset();
    Bytes bytes = encode(AiCoreBench::image({{load_l1(512)}}));
    bytes[4] = 9;
    bench.load(bytes);
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::bad_image, "program image: version = 9: must be 1");
}

TEST_F(AiCoreErrors, ImageOfAnotherArchitecture) {
    AiCoreBench bench;
    bench.reset();
    ProgramImage image = AiCoreBench::image({{load_l1(512)}});
    image.arch = 3510;
    bench.load(image);
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::wrong_arch, "is for arch 3510, the platform is arch 2201");
}

TEST_F(AiCoreErrors, BlockThatTheImageDoesNotHave) {
    AiCoreBench bench;
    bench.reset();
    bench.load(AiCoreBench::image({{load_l1(512)}}));
    bench.write(reg::kBlockCount, 2);
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::wrong_block, "block 0 of 2, the program image has 1 blocks");
}

TEST_F(AiCoreErrors, CoreThatTheAiCoreDoesNotHave) {
    AiCoreBench bench;
    bench.reset();
    bench.load(AiCoreBench::image({{}, {}, {}, {load_ub(512, 0, 0)}}));
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::wrong_block, "instructions for core 3");
}

TEST_F(AiCoreErrors, IllegalInstruction) {
    AiCoreBench bench;
    bench.reset();
    Mmad bad = mmad(16, 16, 16);
    bad.c_addr = 7;
    bench.load(AiCoreBench::image({{load_l1(512), bad}}));
    bench.start();
    bench.advance(2);
    EXPECT_THAT(bench.core.error_message(), HasSubstr("c_addr = 0x7"));
    expect_error(bench, LaunchError::illegal_instruction, "aic0, line 2: mmad: ");
}

TEST_F(AiCoreErrors, VectorInstructionOnTheCubeCore) {
    AiCoreBench bench;
    bench.reset();
    bench.load(AiCoreBench::image({{VectorOp{}}}));
    bench.start();
    bench.advance(2);
    expect_error(bench, LaunchError::illegal_instruction, "aic0, line 1: vadd: ");
}

TEST_F(AiCoreErrors, OverflowOfACrossCoreFlagStopsTheCores) {
    AiCoreBench bench;
    bench.reset();
    std::vector<Operation> sets(16, CrossCoreSetFlag{Pipe::MTE2, 2, 0});
    sets.emplace_back(PipeBarrier{Pipe::ALL});
    for (int i = 0; i < 200; ++i) sets.emplace_back(load_l1(512, 0, 0));
    bench.run({sets, {load_ub(512, 0, 0)}, {load_ub(512, 0, 0)}});
    const std::uint32_t cycles = bench.read(reg::kCyclesLow);
    EXPECT_LT(cycles, 1000u);
    bench.advance(1000);
    EXPECT_EQ(bench.read(reg::kCyclesLow), cycles);
    expect_error(bench, LaunchError::program_error, "cross-core flag 0 of aiv0 exceeds 15");
}

TEST_F(AiCoreErrors, MemoryThatRefusesAnAccess) {
    AiCoreBench bench({}, 1 << 20);
    bench.reset();
    bench.run({{load_l1(512, 0), load_l1(512, 1 << 20), load_l1(512, 0)}});
    expect_error(
        bench, LaunchError::bus_error,
        "global memory answers TLM_ADDRESS_ERROR_RESPONSE to 512 bytes at address 1048576");
}

} // namespace
} // namespace aicore::test
