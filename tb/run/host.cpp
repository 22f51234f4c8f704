#include "tb/run/host.h"

#include <string>

namespace aicore::tb {

Host::Host(const sc_core::sc_module_name& name, int ai_cores) : sc_module(name) {
    ctrl_isocks.init(static_cast<std::size_t>(ai_cores));
    SC_METHOD(on_pins);
    sensitive << done.pos() << error.pos();
    dont_initialize();
}

void Host::write(std::size_t ai_core, std::uint64_t address, std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    ctrl_isocks[ai_core]->b_transport(payload, delay);
    if (payload.is_response_ok()) return;
    const std::string message =
        "control register " + std::to_string(address) + ": " + payload.get_response_string();
    SC_REPORT_FATAL(name(), message.c_str());
}

} // namespace aicore::tb
