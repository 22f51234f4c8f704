#include "tlm/initiator_port.h"

namespace aicore {

std::optional<sc_core::sc_time> InitiatorProtocol::start(tlm::tlm_fw_transport_if<>& target,
                                                         Access& access, sc_core::sc_time delay) {
    if (request_pending_) SC_REPORT_FATAL(name_.c_str(), "second BEGIN_REQ before END_REQ");

    PooledPayload& payload = pool_.acquire();
    payload.set_command(access.atomic.is_none() ? access.command : tlm::TLM_IGNORE_COMMAND);
    payload.set_address(access.address);
    payload.set_data_ptr(access.data);
    payload.set_data_length(access.bytes);
    payload.set_streaming_width(access.bytes);
    payload.set_byte_enable_ptr(access.byte_enable);
    payload.set_byte_enable_length(access.byte_enable_length);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    AccessExtension& extension = payload.access();
    extension.pace = access.pace;
    extension.tag = access.tag;
    extension.version = access.version;
    extension.atomic = access.atomic;
    extension.atomic_done = false;

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    switch (target.nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
        check_response(payload);
        access.version = extension.version;
        payload.release();
        return delay;
    case tlm::TLM_UPDATED:
        if (phase != tlm::END_REQ)
            SC_REPORT_FATAL(name_.c_str(), "unexpected phase after BEGIN_REQ");
        return std::nullopt;
    case tlm::TLM_ACCEPTED: request_pending_ = true; return std::nullopt;
    }
    return std::nullopt;
}

tlm::tlm_sync_enum InitiatorProtocol::respond(tlm::tlm_generic_payload& payload,
                                              tlm::tlm_phase& phase,
                                              const sc_core::sc_time& delay) {
    request_pending_ = false; // END_REQ, or a BEGIN_RESP that implies it
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    if (phase != tlm::BEGIN_RESP)
        SC_REPORT_FATAL(name_.c_str(), "unexpected phase on the backward path");
    if (!on_response_) SC_REPORT_FATAL(name_.c_str(), "an exclusive port must complete early");
    check_response(payload);
    on_response_(static_cast<PooledPayload&>(payload).access().tag, delay);
    payload.release();
    return tlm::TLM_COMPLETED;
}

void InitiatorProtocol::check_response(const tlm::tlm_generic_payload& payload) const {
    if (payload.is_response_ok()) {
        if (atomic_access(payload) == nullptr ||
            payload.get_extension<AccessExtension>()->atomic_done) {
            return;
        }
        SC_REPORT_FATAL(name_.c_str(), "the target does not execute atomic writes");
    }
    const std::string message = payload.get_response_string() + " for " +
                                std::to_string(payload.get_data_length()) + " bytes at address " +
                                std::to_string(payload.get_address());
    SC_REPORT_FATAL(name_.c_str(), message.c_str());
}

} // namespace aicore
