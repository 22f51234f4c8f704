// A program as an image on a lone AI Core against the same program on the project's own chip.
#include "hw/config/platform_loader.h"
#include "tb/program/image_builder.h"
#include "tb/program/program_source.h"
#include "tb/run/simulation.h"
#include "tests/support/ai_core_bench.h"

#include <sstream>

namespace aicore::test {
namespace {

class ImageRunTest : public SimTest, public testing::WithParamInterface<const char*> {
protected:
    static tb::Program load(const Platform& platform) {
        return tb::load_program(std::string(AICORE_SOURCE_DIR) + "/tb/programs/" + GetParam() +
                                    ".yaml",
                                isa_limits(platform));
    }
    static void load(const tb::Program& program, GlobalMemory& gm) {
        for (const tb::Tensor& tensor : program.tensors) {
            const auto bytes = tb::initial_bytes(tensor);
            gm.load(tensor.address, bytes.data(), bytes.size());
        }
    }
    static std::string report(const tb::Program& program, const GlobalMemory& gm, Cycles cycles) {
        std::ostringstream text;
        text << "cycles " << cycles << '\n';
        for (const tb::Tensor& tensor : program.tensors) {
            std::string bytes(static_cast<std::size_t>(tensor.bytes()), '\0');
            gm.dump(tensor.address, reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size());
            text << tensor.name << ' ' << std::hash<std::string>()(bytes) << '\n';
        }
        return text.str();
    }
};

TEST_P(ImageRunTest, IsTheSame) {
    const std::string from_source = run_in_child([] {
        tb::Simulation simulation(default_platform(), {});
        const tb::Program program = load(simulation.platform());
        load(program, simulation.chip().gm());
        std::vector<std::unique_ptr<tb::ProgramSource>> sources;
        std::vector<tb::CoreSource> cores;
        for (const tb::CoreInstance& one :
             tb::core_instances(program, simulation.platform().chip)) {
            sources.push_back(std::make_unique<tb::ProgramSource>(program, one));
            cores.push_back({simulation.chip().find_core(one.core), sources.back().get()});
        }
        EXPECT_EQ(simulation.run(cores), tb::RunOutcome::finished);
        return report(program, simulation.chip().gm(), simulation.cycles());
    });
    const std::string from_image = run_in_child([] {
        AiCoreBench bench;
        const tb::Program program = load(bench.platform);
        bench.reset();
        load(program, bench.gm);
        bench.load(tb::make_image(program, bench.platform.chip, bench.platform.arch));
        EXPECT_EQ(bench.start(), tlm::TLM_OK_RESPONSE);
        bench.advance(100000);
        EXPECT_EQ(bench.status(), LaunchStatus::done) << bench.core.error_message();
        return report(program, bench.gm, bench.core.cycles());
    });
    EXPECT_EQ(from_image, from_source);
    EXPECT_NE(from_source.find("cycles "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Programs, ImageRunTest,
                         testing::Values("matmul_gelu", "vector_add", "peer_copy",
                                         "kloop_unit_flag", "bias_relu_f16", "l0c_to_l1"));

} // namespace
} // namespace aicore::test
