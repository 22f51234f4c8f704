// asc_copy_l0c2ub: its synchronous form, unit flags with two destinations, the platform's readings.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <gtest/gtest.h>

namespace aicore::test {
namespace {

BenchOptions arch_3510(const std::vector<std::string>& overrides = {}) {
    BenchOptions options;
    options.overrides = overrides;
    options.platform = "3510";
    return options;
}

/// A float32 tile in NZ without gaps.
template <typename Copy = AscCopyL0c2ub>
Copy copy(std::int64_t m, std::int64_t n) {
    Copy op;
    op.m_size = m;
    op.n_size = n;
    op.loop_src_stride = (m + 15) / 16 * 16;
    op.loop_dst_stride = 16 * m;
    return op;
}

/// The words 0, 1, 2 ... as float32.
ByteVector counting(std::size_t words) {
    ByteVector bytes(words * 4);
    for (std::size_t i = 0; i < words; ++i) {
        const auto value = static_cast<float>(i);
        std::memcpy(bytes.data() + 4 * i, &value, 4);
    }
    return bytes;
}

float float_at(const ByteVector& bytes, std::size_t word) {
    float value = 0;
    std::memcpy(&value, bytes.data() + 4 * word, 4);
    return value;
}

class L0c2ub : public SimTest {};

TEST_F(L0c2ub, ScalarUnitDoesNotWaitForTheCopy) {
    CoreBench bench(arch_3510());
    ProgramList program;
    const auto first = program.add(copy(128, 256));
    const auto next = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_EQ(bench.dispatched(next), bench.dispatched(first) + Cycles(4));
    EXPECT_EQ(bench.duration(first), Cycles(26 + 1024));
}

TEST_F(L0c2ub, ScalarUnitWaitsForTheSynchronousForm) {
    CoreBench bench(arch_3510());
    ProgramList program;
    const auto load = program.add(load_l1(256 * 1024));
    const auto first = program.add(copy<AscCopyL0c2ubSync>(128, 256));
    const auto next = program.add(mmad(16, 16, 16));
    bench.run(program);
    EXPECT_EQ(bench.duration(first), Cycles(26 + 1024));
    EXPECT_GT(bench.done(load), bench.done(first)) << "the barrier is one over all pipes";
    EXPECT_EQ(bench.dispatched(next), bench.done(load) + Cycles(1 + 4)); // seen at the next edge
}

TEST_F(L0c2ub, TwoDestinationsTakeHalvesAndUnitFlags) {
    CoreBench bench(arch_3510());
    bench.reset();
    bench.poke(Buffer::L0A, 0, float16s(32 * 1024, kHalfOne));
    bench.poke(Buffer::L0B, 0, float16s(32 * 1024, kHalfOne));
    ProgramList program;
    for (const int dual : {1, 2}) {
        program.add(mmad(64, 64, 16, MmadInit::zero, UnitFlagMode::toggle));
        AscCopyL0c2ub op = copy(64, 64);
        op.dual_dst_ctl = dual;
        op.unit_flag_ctl = 3;
        op.dst_addr = dual == 1 ? 0 : 65536;
        op.loop_dst_stride = dual == 1 ? 16 * 32 : 16 * 64;
        program.add(op);
    }
    bench.run(program);
    for (const int ub : {0, 1}) {
        for (const std::uint64_t address : {0, 65536}) {
            EXPECT_EQ(bench.peek(Buffer::UB, address, 64 * 32 * 4, ub), float32s(64 * 32, 16.0f));
            EXPECT_EQ(bench.peek(Buffer::UB, address + 64 * 32 * 4, 64, ub), ByteVector(64, 0xa5));
        }
    }
    for (int block = 0; block < 512; ++block)
        EXPECT_FALSE(bench.aic().unit_flags().read(block)) << block;
}

/// 5 rows of 24 columns, with padding and broadcast by the platform's readings.
ByteVector padded_and_broadcast(const std::vector<std::string>& overrides) {
    CoreBench bench(arch_3510(overrides));
    bench.reset();
    bench.poke(Buffer::L0C, 0, counting(2 * 256));
    AscCopyL0c2ub op = copy(5, 24);
    op.c0_pad_en = op.broadcast_en = true;
    op.loop_dst_stride = 16 * 16;
    ProgramList program{op};
    bench.run(program);
    return bench.peek(Buffer::UB, 0, 2 * 16 * 16 * 4);
}

TEST_F(L0c2ub, PaddingIsZeroAndBroadcastWritesTheRowsOfTheTile) {
    const ByteVector ub = padded_and_broadcast({});
    for (std::size_t row = 0; row < 5; ++row) {
        EXPECT_EQ(float_at(ub, row * 16 + 3), 3.0f);
        EXPECT_EQ(float_at(ub, 256 + row * 16 + 7), 263.0f);
        EXPECT_EQ(float_at(ub, 256 + row * 16 + 8), 0.0f);
    }
    EXPECT_EQ(ub[5 * 64], 0xa5) << "row 5 is not written";
}

TEST_F(L0c2ub, OtherReadingsOfPaddingAndBroadcast) {
    const ByteVector ub = padded_and_broadcast({"engines.fixpipe.layout.c0_pad=results",
                                                "engines.fixpipe.layout.broadcast_rows=fractals"});
    for (std::size_t row = 0; row < 16; ++row) {
        EXPECT_EQ(float_at(ub, row * 16 + 3), 3.0f);
        EXPECT_EQ(float_at(ub, 256 + row * 16 + 8), 264.0f);
    }
}

} // namespace
} // namespace aicore::test
