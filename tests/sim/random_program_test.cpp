// Programs with random flags, unit flags and barriers: the ones that are proved to complete do,
// with the right data; the ones that lack a set hang.
#include "tb/run/hang_report.h"
#include "tests/support/core_bench.h"
#include "tests/support/random_program.h"
#include "tests/support/random_scheduler.h"
#include "tests/support/untimed_machine.h"

#include <gmock/gmock.h>

#include <sstream>

namespace aicore::test {
namespace {

constexpr int kPrograms = 25;
constexpr int kAttempts = 1500;
constexpr auto kGmBytes =
    static_cast<std::size_t>(RandomProgram::kSourceBytes + RandomProgram::kOutputBytes);

/// Small integers as float16, then a pattern where results go.
ByteVector initial_gm(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    ByteVector gm(kGmBytes, 0x5a);
    for (std::size_t i = 0; i < static_cast<std::size_t>(RandomProgram::kSourceBytes); i += 2) {
        const Eigen::half value(static_cast<float>(static_cast<int>(random() % 9) - 4));
        std::memcpy(gm.data() + i, &value, 2);
    }
    return gm;
}

ByteVector expected_gm(const std::vector<Operation>& program, const ByteVector& gm) {
    UntimedMachine machine(kGmBytes, 512 * 1024, 64 * 1024, 64 * 1024, 128 * 1024);
    machine.gm = gm;
    for (const Operation& operation : program) machine.execute(operation);
    return machine.gm;
}

ProgramList list_of(const std::vector<Operation>& operations) {
    ProgramList program;
    for (const Operation& operation : operations) program.add(operation);
    return program;
}

/// Runs many programs on one core; returns how many instructions of work they had.
void expect_all_complete(const std::vector<std::string>& overrides) {
    BenchOptions options;
    options.overrides = overrides;
    CoreBench bench(options);
    std::size_t instructions = 0;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomProgram program(seed, kAttempts);
        ASSERT_EQ(program.errors(), std::vector<std::string>{});
        const ByteVector gm = initial_gm(seed);
        bench.poke(Buffer::GM, 0, gm);
        ProgramList source = list_of(program.operations());
        bench.run(source);
        ASSERT_FALSE(::testing::Test::HasFailure());
        ASSERT_TRUE(bench.peek(Buffer::GM, 0, kGmBytes) == expected_gm(program.operations(), gm));
        instructions += program.operations().size();
    }
    EXPECT_GT(instructions, std::size_t{kPrograms} * 100)
        << "the programs are too short to prove anything";
}

class RandomPrograms : public SimTest {};

TEST_F(RandomPrograms, CompleteOnTheDefaultPlatform) { expect_all_complete({}); }

TEST_F(RandomPrograms, CompleteWithTheSmallestQueues) {
    std::vector<std::string> overrides;
    for (const char* engine : {"cube", "mte1", "mte2", "mte3", "fixpipe"}) {
        overrides.push_back("engines." + std::string(engine) + ".queue_depth=1");
        overrides.push_back("engines." + std::string(engine) + ".in_flight=1");
    }
    expect_all_complete(overrides);
}

TEST_F(RandomPrograms, CompleteWhenNothingTakesTime) {
    std::vector<std::string> overrides{
        "engines.scalar.dispatch_cycles=1", "engines.cube.startup_cycles=0",
        "engines.cube.drain_cycles=0", "engines.fixpipe.write_drain_cycles=0"};
    for (const char* engine : {"cube", "mte1", "mte2", "mte3", "fixpipe"}) {
        overrides.push_back("engines." + std::string(engine) + ".instruction_gap_cycles=0");
        overrides.push_back("engines." + std::string(engine) + ".queue_depth=2");
    }
    for (const char* link : {"gm_to_l1", "l1_to_l0a", "l1_to_l0b", "l0c_to_gm"}) {
        overrides.push_back("links." + std::string(link) + ".latency_cycles=0");
    }
    expect_all_complete(overrides);
}

TEST_F(RandomPrograms, CompleteWithFewReadsOfGmUnderWay) {
    expect_all_complete({"engines.mte2.outstanding_bursts=32"});
}

/// A flag that a program waits for more often than it sets it: no timing saves such a program.
TEST_F(RandomPrograms, HangWhenASetIsMissing) {
    CoreBench bench;
    std::mt19937_64 random(1);
    int hangs = 0;
    for (std::uint64_t seed = 1; seed <= 3 * kPrograms; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::vector<Operation> operations = RandomProgram(seed, kAttempts / 3).operations();
        std::vector<std::size_t> sets;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (std::holds_alternative<SetFlag>(operations[i])) sets.push_back(i);
        }
        if (sets.empty()) continue;
        const std::size_t removed = sets[random() % sets.size()];
        const auto flag = std::get<SetFlag>(operations[removed]);
        operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(removed));

        ProgramList program = list_of(operations);
        RandomScheduler scheduler(bench.platform().engines.cube.pipe.queue_depth, seed);
        ASSERT_THAT(scheduler.run(program, [](const Operation&) {}),
                    ::testing::StartsWith("deadlock"));
        bench.reset();
        program.rewind();
        ASSERT_EQ(bench.simulation().run(program), tb::RunOutcome::stuck);
        ASSERT_EQ(bench.aic().outstanding_transactions(), 0u);
        ++hangs;

        std::ostringstream report;
        tb::write_hang_report(report, {{&bench.aic(), &program}}, tb::RunOutcome::stuck,
                              bench.simulation().cycles(), bench.platform().engines.fixpipe.layout,
                              [](SourcePlace place) { return std::to_string(place.line); });
        std::ostringstream missing;
        missing << "  flag  " << to_string(flag.src) << "->" << to_string(flag.dst) << " id "
                << flag.id << " is 0: ";
        ASSERT_THAT(report.str(), ::testing::HasSubstr(missing.str()));
        ASSERT_THAT(report.str(), ::testing::Not(::testing::HasSubstr("fault of the model")));
    }
    EXPECT_GT(hangs, 2 * kPrograms);
}

} // namespace
} // namespace aicore::test
