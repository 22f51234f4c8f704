// The target socket of an AI Core: control registers and program window (control_registers.h).
//
// Accesses take no time; one that comes with a delay is served when the delay is over. Registers
// are words: another length is TLM_BURST_ERROR_RESPONSE, another alignment or a hole of the map
// TLM_ADDRESS_ERROR_RESPONSE, a write of a register to read TLM_COMMAND_ERROR_RESPONSE, and a start
// that is refused, or any write of a register in reset, TLM_GENERIC_ERROR_RESPONSE. Byte enables
// are TLM_BYTE_ENABLE_ERROR_RESPONSE. DMI is refused. transport_dbg reads everything without a side
// effect and writes the window, in reset and before the simulation as well.
#pragma once

#include "hw/core/launch_control.h"
#include "hw/core/program_window.h"

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class ControlPort : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<ControlPort, 32> tsock{"tsock"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    SC_HAS_PROCESS(ControlPort);
    /// `first_block`: reset value of the block index.
    ControlPort(const sc_core::sc_module_name& name, int arch, std::uint32_t first_block,
                ProgramWindow& window, LaunchControl& launch);

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
    tlm::tlm_response_status access_register(tlm::tlm_generic_payload& payload);
    std::uint32_t read_register(std::uint64_t address) const;
    tlm::tlm_response_status write_register(std::uint64_t address, std::uint32_t value);
    void on_reset();

    int arch_;
    std::uint32_t first_block_;
    ProgramWindow& window_;
    LaunchControl& launch_;
    std::uint32_t block_index_, block_count_ = 1;
    std::uint32_t cycles_high_ = 0; ///< latched
};

} // namespace aicore
