// SyncAll in its three forms: nobody goes on before all have come, again and again.
#include "tests/support/program_test.h"

#include <string>
#include <vector>

namespace aicore::test {
namespace {

/// Each of the four vector cores writes the words of its block, meets the others, and copies the
/// blocks of all cores into a place of its own. A core that goes on too early finds zeros.
std::string exchange(const std::string& meeting, const std::string& cube_cores = "") {
    return R"(
  aiv:
    - {op: vector_dup, dtype: int32, dst_addr: 1024, scalar: 7, repeat: 1}
    - {sync: [V, MTE3], event: 0}
    - {loop: {var: late, count: core * 40}, body: [{op: data_copy, src: UB, src_addr: 1024,
       dst: GM, dst_addr: 65536 + core * 256, block_len: 8}]}
    - {op: data_copy, src: UB, src_addr: 1024, dst: GM, dst_addr: core * 256, block_len: 8}
    - )" + meeting +
           R"(
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 2048, block_len: 32}
    - {sync: [MTE2, MTE3], event: 1}
    - {op: data_copy, src: UB, src_addr: 2048, dst: GM, dst_addr: 131072 + core * 1024,
       block_len: 32}
)" + cube_cores;
}

class SyncAllTest : public ProgramTest {
protected:
    void expect_exchange(const std::string& cores) {
        ASSERT_EQ(run(cores), tb::RunOutcome::finished);
        const ByteVector all = dump(131072, 4096);
        for (std::size_t i = 0; i < all.size(); ++i) {
            ASSERT_EQ(all[i], i % 4 == 0 ? 7 : 0) << "core " << i / 1024 << " byte " << i % 1024;
        }
    }
    void expect_counters_used_up() {
        const CrossCoreFlags& flags = simulation.chip().cross_core_flags();
        for (int core = 0; core < 6; ++core) {
            for (int id = 0; id < kCrossCoreIds; ++id) {
                EXPECT_EQ(flags.count(core, id), 0) << core << ' ' << id;
                EXPECT_EQ(flags.collected(core, id), 0) << core << ' ' << id;
            }
        }
    }
};

TEST_F(SyncAllTest, VectorCoresMeet) {
    expect_exchange(exchange("{op: sync_all}"));
    expect_counters_used_up();
}

TEST_F(SyncAllTest, AllCoresMeet) {
    expect_exchange(
        exchange("{op: sync_all, aiv_only: false}", "  aic: [{op: sync_all, aiv_only: false}]\n"));
    expect_counters_used_up();
}

TEST_F(SyncAllTest, VectorCoresMeetThroughGlobalMemory) {
    expect_exchange(exchange("{op: soft_sync_all, gm: GM, gm_addr: 262144, ub_addr: 4096, "
                             "used_cores: cores, block_idx: core}"));
}

TEST_F(SyncAllTest, AMeetingOfSomeCores) {
    ASSERT_EQ(run("  aiv1: [{op: soft_sync_all, gm: GM, gm_addr: 4096, ub_addr: 0, used_cores: 2, "
                  "block_idx: 0}]\n"
                  "  aiv2: [{op: soft_sync_all, gm: GM, gm_addr: 4096, ub_addr: 0, used_cores: 2, "
                  "block_idx: 1}]\n"
                  "  aiv3: [{op: pipe_barrier, pipe: ALL}]\n"),
              tb::RunOutcome::finished);
}

/// The slots count, so that they need to be 0 before the first meeting only.
TEST_F(SyncAllTest, SoftMeetingsInARow) {
    ASSERT_EQ(run(R"(
  aiv:
    - loop: {var: i, count: 5}
      body:
        - {loop: {var: late, count: (core * 7 + i * 3) % 4}, body: [{op: data_copy, src: UB,
           src_addr: 1024, dst: GM, dst_addr: 65536, block_len: 64}]}
        - {op: soft_sync_all, gm: GM, gm_addr: 0, ub_addr: 0, used_cores: cores, block_idx: core}
)"),
              tb::RunOutcome::finished);
    const ByteVector slots = dump(0, 4 * 32);
    for (std::size_t core = 0; core < 4; ++core) EXPECT_EQ(slots[core * 32], 5) << core;
}

TEST_F(SyncAllTest, HardMeetingsInARow) {
    ASSERT_EQ(run("  aiv: [{loop: {var: i, count: 40}, body: [{op: sync_all}]}]\n"),
              tb::RunOutcome::finished);
    expect_counters_used_up();
}

/// A flag to all vector cores has to go once through the latency; for all cores three flags follow
/// one another.
TEST_F(SyncAllTest, TakesTheLatencyOfItsFlags) {
    const std::int64_t latency = simulation.platform().sync.cross_core_latency_cycles.count();
    ASSERT_EQ(run("  aiv: [{op: sync_all}]\n"), tb::RunOutcome::finished);
    EXPECT_GE(simulation.cycles().count(), latency);
    EXPECT_LE(simulation.cycles().count(), latency + 20);
    ASSERT_EQ(run("  aiv: [{op: sync_all, aiv_only: false}]\n"
                  "  aic: [{op: sync_all, aiv_only: false}]\n"),
              tb::RunOutcome::finished);
    EXPECT_GE(simulation.cycles().count(), 3 * latency);
    EXPECT_LE(simulation.cycles().count(), 3 * latency + 40);
}

TEST_F(SyncAllTest, WhoPollsMakesNoProgress) {
    ASSERT_EQ(run("  aiv0: [{op: soft_sync_all, gm: GM, gm_addr: 0, ub_addr: 0, used_cores: 3, "
                  "block_idx: 1}]\n"),
              tb::RunOutcome::no_progress);
    EXPECT_EQ(simulation.chip().find_core("aiv0")->scalar().absent_slots(),
              (std::vector<int>{0, 2}));
}

TEST_F(SyncAllTest, WhoPollsIsFoundAsSoonAsTheLimitSays) {
    ASSERT_EQ(run("  aiv0: [{op: soft_sync_all, gm: GM, gm_addr: 0, ub_addr: 0, used_cores: 2, "
                  "block_idx: 1}]\n"),
              tb::RunOutcome::no_progress);
    EXPECT_GE(simulation.chip().clock().now(), kNoProgressLimit);
    EXPECT_LE(simulation.chip().clock().now(), kNoProgressLimit * 2);
}

TEST_F(SyncAllTest, WhoHasNotComeIsKnown) {
    ASSERT_EQ(run("  aiv0: [{op: sync_all}]\n"
                  "  aiv1: [{op: sync_all}, {op: sync_all}]\n"
                  "  aiv3: [{op: pipe_barrier, pipe: ALL}]\n"
                  "  aic0: [{op: pipe_barrier, pipe: ALL}]\n"),
              tb::RunOutcome::stuck);
    const CrossCoreFlags& flags = simulation.chip().cross_core_flags();
    EXPECT_EQ(flags.absent_from_sync_all(1, true), (std::vector<int>{5}));
    EXPECT_EQ(flags.absent_from_sync_all(1, false), (std::vector<int>{0, 5}));
}

TEST_F(SyncAllTest, ResetInTheMiddle) {
    const std::string cores = "  aiv: [{op: soft_sync_all, gm: GM, gm_addr: 0, ub_addr: 0, "
                              "used_cores: cores, block_idx: core}, {op: sync_all}]\n";
    load(0, ByteVector(128, 0)); // L2 holds it
    ASSERT_EQ(run(cores), tb::RunOutcome::finished);
    const std::int64_t cycles = simulation.cycles().count();
    for (const std::int64_t cut : {100, 250, 300, 450}) {
        simulation.set_reset(true);
        simulation.advance(Cycles(2));
        load(0, ByteVector(128, 0));
        simulation.set_reset(false);
        simulation.advance(Cycles(cut));
        load(0, ByteVector(128, 0));
        ASSERT_EQ(run(cores), tb::RunOutcome::finished) << cut;
        EXPECT_EQ(simulation.cycles().count(), cycles) << cut;
    }
}

} // namespace
} // namespace aicore::test
