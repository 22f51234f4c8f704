// Launches in a row: what stays from one to the next, and when each of them begins.
#include "tests/support/program_test.h"

#include <string>
#include <vector>

namespace aicore::test {
namespace {

using ProgramLaunchTest = ProgramTest;

TEST_F(ProgramLaunchTest, MemoriesKeepTheirContent) {
    ASSERT_EQ(run_launches(R"(
launches:
  - cores:
      aiv0:
        - {op: vector_dup, dtype: int32, dst_addr: 64, scalar: 5, repeat: 1}
  - cores:
      aiv0:
        - {op: data_copy, src: UB, src_addr: 64, dst: GM, dst_addr: 4096, block_len: 1}
)"),
              tb::RunOutcome::finished);
    const ByteVector bytes = dump(4096, 8);
    EXPECT_EQ(bytes, (ByteVector{5, 0, 0, 0, 5, 0, 0, 0}));
}

/// An event flag, a cross-core counter, the vector mask and set_atomic of the launch before.
TEST_F(ProgramLaunchTest, FlagsAndStateStay) {
    load(0, ByteVector(256, 1));
    ASSERT_EQ(run_launches(R"(
launches:
  - cores:
      aic0:
        - {op: cross_core_set_flag, pipe: FIX, mode: 2, id: 3}
      aiv0:
        - {op: set_flag, src: V, dst: MTE3, id: 2}
        - {op: set_vector_mask, lanes: 2}
        - {op: set_atomic, operation: add, dtype: int8}
        - {op: vector_dup, dtype: int32, dst_addr: 0, scalar: 0, repeat: 1}
  - cores:
      aiv0:
        - {op: cross_core_wait_flag, id: 3}
        - {op: vector_dup, dtype: int32, dst_addr: 0, scalar: 7, repeat: 1}
        - {op: wait_flag, src: V, dst: MTE3, id: 2}
        - {sync: [V, MTE3], event: 0}
        - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 0, block_len: 1}
)"),
              tb::RunOutcome::finished);
    const ByteVector bytes = dump(0, 12);
    EXPECT_EQ(ByteVector(bytes.begin(), bytes.begin() + 8), (ByteVector{8, 1, 1, 1, 8, 1, 1, 1}));
    EXPECT_NE(bytes[8], 8) << "the mask has two lanes";
}

TEST_F(ProgramLaunchTest, TheSameLaunchTakesTheSameTime) {
    const std::string copy = R"(
  - cores:
      aiv:
        - {op: data_copy, src: GM, src_addr: core * 512, dst: UB, dst_addr: 0, block_len: 16}
        - {sync: [MTE2, MTE3], event: 0}
        - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 8192 + core * 512, block_len: 16}
)";
    load(0, ByteVector(16384)); // L2 holds it
    ASSERT_EQ(run_launches("launches:" + copy + copy + copy), tb::RunOutcome::finished);
    ASSERT_EQ(length.size(), 3u);
    EXPECT_EQ(length[1], length[0]);
    EXPECT_EQ(length[2], length[1]);
}

TEST_F(ProgramLaunchTest, TheGridIsThatOfTheLaunch) {
    ASSERT_EQ(run_launches(R"(
launches:
  - {cores: {aiv: [{op: sync_all}]}}
  - {blocks: 3, cores: {aiv: [{op: sync_all}]}}
  - {blocks: 1, cores: {aic: [{op: sync_all, aiv_only: false}],
                        aiv: [{op: sync_all, aiv_only: false}]}}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(length.size(), 3u);
}

TEST_F(ProgramLaunchTest, AHangIsThatOfItsLaunch) {
    EXPECT_EQ(run_launches("launches:\n"
                           "  - {cores: {aiv: [{op: sync_all}]}}\n"
                           "  - {cores: {aiv1: [{op: cross_core_wait_flag, id: 0}]}}\n"),
              tb::RunOutcome::stuck);
    EXPECT_EQ(length.size(), 1u);
    EXPECT_TRUE(simulation.chip().find_core("aiv0")->scalar().is_done());
    EXPECT_FALSE(simulation.chip().find_core("aiv1")->scalar().is_done());
}

TEST_F(ProgramLaunchTest, AResetStartsWithTheFirstAgain) {
    const std::string text = "launches:\n"
                             "  - {cores: {aiv: [{op: set_flag, src: V, dst: MTE3, id: 2}]}}\n"
                             "  - {cores: {aiv: [{op: wait_flag, src: V, dst: MTE3, id: 2}]}}\n";
    ASSERT_EQ(run_launches(text), tb::RunOutcome::finished);
    const std::vector<std::int64_t> first = length;
    ASSERT_EQ(run_launches(text), tb::RunOutcome::finished);
    EXPECT_EQ(length, first);
}

} // namespace
} // namespace aicore::test
