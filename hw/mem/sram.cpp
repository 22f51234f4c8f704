#include "hw/mem/sram.h"

#include "tlm/payload_pool.h"

#include <algorithm>

namespace aicore {

namespace {

void write(SramStorage& storage, Cycles now, Cycles due, tlm::tlm_generic_payload& payload) {
    storage.write(now, due, payload.get_address(), payload.get_data_ptr(),
                  payload.get_data_length(), payload.get_byte_enable_ptr(),
                  payload.get_byte_enable_length());
}

} // namespace

tlm::tlm_sync_enum serve_exclusive(SramStorage& storage, const CycleClockIf& clock,
                                   PortDirection direction, tlm::tlm_generic_payload& payload,
                                   tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ)
        SC_REPORT_FATAL("/aicore/sram", "unexpected phase on the forward path");
    if (!check_access(payload, storage.size(), direction)) return tlm::TLM_COMPLETED;
    const Cycles now = clock.now();
    if (payload.is_read()) {
        AccessExtension* extension = access_extension(payload);
        const std::uint64_t version =
            storage.read(now, payload.get_address(), payload.get_data_ptr(),
                         payload.get_data_length(), extension ? extension->version : 0);
        if (extension != nullptr) extension->version = version;
    } else {
        write(storage, now, clock.edge_after(delay), payload);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
}

void serve_granted(SramStorage& storage, Cycles now, Cycles due,
                   tlm::tlm_generic_payload& payload) {
    if (payload.is_read()) {
        storage.read(now, payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else {
        write(storage, now, due, payload);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned debug_access(SramStorage& storage, Cycles now, tlm::tlm_generic_payload& payload) {
    const auto size = static_cast<std::uint64_t>(storage.size().count());
    if (payload.get_address() >= size) return 0;
    const auto bytes = static_cast<unsigned>(
        std::min<std::uint64_t>(payload.get_data_length(), size - payload.get_address()));
    if (payload.is_read()) {
        storage.debug_read(now, payload.get_address(), payload.get_data_ptr(), bytes);
    } else if (payload.is_write()) {
        storage.debug_write(now, payload.get_address(), payload.get_data_ptr(), bytes);
    } else {
        return 0;
    }
    return bytes;
}

} // namespace aicore
