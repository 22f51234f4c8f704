// One core with its memory, an event log, and direct access to the buffers: the bench for tests
// that run small programs.
#pragma once

#include "tb/run/simulation.h"
#include "tests/support/event_log.h"
#include "tests/support/program_list.h"
#include "tests/support/sim_test.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aicore::test {

using ByteVector = std::vector<std::uint8_t>;

struct BenchOptions {
    std::vector<std::string> overrides; ///< of the platform, "path=value"
    bool check_protocol = true;
    bool toggling_clock = false;
    bool observed = true; ///< record the event log
    unsigned construction_order = 0;
    std::string platform{}; ///< as find_platform_file() takes it
};

class CoreBench {
public:
    explicit CoreBench(const BenchOptions& options = {});

    tb::Simulation& simulation() { return simulation_; }
    Aic& aic() { return simulation_.chip().aic(); }
    const Platform& platform() const { return simulation_.platform(); }
    EventLog& log() { return log_; }

    /// Resets the core; what is poked afterwards is there when run() starts the program.
    void reset();
    /// Runs a program to its end and expects that it gets there and leaves no transaction behind.
    void run(InstructionSource& program);

    /// Cycles of each instruction when it has the core for itself.
    std::vector<std::int64_t> alone(const std::vector<Operation>& operations);

    /// `sub_block` chooses a unified buffer.
    void poke(Buffer buffer, std::uint64_t address, const ByteVector& data, int sub_block = 0);
    ByteVector peek(Buffer buffer, std::uint64_t address, std::size_t bytes, int sub_block = 0);

    /// Cycles of instruction `number` (from 1, in program order) in the last run.
    Cycles issued(std::uint64_t number) const { return log_.at(number, InstructionStage::issued); }
    Cycles done(std::uint64_t number) const { return log_.at(number, InstructionStage::done); }
    Cycles dispatched(std::uint64_t number) const {
        return log_.at(number, InstructionStage::dispatched);
    }
    /// Issue to completion.
    Cycles duration(std::uint64_t number) const { return done(number) - issued(number); }

private:
    EventLog log_;
    tb::Simulation simulation_;
};

} // namespace aicore::test
