// Cycles of the repeats of vector instructions: paces that are no whole cycles, repeats of several
// steps.
#include "hw/config/data_files.h"
#include "tb/run/simulation.h"
#include "tb/validate/measuring.h"
#include "tb/validate/validation_reader.h"
#include "tests/support/program_list.h"
#include "tests/support/sim_test.h"

#include <string>
#include <vector>

namespace aicore::test {
namespace {

class VectorPace : public SimTest {
protected:
    using Figures = std::vector<double>;

    /// Cycles from one such instruction to the next for each number of repeats; the variable
    /// `repeats` in its text stands for that number.
    static Figures cycles(const std::string& instruction, const std::vector<int>& repeats,
                          const std::vector<std::string>& overrides = {}) {
        std::string numbers;
        for (const int n : repeats) numbers += (numbers.empty() ? "" : ", ") + std::to_string(n);
        const std::string rows = R"(
rows:
  - id: repeats_{repeats}
    sweep: {repeats: [)" + numbers +
                                 R"(]}
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
        const auto by_id = tb::simulate_rows(tb::load_validation_text(rows, "f"),
                                             find_data_file("platform.yaml"), overrides);
        Figures figures;
        for (const int n : repeats) figures.push_back(by_id.at("repeats_" + std::to_string(n)));
        return figures;
    }
    /// Cycles from one repeat to the next.
    static double cycles_per_repeat(const std::string& instruction) {
        const Figures figures = cycles(instruction, {16, 32});
        return (figures[1] - figures[0]) / 16;
    }
};

constexpr int kOverhead = 22; ///< of an instruction beyond its repeats

const std::string kGather = "dst_addr: 0x20000, src_addr: 0, offset_addr: 0x10000, repeat: repeats";

TEST_F(VectorPace, AGatherReadsItsOffsetsWithinThePaceOfTheRepeat) {
    EXPECT_EQ(cycles_per_repeat("op: vgather, dtype: uint16, " + kGather), 24);
    EXPECT_EQ(cycles_per_repeat("op: vgather, dtype: uint32, " + kGather), 12);
}

TEST_F(VectorPace, RepeatsAddUpToAPaceThatIsNoWholeNumberOfCycles) {
    const std::string gatherb = "op: vgatherb, dtype: uint16, " + kGather;
    EXPECT_EQ(cycles(gatherb, {1, 2, 3, 4, 5, 6, 10, 64}),
              (Figures{kOverhead + 2, kOverhead + 4, kOverhead + 6, kOverhead + 8, kOverhead + 9,
                       kOverhead + 11, kOverhead + 18, kOverhead + 116}));
    EXPECT_EQ(cycles(gatherb, {64}, {"engines.vector.cycles_per_repeat.gatherb=2.55"}),
              (Figures{kOverhead + 164}));
    EXPECT_EQ(cycles("op: vcmpv, dtype: float32, relation: lt, dst_addr: 0x20000, src0_addr: 0, "
                     "src1_addr: 0x10100, repeat: repeats",
                     {9, 10, 11}),
              (Figures{kOverhead + 18, kOverhead + 19, kOverhead + 21}));
    EXPECT_EQ(cycles("op: vcmax, dtype: float16, dst_addr: 0x20000, dst_rep_stride: 1, "
                     "src0_addr: 0, repeat: repeats",
                     {4, 5, 64}),
              (Figures{kOverhead + 28, kOverhead + 34, kOverhead + 436}));
}

TEST_F(VectorPace, OnlyTheFirstRepeatOfAGatherWaitsForItsOffsets) {
    EXPECT_EQ(cycles("op: vgatherb, dtype: uint16, " + kGather, {1, 8},
                     {"engines.vector.cycles_per_repeat.gatherb=1"}),
              (Figures{kOverhead + 2, kOverhead + 9}));
}

TEST_F(VectorPace, WhatABankConflictCostsIsNotMadeUpFor) {
    // 1.5 cycles a repeat are 2 for even repeats and 1 for odd ones. Those that read both operands
    // from one half of the groups of banks take 2.
    const auto sums = [](const std::string& src1_addr) {
        return cycles("op: vadd, dtype: float32, dst_addr: 0x20000, src0_addr: 0, src1_addr: " +
                          src1_addr + ", src1_rep_stride: 0, repeat: repeats",
                      {64}, {"engines.vector.cycles_per_repeat.standard=1.5"});
    };
    EXPECT_EQ(sums("0x10000"), (Figures{kOverhead + 96})) << "even ones have the time";
    EXPECT_EQ(sums("0x10100"), (Figures{kOverhead + 128})) << "odd ones lose a cycle each";
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
