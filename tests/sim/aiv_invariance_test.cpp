// Programs on several cores: nothing depends on the order of construction, and a reset in the
// middle returns everything to its power-on state.
#include "hw/config/platform_loader.h"
#include "tb/program/program_source.h"
#include "tb/run/simulation.h"
#include "tests/support/event_log.h"
#include "tests/support/sim_test.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

using ByteVector = std::vector<std::uint8_t>;

/// All cores of two AI Cores meet through memory and by flags, and add into one tensor, at edges
/// that they share: the sums of float16 depend on the order in which they arrive.
const std::string kMeetings = R"(
program: meetings
tensors:
  slots: {dtype: int32, shape: [4, 8], init: {fill: 0}}
  x: {dtype: float16, shape: [4, 1024], init: {random: {seed: 1, min: -4, max: 4}}}
  sum: {dtype: float16, shape: [1024], init: {fill: 1}}
cores:
  aic: [{op: sync_all, aiv_only: false}]
  aiv:
    - {op: data_copy, src: 'GM:x', src_addr: core * 2048, dst: UB, dst_addr: 0, block_len: 64}
    - {op: sync_all, aiv_only: false}
    - {op: set_atomic, operation: add, dtype: float16}
    - {op: data_copy, src: UB, src_addr: 0, dst: 'GM:sum', dst_addr: 0, block_len: 64}
    - {op: set_atomic, operation: none}
    - loop: {var: i, count: 3}
      body:
        - {op: soft_sync_all, gm: 'GM:slots', gm_addr: 0, ub_addr: 4096, used_cores: cores,
           block_idx: core}
    - {op: set_atomic, operation: add, dtype: float16}
    - {op: data_copy, src: UB, src_addr: 0, dst: 'GM:sum', dst_addr: 0, block_len: 64}
)";

/// One of the example programs, or the text of a program, on a chip of its own.
class ProgramBench {
public:
    explicit ProgramBench(const std::string& name, unsigned construction_order = 0)
        : simulation_(default_platform({name == kMeetings ? "chip.ai_cores=2" : "chip.ai_cores=1"}),
                      options(construction_order)),
          program_(read(name, isa_limits(simulation_.platform()))) {
        simulation_.chip().observers().add(log_);
        for (const tb::CoreInstance& instance :
             tb::core_instances(program_, simulation_.platform().chip)) {
            sources_.push_back(std::make_unique<tb::ProgramSource>(program_, instance));
            cores_.push_back({simulation_.chip().find_core(instance.core), sources_.back().get()});
        }
        load();
    }

    /// Everything that can be seen of a run.
    std::string run() {
        log_.clear();
        EXPECT_EQ(simulation_.run(cores_), tb::RunOutcome::finished);
        std::string text = "cycles " + std::to_string(simulation_.cycles().count()) + "\n";
        for (const tb::Tensor& tensor : program_.tensors) {
            ByteVector bytes(static_cast<std::size_t>(tensor.bytes()));
            simulation_.chip().gm().dump(tensor.address, bytes.data(), bytes.size());
            text.append(bytes.begin(), bytes.end());
        }
        return text + log_.text();
    }
    /// Lets the programs run for `cycles`, then resets the chip.
    void run_and_cut(Cycles cycles) {
        simulation_.set_reset(true);
        simulation_.advance(Cycles(2));
        simulation_.set_reset(false);
        simulation_.advance(cycles);
        simulation_.set_reset(true);
        simulation_.advance(Cycles(2));
    }
    void expect_power_on_state() {
        for (Core* core : simulation_.chip().cores()) {
            EXPECT_EQ(core->outstanding_transactions(), 0u) << core->basename();
            EXPECT_TRUE(core->event_flags().set_flags().empty());
            for (const Engine* engine : core->engines()) {
                EXPECT_TRUE(engine->queue().empty());
                EXPECT_TRUE(engine->in_flight().empty());
            }
        }
        ByteVector ub(64 * 1024);
        simulation_.chip().find_core("aiv0")->debug_read(Buffer::UB, 0, ub.data(), 64 * 1024);
        EXPECT_EQ(ub, ByteVector(ub.size(), 0xa5));
        EXPECT_TRUE(simulation_.chip().cross_core_flags().is_drained());
    }
    Cycles cycles() const { return simulation_.cycles(); }

private:
    static tb::Program read(const std::string& name, const IsaLimits& limits) {
        return name == kMeetings
                   ? tb::load_program_text(name, "meetings.yaml", limits)
                   : tb::load_program(AICORE_SOURCE_DIR "/tb/programs/" + name, limits);
    }
    static tb::SimulationOptions options(unsigned construction_order) {
        tb::SimulationOptions options;
        options.core.check_protocol = true;
        options.core.construction_order = construction_order;
        return options;
    }
    void load() {
        for (const tb::Tensor& tensor : program_.tensors) {
            const ByteVector bytes = tb::initial_bytes(tensor);
            simulation_.chip().gm().load(tensor.address, bytes.data(), bytes.size());
        }
    }

    tb::Simulation simulation_;
    EventLog log_;
    tb::Program program_;
    std::vector<std::unique_ptr<tb::ProgramSource>> sources_;
    std::vector<tb::CoreSource> cores_;
};

class SeveralCores : public SimTest {
protected:
    static void expect_one_result(const std::string& program) {
        const auto run = [&](unsigned order) {
            return run_in_child([&] { return ProgramBench(program, order).run(); });
        };
        const std::string expected = run(0);
        EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 200);
        for (unsigned order = 1; order <= 8; ++order) {
            EXPECT_TRUE(run(order) == expected) << "order " << order;
        }
    }
    static void expect_clean_resets(const std::string& program) {
        ProgramBench bench(program);
        const std::string expected = bench.run();
        const std::int64_t length = bench.cycles().count();
        constexpr std::int64_t kCuts = 60;
        for (std::int64_t cut = 0; cut < kCuts; ++cut) {
            SCOPED_TRACE("cut " + std::to_string(cut));
            bench.run_and_cut(Cycles(1 + cut * length / kCuts));
            bench.expect_power_on_state();
        }
        EXPECT_TRUE(bench.run() == expected);
    }
};

TEST_F(SeveralCores, AdditionInAnyOrder) { expect_one_result("vector_add.yaml"); }
TEST_F(SeveralCores, PeerInAnyOrder) { expect_one_result("peer_copy.yaml"); }
TEST_F(SeveralCores, MeetingsInAnyOrder) { expect_one_result(kMeetings); }
TEST_F(SeveralCores, FusedKernelInAnyOrder) { expect_one_result("matmul_gelu.yaml"); }
TEST_F(SeveralCores, AdditionWithResets) { expect_clean_resets("vector_add.yaml"); }
TEST_F(SeveralCores, PeerWithResets) { expect_clean_resets("peer_copy.yaml"); }
TEST_F(SeveralCores, FusedKernelWithResets) { expect_clean_resets("matmul_gelu.yaml"); }

} // namespace
} // namespace aicore::test
