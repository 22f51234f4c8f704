// One AI Core behind its pins and sockets, with global memory: the bench for tests that use the
// boundary as a foreign design does.
#pragma once

#include "hw/core/ai_core.h"
#include "hw/core/chip.h"
#include "hw/isa/program_image.h"
#include "tests/support/program_list.h"
#include "tests/support/sim_test.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

namespace aicore::test {

class AiCoreBench {
public:
    using Bytes = std::vector<std::uint8_t>;

    struct Host : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<Host, 32> isock{"isock"};

        explicit Host(const sc_core::sc_module_name& name) : sc_module(name) {}
    };

    /// `gm_bytes`: size of the memory when it is not the platform's.
    explicit AiCoreBench(const std::vector<std::string>& overrides = {},
                         std::optional<Bytes::size_type> gm_bytes = {})
        : platform(default_platform(overrides)), period(clock_period(platform.clock)),
          clk("clk", period), clock("clock"), core("core", platform, with_checkers()),
          gm("gm", memories(platform, gm_bytes), 1) {
        clock.clk(clk);
        clock.rst_n(rst_n);
        core.clk(clk);
        core.rst_n(rst_n);
        core.done(done);
        core.error(error);
        core.gm_isock.bind(gm.tsocks[0]);
        gm.clk(clock);
        gm.rst_n(rst_n);
        host.isock.bind(core.ctrl_tsock);
    }

    // ---- pins and time ----
    void advance(std::int64_t cycles) { sc_core::sc_start(period * static_cast<double>(cycles)); }
    void reset() {
        rst_n.write(false);
        advance(3);
        rst_n.write(true);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    // ---- registers ----
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                    std::uint8_t* data, unsigned bytes) {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, data, bytes);
        sc_core::sc_time delay;
        host.isock->b_transport(payload, delay);
        return payload.get_response_status();
    }
    tlm::tlm_response_status write(std::uint64_t address, std::uint32_t value) {
        return access(tlm::TLM_WRITE_COMMAND, address, reinterpret_cast<std::uint8_t*>(&value), 4);
    }
    std::uint32_t read(std::uint64_t address) {
        std::uint32_t value = 0;
        EXPECT_EQ(
            access(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(&value), 4),
            tlm::TLM_OK_RESPONSE);
        return value;
    }
    unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                   unsigned bytes) {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, data, bytes);
        return host.isock->transport_dbg(payload);
    }
    static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                     std::uint64_t address, std::uint8_t* data, unsigned bytes) {
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
    }

    // ---- launches ----
    void load(const Bytes& image) {
        Bytes copy = image;
        const auto bytes = static_cast<unsigned>(copy.size());
        ASSERT_EQ(debug(tlm::TLM_WRITE_COMMAND, kProgramWindow, copy.data(), bytes), bytes);
    }
    void load(const ProgramImage& image) { load(encode(image)); }
    /// Cube core, vector core 0, vector core 1.
    static ProgramImage image(const std::vector<std::vector<Operation>>& programs) {
        ProgramImage image;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            ProgramImage::Section section{0, static_cast<std::uint32_t>(i), {}};
            for (const Operation& operation : programs[i]) {
                const auto line = static_cast<std::int32_t>(section.instructions.size() + 1);
                section.instructions.push_back({operation, {line, 1}});
            }
            image.sections.push_back(section);
        }
        return image;
    }
    tlm::tlm_response_status start() {
        return write(control_register::kControl, control_register::kStart);
    }
    LaunchStatus status() { return static_cast<LaunchStatus>(read(control_register::kStatus)); }
    LaunchError error_code() {
        return static_cast<LaunchError>(read(control_register::kErrorCode));
    }
    /// Loads the image, starts it and lets it end; the status it ends with.
    LaunchStatus run(const std::vector<std::vector<Operation>>& programs) {
        load(image(programs));
        EXPECT_EQ(start(), tlm::TLM_OK_RESPONSE);
        advance(20000);
        return status();
    }

    Platform platform;
    sc_core::sc_time period;
    QuietClock clk;
    sc_core::sc_signal<bool> rst_n{"rst_n"}, done{"done"}, error{"error"};
    CycleClock clock;
    AiCore core;
    GlobalMemory gm;
    Host host{"host"};

private:
    static MemoriesConfig memories(const Platform& platform,
                                   std::optional<Bytes::size_type> gm_bytes) {
        MemoriesConfig config = platform.memories;
        if (gm_bytes) config.gm.size_bytes = aicore::Bytes(static_cast<std::int64_t>(*gm_bytes));
        return config;
    }
    static AiCoreOptions with_checkers() {
        AiCoreOptions options;
        options.core.check_protocol = true;
        return options;
    }
};

} // namespace aicore::test
