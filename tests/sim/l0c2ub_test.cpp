// asc_copy_l0c2ub: its synchronous form, unit flags with two destinations, the platform's readings;
// and the words that arch 3510 takes to L1.
#include "hw/config/platform_loader.h"
#include "hw/isa/legality.h"
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

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

/// 20 x 48 words of L0C, panels of 32 rows, to L1 in NZ with panels of 16 columns, or 8 when split.
void expect_words_in_l1(DataType type, bool split) {
    constexpr std::size_t m_size = 20, n_size = 48, src_rows = 32, src_skip = 64, dst_skip = 96;
    CoreBench bench(arch_3510());
    const ByteVector l0c = counting(src_skip + 3 * src_rows * 16);
    const std::size_t width = split ? 8 : 16, pitch = width * (m_size + 3);
    Fixpipe op;
    op.dst = Buffer::L1;
    op.src_addr = 4 * src_skip;
    op.dst_addr = dst_skip;
    op.src_type = op.dst_type = type;
    op.m_size = m_size;
    op.n_size = n_size;
    op.src_stride = src_rows;
    op.dst_stride = pitch;
    op.dst_stride_unit = PanelStrideUnit::elements;
    op.channel_split = split;
    ByteVector expected(dst_skip + n_size / width * pitch * 4 + 64, 0xA5);
    for (std::size_t m = 0; m < m_size; ++m) {
        for (std::size_t n = 0; n < n_size; ++n) {
            const std::size_t from = src_skip + n / 16 * src_rows * 16 + m * 16 + n % 16;
            const std::size_t to = dst_skip + 4 * (n / width * pitch + m * width + n % width);
            std::copy_n(l0c.begin() + static_cast<std::ptrdiff_t>(4 * from), 4,
                        expected.begin() + static_cast<std::ptrdiff_t>(to));
        }
    }
    ASSERT_FALSE(find_violation(op, isa_limits(bench.platform())));
    bench.reset();
    bench.poke(Buffer::L0C, 0, l0c);
    bench.poke(Buffer::L1, 0, ByteVector(expected.size(), 0xA5));
    ProgramList program{op};
    bench.run(program);
    EXPECT_EQ(bench.peek(Buffer::L1, 0, expected.size()), expected);
}

TEST_F(L0c2ub, Float32GoesToL1) { expect_words_in_l1(DataType::float32, false); }
TEST_F(L0c2ub, SplitFloat32GoesToL1) { expect_words_in_l1(DataType::float32, true); }
TEST_F(L0c2ub, Int32GoesToL1) { expect_words_in_l1(DataType::int32, false); }

} // namespace
} // namespace aicore::test
