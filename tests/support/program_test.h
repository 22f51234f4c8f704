// Fixture for tests that run the text of a program on a chip of two AI Cores.
#pragma once

#include "hw/config/platform_loader.h"
#include "tb/program/program_check.h"
#include "tb/program/program_source.h"
#include "tb/run/simulation.h"
#include "tests/support/sim_test.h"

#include <memory>
#include <string>
#include <vector>

namespace aicore::test {

using ByteVector = std::vector<std::uint8_t>;

class ProgramTest : public SimTest {
protected:
    static constexpr Cycles kNoProgressLimit{100'000};

    /// Runs the lists of `cores` (YAML) and returns how it ended.
    tb::RunOutcome run(const std::string& cores) { return run_launches("cores:\n" + cores); }
    /// The same with `cores:` or `launches:` (YAML); `length` of each launch in cycles.
    tb::RunOutcome run_launches(const std::string& text) {
        const ChipConfig& chip = simulation.platform().chip;
        const IsaLimits limits = isa_limits(simulation.platform());
        program = std::make_unique<tb::Program>(
            tb::load_program_text("program: test\n" + text, "test.yaml", limits));
        tb::check_program(*program, limits, chip);
        sources.clear();
        length.clear();
        for (std::size_t launch = 0; launch < program->launches.size(); ++launch) {
            std::vector<tb::CoreSource> all;
            for (const tb::CoreInstance& instance : tb::core_instances(*program, chip, launch)) {
                sources.push_back(std::make_unique<tb::ProgramSource>(*program, instance));
                all.push_back({simulation.chip().find_core(instance.core), sources.back().get()});
            }
            const tb::RunOutcome outcome =
                launch == 0 ? simulation.run(all) : simulation.launch(all);
            if (outcome != tb::RunOutcome::finished) return outcome;
            length.push_back(simulation.cycles().count());
        }
        return tb::RunOutcome::finished;
    }
    void load(std::uint64_t address, const ByteVector& bytes) {
        simulation.chip().gm().load(address, bytes.data(), bytes.size());
    }
    ByteVector dump(std::uint64_t address, std::size_t bytes) {
        ByteVector data(bytes);
        simulation.chip().gm().dump(address, data.data(), bytes);
        return data;
    }
    ByteVector ub(std::uint64_t address, std::size_t bytes) {
        ByteVector data(bytes);
        simulation.chip().find_core("aiv0")->debug_read(Buffer::UB, address, data.data(),
                                                        static_cast<unsigned>(bytes));
        return data;
    }

    tb::Simulation simulation{default_platform({"chip.ai_cores=2"}), options()};
    std::unique_ptr<tb::Program> program;
    std::vector<std::unique_ptr<tb::ProgramSource>> sources;
    std::vector<std::int64_t> length;

private:
    static tb::SimulationOptions options() {
        tb::SimulationOptions with_checkers;
        with_checkers.core.check_protocol = true;
        with_checkers.no_progress_limit = kNoProgressLimit;
        return with_checkers;
    }
};

} // namespace aicore::test
