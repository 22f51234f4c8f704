#include "tests/support/core_bench.h"

namespace aicore::test {

namespace {

tb::SimulationOptions simulation_options(const BenchOptions& bench) {
    tb::SimulationOptions options;
    options.core.check_protocol = bench.check_protocol;
    options.core.construction_order = bench.construction_order;
    options.toggling_clock = bench.toggling_clock;
    return options;
}

} // namespace

CoreBench::CoreBench(const BenchOptions& options)
    : simulation_(default_platform(options.overrides, options.platform),
                  simulation_options(options)) {
    simulation_.chip().gm().timing().preload(0, 1 << 20); // operands that L2 holds
    if (options.observed) simulation_.chip().observers().add(log_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates: sockets are bound from here on
}

void CoreBench::reset() {
    simulation_.set_reset(true);
    simulation_.advance(Cycles(1));
    log_.clear();
}

void CoreBench::run(InstructionSource& program) {
    reset();
    EXPECT_EQ(simulation_.run(program), tb::RunOutcome::finished)
        << simulation_.chip().error_message();
    EXPECT_EQ(aic().outstanding_transactions(), 0u);
}

std::vector<std::int64_t> CoreBench::alone(const std::vector<Operation>& operations) {
    ProgramList program;
    std::vector<std::uint64_t> numbers;
    for (const Operation& operation : operations) {
        numbers.push_back(program.add(operation));
        program.add(PipeBarrier{Pipe::ALL});
    }
    run(program);
    std::vector<std::int64_t> cycles;
    for (const std::uint64_t number : numbers) cycles.push_back(duration(number).count());
    return cycles;
}

void CoreBench::poke(Buffer buffer, std::uint64_t address, const ByteVector& data, int sub_block) {
    ByteVector copy = data;
    const auto bytes = static_cast<unsigned>(copy.size());
    ASSERT_EQ(aic().debug_write(buffer, address, copy.data(), bytes, sub_block), bytes);
}

ByteVector CoreBench::peek(Buffer buffer, std::uint64_t address, std::size_t bytes, int sub_block) {
    ByteVector data(bytes);
    EXPECT_EQ(
        aic().debug_read(buffer, address, data.data(), static_cast<unsigned>(bytes), sub_block),
        bytes);
    return data;
}

} // namespace aicore::test
