// The boundary of an AI Core: control registers, program window, launches.
#include "tests/support/ai_core_bench.h"
#include "tests/support/instructions.h"

#include <cstring>

namespace aicore::test {
namespace {

namespace reg = control_register;
using Bytes = AiCoreBench::Bytes;

class AiCoreTest : public SimTest {};

TEST_F(AiCoreTest, RegistersHoldTheirResetValues) {
    AiCoreBench bench;
    bench.reset();
    EXPECT_EQ(bench.read(reg::kId), reg::kIdValue);
    EXPECT_EQ(bench.read(reg::kVersion), reg::kVersionValue);
    EXPECT_EQ(bench.read(reg::kArch), 2201u);
    EXPECT_EQ(bench.read(reg::kControl), 0u);
    EXPECT_EQ(bench.status(), LaunchStatus::idle);
    EXPECT_EQ(bench.error_code(), LaunchError::none);
    EXPECT_EQ(bench.read(reg::kBlockIndex), 0u);
    EXPECT_EQ(bench.read(reg::kBlockCount), 1u);
    EXPECT_EQ(bench.read(reg::kCyclesLow), 0u);
    EXPECT_EQ(bench.read(reg::kCyclesHigh), 0u);
    EXPECT_EQ(bench.read(reg::kLaunches), 0u);
    bench.write(reg::kBlockIndex, 5);
    bench.write(reg::kBlockCount, 7);
    EXPECT_EQ(bench.read(reg::kBlockIndex), 5u);
    EXPECT_EQ(bench.read(reg::kBlockCount), 7u);
    bench.reset();
    EXPECT_EQ(bench.read(reg::kBlockIndex), 0u);
    EXPECT_EQ(bench.read(reg::kBlockCount), 1u);
}

TEST_F(AiCoreTest, AccessesOutsideOfTheMapAreRefused) {
    AiCoreBench bench;
    bench.reset();
    Bytes data(16);
    const auto read = [&](std::uint64_t address, unsigned bytes) {
        return bench.access(tlm::TLM_READ_COMMAND, address, data.data(), bytes);
    };
    EXPECT_EQ(read(reg::kEnd, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(reg::kStatus + 2, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(reg::kStatus, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(read(reg::kStatus, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(read(reg::kStatus, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(read(kProgramWindow - 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(kProgramWindow + kProgramWindowBytes - 4, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(kProgramWindow + kProgramWindowBytes, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(~std::uint64_t(0), 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (const std::uint64_t address :
         {reg::kId, reg::kVersion, reg::kArch, reg::kStatus, reg::kErrorCode, reg::kCyclesLow,
          reg::kCyclesHigh, reg::kLaunches}) {
        EXPECT_EQ(bench.write(address, 1), tlm::TLM_COMMAND_ERROR_RESPONSE) << address;
    }
    tlm::tlm_generic_payload payload;
    AiCoreBench::fill(payload, tlm::TLM_READ_COMMAND, reg::kId, data.data(), 4);
    sc_core::sc_time delay;
    std::uint8_t enable = TLM_BYTE_ENABLED;
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(1);
    bench.host.isock->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_streaming_width(2);
    bench.host.isock->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.host.isock->get_direct_mem_ptr(payload, dmi));
}

TEST_F(AiCoreTest, TheProgramWindowIsMemory) {
    AiCoreBench bench;
    Bytes bytes{1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(bench.debug(tlm::TLM_WRITE_COMMAND, kProgramWindow + 3, bytes.data(), 7), 7u);
    bench.reset(); // leaves it alone
    Bytes back(12, 0xff);
    EXPECT_EQ(bench.access(tlm::TLM_READ_COMMAND, kProgramWindow, back.data(), 12),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(back, (Bytes{0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0}));
    EXPECT_EQ(bench.access(tlm::TLM_WRITE_COMMAND, kProgramWindow, bytes.data(), 1),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kProgramWindow, back.data(), 2), 2u);
    EXPECT_EQ(back[0], 1);
    // Debug accesses are cut at the end; registers are there to be read.
    EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kProgramWindow + kProgramWindowBytes - 2,
                          back.data(), 8),
              2u);
    std::uint32_t words[3] = {};
    EXPECT_EQ(
        bench.debug(tlm::TLM_READ_COMMAND, reg::kId, reinterpret_cast<std::uint8_t*>(words), 12),
        12u);
    EXPECT_EQ(words[0], reg::kIdValue);
    EXPECT_EQ(words[2], 2201u);
    EXPECT_EQ(bench.debug(tlm::TLM_WRITE_COMMAND, reg::kControl, bytes.data(), 4), 0u);
}

TEST_F(AiCoreTest, ALaunchGoesThroughItsStates) {
    AiCoreBench bench;
    bench.advance(1);
    EXPECT_EQ(bench.start(), tlm::TLM_GENERIC_ERROR_RESPONSE) << "in reset";
    bench.reset();
    bench.load(AiCoreBench::image({{load_l1(4096)}, {load_ub(4096, 0, 0)}}));
    EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.status(), LaunchStatus::running);
    EXPECT_EQ(bench.start(), tlm::TLM_GENERIC_ERROR_RESPONSE) << "running";
    bench.advance(101);
    EXPECT_EQ(bench.read(reg::kCyclesLow), 100u);
    EXPECT_FALSE(bench.done.read());
    bench.advance(5000);
    EXPECT_TRUE(bench.done.read());
    EXPECT_FALSE(bench.error.read());
    EXPECT_EQ(bench.status(), LaunchStatus::done);
    const std::uint32_t cycles = bench.read(reg::kCyclesLow);
    EXPECT_GT(cycles, 200u);
    EXPECT_EQ(bench.core.cycles(), Cycles(cycles));
    bench.advance(50);
    EXPECT_EQ(bench.read(reg::kCyclesLow), cycles) << "stands still";

    EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.status(), LaunchStatus::running);
    EXPECT_TRUE(bench.done.read()) << "until the edge";
    bench.advance(1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_FALSE(bench.done.read());
    bench.advance(5000);
    EXPECT_TRUE(bench.done.read());
    EXPECT_EQ(bench.read(reg::kLaunches), 2u);
    bench.reset();
    EXPECT_FALSE(bench.done.read());
    EXPECT_EQ(bench.status(), LaunchStatus::idle);
}

// A start takes effect at the first edge after it, wherever it comes in the cycle.
TEST_F(AiCoreTest, AStartWaitsForTheNextEdge) {
    AiCoreBench bench;
    bench.reset();
    bench.load(AiCoreBench::image({{load_l1(4096)}}));
    EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
    bench.advance(5000);
    EXPECT_EQ(bench.core.started_at(), Cycles(0)) << "between reset and the first edge";
    const std::uint32_t cycles = bench.read(reg::kCyclesLow);
    const std::int64_t now = bench.clock.now().count();
    sc_core::sc_start(bench.period * 0.4);
    EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
    bench.advance(5000);
    EXPECT_EQ(bench.core.started_at(), Cycles(now + 1));
    EXPECT_EQ(bench.status(), LaunchStatus::done);
    EXPECT_EQ(bench.read(reg::kLaunches), 2u);
    // GM is warm now, the core is not: the second launch takes no longer than the first.
    EXPECT_LE(bench.read(reg::kCyclesLow), cycles);
}

TEST_F(AiCoreTest, AnEmptyProgramIsDoneAtItsStart) {
    AiCoreBench bench;
    bench.reset();
    for (std::uint32_t launch = 1; launch <= 3; ++launch) {
        EXPECT_EQ(bench.run({{}, {}, {}}), LaunchStatus::done);
        EXPECT_TRUE(bench.done.read());
        EXPECT_EQ(bench.read(reg::kCyclesLow), 0u);
        EXPECT_EQ(bench.read(reg::kLaunches), launch);
    }
}

// Buffers, event flags, CTRL and the vector mask stay as the last launch left them.
TEST_F(AiCoreTest, ALaunchRunsOnTheStateOfTheLastOne) {
    AiCoreBench bench;
    bench.reset();
    Bytes data(512);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 7);
    bench.gm.load(0, data.data(), data.size());
    SetVectorMask mask;
    mask.words = {0x0000ffff, 0, 0, 0};
    ASSERT_EQ(bench.run({{load_l1(512), SetFlag{Pipe::MTE2, Pipe::MTE3, 5}}, {mask}}),
              LaunchStatus::done);
    VectorOp fill;
    fill.opcode = VectorOpcode::vector_dup;
    fill.type = DataType::float16;
    fill.scalar = 0x3c00;
    ASSERT_EQ(bench.run({{WaitFlag{Pipe::MTE2, Pipe::MTE3, 5}, store_l1(512, 0, 4096)},
                         {fill, SetFlag{Pipe::V, Pipe::MTE3, 0}, WaitFlag{Pipe::V, Pipe::MTE3, 0},
                          store_ub(256, 0, 8192)}}),
              LaunchStatus::done)
        << bench.core.error_message();
    Bytes back(512);
    bench.gm.dump(4096, back.data(), back.size());
    EXPECT_EQ(back, data);
    bench.gm.dump(8192, back.data(), 256);
    for (std::size_t i = 0; i < 128; ++i) {
        EXPECT_EQ(back[2 * i + 1], i < 16 ? 0x3c : 0xa5) << "lane " << i;
    }
    // A reset brings power-on state back: the flag is gone, the program hangs.
    bench.reset();
    EXPECT_EQ(bench.run({{WaitFlag{Pipe::MTE2, Pipe::MTE3, 5}}}), LaunchStatus::running);
}

TEST_F(AiCoreTest, SourcesTakeThePlaceOfTheImage) {
    AiCoreBench bench;
    bench.reset();
    ProgramList program{load_l1(4096), SetFlag{Pipe::MTE2, Pipe::MTE3, 0},
                        WaitFlag{Pipe::MTE2, Pipe::MTE3, 0}, store_l1(4096, 0, 65536)};
    bench.core.set_sources({&program, nullptr, nullptr});
    bench.start();
    bench.advance(20000);
    EXPECT_EQ(bench.status(), LaunchStatus::done);
    const std::uint32_t cycles = bench.read(reg::kCyclesLow);
    bench.reset();
    bench.core.set_sources({});
    std::vector<Operation> operations;
    for (const Instruction& one : program.instructions()) operations.push_back(one.operation);
    EXPECT_EQ(bench.run({operations}), LaunchStatus::done);
    EXPECT_EQ(bench.read(reg::kCyclesLow), cycles);
}

TEST_F(AiCoreTest, AnImageHoldsAProgramForEachBlock) {
    AiCoreBench bench;
    bench.reset();
    ProgramImage image;
    image.block_count = 3;
    for (std::uint32_t block = 0; block < 3; ++block) {
        const std::uint64_t from = block * 512;
        image.sections.push_back({block,
                                  0,
                                  {{load_l1(512, from), {}},
                                   {SetFlag{Pipe::MTE2, Pipe::MTE3, 0}, {}},
                                   {WaitFlag{Pipe::MTE2, Pipe::MTE3, 0}, {}},
                                   {store_l1(512, 0, 8192), {}}}});
    }
    bench.load(image);
    Bytes data(1536);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i / 512 + 1);
    bench.gm.load(0, data.data(), data.size());
    bench.write(reg::kBlockCount, 3);
    for (const std::uint32_t block : {2u, 0u, 1u}) {
        bench.write(reg::kBlockIndex, block);
        EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
        bench.advance(20000);
        ASSERT_EQ(bench.status(), LaunchStatus::done) << bench.core.error_message();
        Bytes back(512);
        bench.gm.dump(8192, back.data(), back.size());
        EXPECT_EQ(back, Bytes(512, static_cast<std::uint8_t>(block + 1)));
    }
}

/// A clocked host: writes the start bit from its own process at every edge, which is refused until
/// the launch before is over.
class EagerHost : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};

    SC_HAS_PROCESS(EagerHost);
    EagerHost(const sc_core::sc_module_name& name, AiCoreBench& bench)
        : sc_module(name), bench_(bench) {
        SC_METHOD(on_edge);
        sensitive << clk.pos();
        dont_initialize();
    }
    int accepted = 0;

private:
    void on_edge() {
        if (accepted < 3 && bench_.start() == tlm::TLM_OK_RESPONSE) ++accepted;
    }
    AiCoreBench& bench_;
};

TEST_F(AiCoreTest, LaunchesFollowOneAnotherAtOnce) {
    AiCoreBench bench;
    sc_core::sc_clock clk("toggling", bench.period);
    EagerHost host("eager", bench);
    host.clk(clk);
    bench.load(AiCoreBench::image({{load_l1(4096)}}));
    bench.reset();
    bench.advance(20000);
    EXPECT_EQ(host.accepted, 3);
    EXPECT_EQ(bench.read(reg::kLaunches), 3u);
    EXPECT_EQ(bench.status(), LaunchStatus::done);
}

} // namespace
} // namespace aicore::test
