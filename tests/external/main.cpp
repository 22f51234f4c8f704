// A fused kernel on an AI Core in a design of its own: matrix product on the cube core, bias and
// GELU on both vector cores (tb/programs/matmul_gelu.yaml of aicore-sc).
//
// usage: external_design IMAGE MANNER    MANNER: how the memory answers, see memory.h
//
// Runs the kernel four times: after a reset, again after a reset (the same cycles), without one,
// and after a reset in the middle of a run. Checks every result against arithmetic of its own.
// Exit status 0 when all is right.

#include "memory.h"

#include "hw/config/platform_loader.h"
#include "hw/core/ai_core.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include <tlm_utils/simple_initiator_socket.h>

namespace {

namespace reg = aicore::control_register;

constexpr int kM = 64, kN = 64, kK = 64;
// As `aicore compile` prints them.
constexpr std::uint64_t kA = 0, kB = 8192, kBias = 16384, kC = 16896, kY = 33280, kEnd = 49664;

/// Bits of a float16 that holds `value`, a multiple of 1/64 below 2, exactly.
std::uint16_t half_bits(double value) {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent); // 0.5 <= fraction < 1
    const auto mantissa = static_cast<unsigned>((2 * fraction - 1) * 1024);
    const unsigned sign = value < 0 ? 0x8000u : 0u;
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 14) << 10 | mantissa);
}

class Problem {
public:
    Problem() {
        std::mt19937 random(11);
        const auto draw = [&random] { return (static_cast<int>(random() % 129) - 64) / 64.0; };
        for (double& value : a_) value = draw();
        for (double& value : b_) value = draw();
        for (double& value : bias_) value = draw();
    }

    void store(std::vector<std::uint8_t>& memory) const {
        std::memset(&memory[kC], 0xa5, kEnd - kC);
        for (std::size_t i = 0; i < a_.size(); ++i) put(memory, kA + 2 * i, half_bits(a_[i]));
        for (std::size_t i = 0; i < b_.size(); ++i) put(memory, kB + 2 * i, half_bits(b_[i]));
        for (std::size_t i = 0; i < bias_.size(); ++i) {
            put(memory, kBias + 4 * i, static_cast<float>(bias_[i]));
        }
    }

    /// Elements that differ from the kernel's definition by more than rounding.
    int mismatches(const std::vector<std::uint8_t>& memory) const {
        int bad = 0;
        for (std::size_t row = 0; row < kM; ++row) {
            for (std::size_t column = 0; column < kN; ++column) {
                double x = bias_[column];
                for (std::size_t k = 0; k < kK; ++k) x += a_[row * kK + k] * b_[k * kN + column];
                const double expected = x / (1 + std::exp(-1.595769 * (x + 0.044715 * x * x * x)));
                float found = 0;
                std::memcpy(&found, &memory[kY + 4 * (row * kN + column)], sizeof found);
                if (!(std::fabs(found - expected) <= 1e-6 + 1e-4 * std::fabs(expected))) ++bad;
            }
        }
        return bad;
    }

private:
    template <typename Value>
    static void put(std::vector<std::uint8_t>& memory, std::uint64_t at, Value value) {
        std::memcpy(&memory[at], &value, sizeof value);
    }

    std::vector<double> a_ = std::vector<double>(kM * kK), b_ = std::vector<double>(kK * kN),
                        bias_ = std::vector<double>(kN);
};

/// A host that knows registers and pins, nothing else.
class Host : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Host, 32> isock{"isock"};
    sc_core::sc_in<bool> clk{"clk"}, done{"done"}, error{"error"};
    sc_core::sc_out<bool> rst_n{"rst_n"};

    SC_HAS_PROCESS(Host);
    Host(const sc_core::sc_module_name& name, Memory& memory, std::vector<std::uint8_t> image)
        : sc_module(name), memory_(memory), image_(std::move(image)) {
        SC_THREAD(run);
    }

    int failures = 0;

private:
    void run() {
        load_image();
        expect(read(reg::kId) == reg::kIdValue, "id register");
        reset();
        expect(read(reg::kStatus) == 0, "idle after reset");
        const std::uint64_t first = launch("after a reset");
        reset();
        const std::uint64_t second = launch("after another reset");
        expect(first == second, "both runs take the same cycles");
        launch("without a reset");
        expect(read(reg::kLaunches) == 2, "launches since the reset");

        write(reg::kControl, reg::kStart);
        wait_cycles(700);
        expect(read(reg::kStatus) == 1, "running in the middle of a run");
        reset();
        launch("after a reset in the middle of a run");
        std::printf("%llu cycles, %llu transactions\n", static_cast<unsigned long long>(first),
                    static_cast<unsigned long long>(memory_.transactions));
        finished_ = true;
        sc_core::sc_stop();
    }

    std::uint64_t launch(const std::string& what) {
        problem_.store(memory_.content);
        write(reg::kControl, reg::kStart);
        wait(done.posedge_event() | error.posedge_event());
        expect(!error.read() && read(reg::kStatus) == 2, what + ": done");
        expect(problem_.mismatches(memory_.content) == 0, what + ": result");
        const std::uint64_t low = read(reg::kCyclesLow);
        return low | static_cast<std::uint64_t>(read(reg::kCyclesHigh)) << 32;
    }

    void reset() {
        rst_n.write(false);
        wait_cycles(4);
        rst_n.write(true);
        wait_cycles(1);
    }

    void wait_cycles(int count) {
        for (int i = 0; i < count; ++i) wait(clk.posedge_event());
    }

    void load_image() {
        tlm::tlm_generic_payload payload;
        fill(payload, aicore::kProgramWindow, image_.data(), image_.size());
        payload.set_write();
        expect(isock->transport_dbg(payload) == image_.size(), "image fits into the window");
    }

    std::uint32_t read(std::uint64_t address) {
        std::uint32_t word = 0;
        transfer(tlm::TLM_READ_COMMAND, address, word);
        return word;
    }
    void write(std::uint64_t address, std::uint32_t word) {
        transfer(tlm::TLM_WRITE_COMMAND, address, word);
    }
    void transfer(tlm::tlm_command command, std::uint64_t address, std::uint32_t& word) {
        tlm::tlm_generic_payload payload;
        fill(payload, address, reinterpret_cast<std::uint8_t*>(&word), sizeof word);
        payload.set_command(command);
        sc_core::sc_time delay;
        isock->b_transport(payload, delay);
        expect(payload.is_response_ok(), "register " + std::to_string(address));
    }
    static void fill(tlm::tlm_generic_payload& payload, std::uint64_t address, std::uint8_t* data,
                     std::size_t bytes) {
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(static_cast<unsigned>(bytes));
        payload.set_streaming_width(static_cast<unsigned>(bytes));
    }

    void expect(bool holds, const std::string& what) {
        if (holds) return;
        ++failures;
        std::printf("FAILED: %s\n", what.c_str());
    }
    void end_of_simulation() override { expect(finished_, "the simulation reaches its end"); }

    Memory& memory_;
    std::vector<std::uint8_t> image_;
    Problem problem_;
    bool finished_ = false;
};

} // namespace

int sc_main(int argc, char* argv[]) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: external_design IMAGE MANNER\n");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) {
        std::cerr << "cannot open " << argv[1] << '\n';
        return 2;
    }
    std::vector<std::uint8_t> image{std::istreambuf_iterator<char>(file), {}};
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    const aicore::Platform platform = aicore::load_platform(PLATFORM_FILE, {});
    const sc_core::sc_time period(1.0 / platform.clock.frequency_mhz, sc_core::SC_US);

    sc_core::sc_clock clk("clk", period);
    sc_core::sc_signal<bool> rst_n("rst_n"), done("done"), error("error");
    aicore::AiCore core("core", platform);
    Memory memory("memory", 64 * 1024, parse_manner(argv[2]), period);
    Host host("host", memory, std::move(image));
    core.clk(clk);
    core.rst_n(rst_n);
    core.done(done);
    core.error(error);
    core.gm_isock.bind(memory.tsock);
    host.isock.bind(core.ctrl_tsock);
    host.clk(clk);
    host.rst_n(rst_n);
    host.done(done);
    host.error(error);
    sc_core::sc_start(period * 200000);
    if (sc_core::sc_get_status() != sc_core::SC_STOPPED) sc_core::sc_stop();
    if (!core.error_message().empty()) std::printf("error: %s\n", core.error_message().c_str());
    return host.failures == 0 ? 0 : 1;
}
