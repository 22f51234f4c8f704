// The host of the chip: writes the control registers of its AI Cores and watches its pins.
#pragma once

#include <cstddef>
#include <cstdint>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace aicore::tb {

/// Pauses the simulation when a launch is over or went wrong: with a toggling clock there is
/// always something left to do.
class Host : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> done{"done"};
    sc_core::sc_in<bool> error{"error"};
    /// One for each AI Core.
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Host, 32>> ctrl_isocks{"ctrl_isock"};

    SC_HAS_PROCESS(Host);
    Host(const sc_core::sc_module_name& name, int ai_cores);

    /// Writes a control register. Fatal when the AI Core refuses it.
    void write(std::size_t ai_core, std::uint64_t address, std::uint32_t value);

private:
    void on_pins() { sc_core::sc_pause(); }
};

} // namespace aicore::tb
