// Vector cores: copies with padding, results of programs on several cores, flags between them.
#include "tests/support/program_test.h"

#include <string>
#include <vector>

namespace aicore::test {
namespace {

class AivTest : public ProgramTest {
protected:
    static ByteVector counting(std::size_t bytes, int first = 0) {
        ByteVector data(bytes);
        for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(first + int(i));
        return data;
    }
};

TEST_F(AivTest, BlocksGoThroughUbWithTheirGaps) {
    load(0, counting(256));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 64, block_count: 2, block_len: 2,
       src_gap: 1, dst_gap: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy, src: UB, src_addr: 64, dst: GM, dst_addr: 4096, block_count: 2, block_len: 2,
       src_gap: 1, dst_gap: 0}
)"),
              tb::RunOutcome::finished);
    ByteVector expected = counting(64);
    const ByteVector second = counting(64, 96);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(dump(4096, 128), expected);
}

TEST_F(AivTest, ABlockIsFilledUpWithItsFirstElement) {
    load(100, counting(1024, 1));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy_pad, src: GM, src_addr: 100, dst: UB, dst_addr: 0, block_count: 2,
       block_len: 10, src_gap: 5, elem_bytes: 2}
)"),
              tb::RunOutcome::finished);
    const ByteVector bytes = ub(0, 64);
    for (std::size_t block = 0; block < 2; ++block) {
        for (std::size_t i = 0; i < 32; ++i) {
            const std::size_t source = i < 10 ? i : i % 2;
            EXPECT_EQ(bytes[32 * block + i], 1 + 15 * block + source) << block << ' ' << i;
        }
    }
}

TEST_F(AivTest, TheElementThatFillsMayLieInTwoLines) {
    load(500, counting(64, 1));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy_pad, src: GM, src_addr: 510, dst: UB, dst_addr: 0, block_len: 20,
       elem_bytes: 4}
    - {op: data_copy_pad, src: GM, src_addr: 511, dst: UB, dst_addr: 32, block_len: 30,
       elem_bytes: 2}
)"),
              tb::RunOutcome::finished);
    const ByteVector bytes = ub(0, 64);
    for (std::size_t i = 20; i < 32; ++i) EXPECT_EQ(bytes[i], 11 + i % 4) << i;
    for (std::size_t i = 30; i < 32; ++i) EXPECT_EQ(bytes[32 + i], 12 + i % 2) << i;
}

TEST_F(AivTest, PaddingStandsOnBothSides) {
    load(500, counting(64, 1)); // crosses the line at 512
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy_pad, src: GM, src_addr: 500, dst: UB, dst_addr: 32, block_len: 40,
       elem_bytes: 4, is_pad: true, left_padding: 2, right_padding: 3, padding_value: 0x01020304}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy_pad, src: UB, src_addr: 32, dst: GM, dst_addr: 8195, block_len: 60}
)"),
              tb::RunOutcome::finished);
    ByteVector expected{4, 3, 2, 1, 4, 3, 2, 1};
    const ByteVector data = counting(40, 1);
    expected.insert(expected.end(), data.begin(), data.end());
    for (int i = 0; i < 3; ++i) expected.insert(expected.end(), {4, 3, 2, 1});
    EXPECT_EQ(dump(8195, 60), expected);
}

TEST_F(AivTest, AListForAKindRunsOnEveryCoreOfIt) {
    load(0, counting(128));
    ASSERT_EQ(run(R"(
  aiv:
    - {op: data_copy, src: GM, src_addr: core * 32, dst: UB, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 4096 + (cores - 1 - core) * 32,
       block_len: 1}
)"),
              tb::RunOutcome::finished);
    const ByteVector back = dump(4096, 128);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(back[i], 32 * (3 - i / 32) + i % 32);
}

TEST_F(AivTest, AVectorCoreWaitsForItsCubeCore) {
    load(0, counting(64));
    ASSERT_EQ(run(R"(
  aic0:
    - {op: data_copy, src: GM, src_addr: 0, dst: L1, dst_addr: 0, block_len: 2}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy, src: L1, src_addr: 0, dst: GM, dst_addr: 4096, block_len: 2}
    - {op: cross_core_set_flag, pipe: MTE3, mode: 2, id: 3}
  aiv0:
    - {op: cross_core_wait_flag, id: 3}
    - {op: data_copy, src: GM, src_addr: 4096, dst: UB, dst_addr: 0, block_len: 2}
  aiv1:
    - {op: cross_core_wait_flag, id: 3}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(ub(0, 64), counting(64));
}

TEST_F(AivTest, AWaitWithoutASetHangs) {
    EXPECT_EQ(run("  aiv0:\n    - {op: cross_core_wait_flag, id: 1}\n"), tb::RunOutcome::stuck);
    EXPECT_EQ(simulation.chip().find_core("aiv0")->scalar().waiting_for(),
              WaitReason::cross_core_flag);
}

TEST_F(AivTest, TooManySetsAreAnErrorOfTheProgram) {
    EXPECT_EQ(run(R"(
  aic0:
    - loop: {var: i, count: 17}
      body:
        - {op: cross_core_set_flag, pipe: FIX, mode: 2, id: 0}
  aiv0:
    - {op: cross_core_wait_flag, id: 1}
)"),
              tb::RunOutcome::error);
    EXPECT_NE(simulation.chip().error_message().find("cross-core flag 0 of aiv0 exceeds 15"),
              std::string::npos)
        << simulation.chip().error_message();
}

TEST_F(AivTest, ACountOnItsWayAtTheEndIsCounted) {
    EXPECT_EQ(run(R"(
  aic0:
    - loop: {var: i, count: 16}
      body:
        - {op: cross_core_set_flag, pipe: FIX, mode: 2, id: 0}
  aiv0: []
)"),
              tb::RunOutcome::error);
}

TEST_F(AivTest, OffsetsThatLeadOutOfUbAreAnErrorOfTheProgram) {
    load(0, {0, 0, 0, 0, 0, 0, 4, 0}); // offsets 0 and 0x40000
    EXPECT_EQ(run(R"(
  aiv0:
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, V], event: 0}
    - {op: set_vector_mask, lanes: 2}
    - {op: vgather, dtype: float32, dst_addr: 1024, src_addr: 0, offset_addr: 0}
)"),
              tb::RunOutcome::error);
    EXPECT_NE(simulation.chip().error_message().find("vgather at line"), std::string::npos);
    EXPECT_NE(simulation.chip().error_message().find("reads UB at 0x40000, it ends at 0x2df00"),
              std::string::npos)
        << simulation.chip().error_message();
}

TEST_F(AivTest, ACopyTakesLatencyAndBandwidth) {
    load(0, std::vector<std::uint8_t>(8192)); // L2 holds it
    ASSERT_EQ(run("  aiv0:\n    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 0, "
                  "block_len: 256}\n"),
              tb::RunOutcome::finished);
    const LinkConfig& link = simulation.platform().links.gm_to_ub;
    const std::int64_t moved = link.latency_cycles.count() +
                               simulation.platform().memories.l2.latency_cycles.count() +
                               ceil_div(8192, link.bytes_per_cycle.count());
    EXPECT_GE(simulation.cycles().count(), moved);
    EXPECT_LE(simulation.cycles().count(), moved + 12) << "dispatch, issue and the write into UB";
}

} // namespace
} // namespace aicore::test
