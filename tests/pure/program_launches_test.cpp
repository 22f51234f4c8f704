// Launches of a program file: which cores take part, and what is refused.
#include "tb/program/program_check.h"
#include "tests/pure/program_samples.h"

#include <gtest/gtest.h>

#include <string>

namespace aicore::tb {
namespace {

constexpr ChipConfig kChip{4, 2};

/// "aiv0(0/2) aiv1(1/2)": core, index and number of cores.
std::string cores_of(const Program& program, std::size_t launch) {
    std::string text;
    for (const CoreInstance& instance : core_instances(program, kChip, launch)) {
        text += (text.empty() ? "" : " ") + instance.core + "(" + std::to_string(instance.index) +
                "/" + std::to_string(instance.count) + ")";
    }
    return text;
}

void expect_error(const std::string& text, const std::string& message) {
    try {
        const Program program = load_text("program: p\n" + text);
        for (std::size_t i = 0; i < program.launches.size(); ++i) core_instances(program, kChip, i);
        ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
}

TEST(Launches, BlocksAreAiCoresOrVectorCores) {
    const Program program = load_text("program: p\n"
                                      "variables: {k: 2}\n"
                                      "launches:\n"
                                      "  - {cores: {aic: []}}\n"
                                      "  - {blocks: k + 1, cores: {aiv: []}}\n"
                                      "  - {blocks: 1, cores: {aic: [], aiv: []}}\n"
                                      "  - {blocks: 2, cores: {aic: [], aiv3: []}}\n");
    ASSERT_EQ(program.launches.size(), 4u);
    EXPECT_EQ(cores_of(program, 0), "aic0(0/4) aic1(1/4) aic2(2/4) aic3(3/4)");
    EXPECT_EQ(cores_of(program, 1), "aiv0(0/3) aiv1(1/3) aiv2(2/3)");
    EXPECT_EQ(cores_of(program, 2), "aic0(0/1) aiv0(0/2) aiv1(1/2)");
    EXPECT_EQ(cores_of(program, 3), "aic0(0/2) aic1(1/2) aiv3(3/1)");
}

TEST(Launches, CoresAreOneLaunch) {
    const Program program = load_text("program: p\ncores: {aiv1: []}\n");
    ASSERT_EQ(program.launches.size(), 1u);
    EXPECT_EQ(cores_of(program, 0), "aiv1(1/1)");
}

TEST(Launches, WhatIsRefused) {
    expect_error("cores: {}\nlaunches: []\n", "excludes launches");
    expect_error("launches: []\n", "expected at least one launch");
    expect_error("launches: [{blocks: 0, cores: {aiv: []}}]\n", "expected at least 1, found 0");
    expect_error("launches: [{blocks: core, cores: {aiv: []}}]\n", "core");
    expect_error("launches: [{blocks: 9, cores: {aiv: []}}]\n",
                 ":2:21: launches[0].blocks = 9: the chip has 8 vector cores");
    expect_error("launches: [{cores: {aiv: []}}, {blocks: 5, cores: {aiv: [], aic: []}}]\n",
                 "launches[1].blocks = 5: the chip has 4 AI Cores");
    expect_error("launches: [{blocks: 1, cores: {aic: [], aiv2: []}}]\n",
                 ":2:47: launches[0].cores.aiv2: the launch has no such core (blocks = 1)");
    expect_error("launches:\n- cores: {aiv: []}\n- cores:\n    aiv3: []\n    aiv: []\n",
                 ":6:10: launches[1].cores.aiv: aiv3 has two lists of instructions");
    expect_error("cores:\n  aiv: []\n  aic7: []\n",
                 ":4:9: cores.aic7: the chip has no such core (chip.ai_cores = 4, "
                 "vector_cores_per_ai_core = 2)");
}

/// The state that a launch leaves counts for the legality of the next one.
TEST(Launches, StateOfTheLaunchBefore) {
    const Program program = load_text("program: p\n"
                                      "launches:\n"
                                      "  - cores: {aic: [{op: set_atomic, operation: add, "
                                      "dtype: float32}]}\n"
                                      "  - cores: {aic: [{op: data_copy, src: L1, src_addr: 0, "
                                      "dst: GM, dst_addr: 2, block_len: 1}]}\n");
    EXPECT_THROW(check_program(program, test_limits(), kChip), InputError);
}

} // namespace
} // namespace aicore::tb
