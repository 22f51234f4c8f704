// An initiator that a test drives by hand: one port in a module of its own.
#pragma once

#include "tlm/initiator_port.h"

#include <systemc>

#include <string>

namespace aicore::test {

template <unsigned BusWidth>
class TestInitiator : public sc_core::sc_module {
public:
    PayloadPool pool; ///< outlives the port
    InitiatorPort<BusWidth> isock;

    /// `on_response` is called for each response that does not come early.
    TestInitiator(const sc_core::sc_module_name& name,
                  InitiatorProtocol::ResponseHandler on_response = {})
        : sc_module(name), isock("isock", pool, std::move(on_response)) {}

    void read(std::uint64_t address, std::uint8_t* data, std::size_t bytes,
              Cycles pace = Cycles(0)) {
        Access access = Access::read(address, data, bytes);
        access.pace = pace;
        isock.start(access);
    }
    void write(std::uint64_t address, std::uint8_t* data, std::size_t bytes,
               const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
        Access access = Access::write(address, data, bytes);
        isock.start(access, delay);
    }
};

} // namespace aicore::test
