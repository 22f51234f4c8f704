// Cycles of a repeat of the vector instructions whose repeats take more than one step.
#include "hw/config/data_files.h"
#include "tb/run/simulation.h"
#include "tb/validate/measuring.h"
#include "tb/validate/validation_reader.h"
#include "tests/support/program_list.h"
#include "tests/support/sim_test.h"

#include <string>

namespace aicore::test {
namespace {

class VectorPace : public SimTest {
protected:
    /// Cycles from one repeat to the next; {repeats} in the instruction stands for their number.
    static double cycles_per_repeat(const std::string& instruction) {
        const std::string rows = R"(
rows:
  - id: repeats_{repeats}
    sweep: {repeats: [16, 32]}
    workload: w
    core: aiv0
    program:
      - {op: vector_dup, dtype: uint32, dst_addr: 0x10000, scalar: 0, repeat: 64}
      - loop: {var: i, count: 3}
        body:
          - {)" + instruction + R"(}
    measure: {pipe: V, kind: interval, first: 1}
    published: 1
    calibrated: false
    source: s
)";
        const auto figures = tb::simulate_rows(tb::load_validation_text(rows, "f"),
                                               find_data_file("platform.yaml"), {});
        return (figures.at("repeats_32") - figures.at("repeats_16")) / 16;
    }
};

TEST_F(VectorPace, AGatherReadsItsOffsetsWithinThePaceOfTheRepeat) {
    const std::string addresses = "dst_addr: 0x20000, src_addr: 0, offset_addr: 0x10000, "
                                  "repeat: repeats";
    EXPECT_EQ(cycles_per_repeat("op: vgather, dtype: uint16, " + addresses), 24);
    EXPECT_EQ(cycles_per_repeat("op: vgather, dtype: uint32, " + addresses), 12);
    EXPECT_EQ(cycles_per_repeat("op: vgatherb, dtype: uint16, " + addresses), 2);
}

TEST_F(VectorPace, AGatherMaskTakesThePaceForEvery256Bytes) {
    EXPECT_EQ(cycles_per_repeat("op: vreducev2, dtype: uint16, dst_addr: 0x20000, src_addr: 0, "
                                "pattern: 1, repeat: repeats"),
              14);
}

TEST_F(VectorPace, AMergeGivesTwoEntriesInACycle) {
    EXPECT_EQ(cycles_per_repeat("op: vmrgsort4, dtype: float32, dst_addr: 0x20000, "
                                "src0_addr: 0x10000, length0: repeats, src1_addr: 0x10820, "
                                "length1: repeats, valid_bits: 3"),
              1)
        << "an entry of each of the two lists";
}

TEST_F(VectorPace, AVeryLongInstructionIsNoHang) {
    tb::SimulationOptions options;
    options.no_progress_limit = Cycles(400'000);
    tb::Simulation simulation(default_platform(), options);
    SetVectorMask mask;
    constexpr std::uint32_t kRepeats = 180'000;
    mask.words = {64 * kRepeats, 0, 0, 0};
    VectorOp op;
    op.opcode = VectorOpcode::vcmax;
    op.type = DataType::float32;
    op.dst = {0x10000, 1, 0};
    op.src0 = {0, 1, 0};
    ProgramList program{SetMaskMode{MaskMode::counter}, mask, op};
    EXPECT_EQ(simulation.run({{simulation.chip().find_core("aiv0"), &program}}),
              tb::RunOutcome::finished);
    EXPECT_GT(simulation.cycles().count(), 7 * kRepeats);
}

} // namespace
} // namespace aicore::test
