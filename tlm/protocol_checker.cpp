#include "tlm/protocol_checker.h"

#include "tlm/payload_pool.h"

#include <algorithm>

namespace aicore {

void ProtocolRules::before_forward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    Transaction* transaction = find(payload);
    if (phase == tlm::END_RESP) {
        if (transaction == nullptr || !transaction->response_begun)
            broken("END_RESP without BEGIN_RESP");
        return;
    }
    if (phase != tlm::BEGIN_REQ) return broken("only BEGIN_REQ and END_RESP go forward");
    if (transaction != nullptr) return broken("BEGIN_REQ for a transaction that has not ended");
    for (const Transaction& other : in_flight_) {
        if (!other.request_ended) broken("BEGIN_REQ before the END_REQ of the previous request");
    }
    if (payload.is_read() == payload.is_write() && atomic_access(payload) == nullptr) {
        broken("command is neither read, write nor atomic write");
    }
    if (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0) broken("no data");
    if (payload.get_streaming_width() < payload.get_data_length())
        broken("streaming width below data length");
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
        broken("response status of a request is not INCOMPLETE");
    }
    if (payload.is_dmi_allowed()) broken("DMI hint set by the initiator");
    if (payload.get_ref_count() < 1) broken("payload is not reference counted");
    in_flight_.push_back({&payload, false, false, payload.get_command(), payload.get_address(),
                          payload.get_data_ptr(), payload.get_data_length()});
}

void ProtocolRules::after_forward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                                  tlm::tlm_sync_enum status) {
    Transaction* transaction = find(payload);
    if (transaction == nullptr) return;
    check_frozen(*transaction);
    if (status == tlm::TLM_COMPLETED) {
        if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
            broken("completed without a response");
        end(payload);
    } else if (phase == tlm::END_RESP) {
        end(payload);
    } else if (status == tlm::TLM_UPDATED) {
        if (phase == tlm::BEGIN_RESP) {
            begin_response(*transaction);
        } else if (phase != tlm::END_REQ) {
            broken("a request may only be updated to END_REQ or BEGIN_RESP");
        }
        transaction->request_ended = true;
    }
}

void ProtocolRules::before_backward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    Transaction* transaction = find(payload);
    if (transaction == nullptr) return broken("backward call for a transaction that has not begun");
    check_frozen(*transaction);
    if (phase == tlm::END_REQ) {
        if (transaction->request_ended) broken("second END_REQ");
    } else if (phase == tlm::BEGIN_RESP) {
        begin_response(*transaction);
    } else {
        broken("only END_REQ and BEGIN_RESP go backward");
    }
    transaction->request_ended = true;
}

void ProtocolRules::begin_response(Transaction& transaction) {
    for (const Transaction& other : in_flight_) {
        if (other.response_begun) broken("BEGIN_RESP before the END_RESP of the previous response");
    }
    if (transaction.payload->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
        broken("BEGIN_RESP without a response");
    }
    transaction.response_begun = true;
}

void ProtocolRules::after_backward(const tlm::tlm_generic_payload& payload,
                                   tlm::tlm_sync_enum status) {
    if (status == tlm::TLM_COMPLETED) end(payload);
}

void ProtocolRules::refused_dmi(bool granted) {
    if (granted) broken("a timed port must refuse DMI");
}

ProtocolRules::Transaction* ProtocolRules::find(const tlm::tlm_generic_payload& payload) {
    const auto it = std::find_if(in_flight_.begin(), in_flight_.end(),
                                 [&](const Transaction& t) { return t.payload == &payload; });
    return it == in_flight_.end() ? nullptr : &*it;
}

void ProtocolRules::end(const tlm::tlm_generic_payload& payload) {
    in_flight_.erase(std::remove_if(in_flight_.begin(), in_flight_.end(),
                                    [&](const Transaction& t) { return t.payload == &payload; }),
                     in_flight_.end());
}

void ProtocolRules::check_frozen(const Transaction& transaction) {
    const tlm::tlm_generic_payload& payload = *transaction.payload;
    if (payload.get_command() != transaction.command ||
        payload.get_address() != transaction.address ||
        payload.get_data_ptr() != transaction.data ||
        payload.get_data_length() != transaction.length) {
        broken("attributes changed during the transaction");
    }
}

void ProtocolRules::broken(const std::string& rule) const {
    SC_REPORT_ERROR("/aicore/protocol", (name_ + ": " + rule).c_str());
}

} // namespace aicore
