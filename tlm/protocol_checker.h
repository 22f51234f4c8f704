// A passive module on a link that checks the TLM-2.0 base protocol of what passes.
//
// Instantiated between two sockets when checking is asked for (all tests), absent otherwise.
#pragma once

#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace aicore {

/// The rules, independent of a socket's width. A broken rule is SC_REPORT_ERROR with message id
/// "/aicore/protocol" and the checker's name.
class ProtocolRules {
public:
    explicit ProtocolRules(std::string name) : name_(std::move(name)) {}

    void before_forward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);
    void after_forward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                       tlm::tlm_sync_enum status);
    void before_backward(const tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);
    void after_backward(const tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status);
    void refused_dmi(bool granted);
    /// Reset drops every transaction under way.
    void reset() { in_flight_.clear(); }
    /// Transactions that have begun and not ended.
    std::size_t in_flight() const { return in_flight_.size(); }

private:
    struct Transaction {
        const tlm::tlm_generic_payload* payload = nullptr;
        bool request_ended = false;
        bool response_begun = false;
        // Attributes that must not change while the transaction lives.
        tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
        std::uint64_t address = 0;
        const unsigned char* data = nullptr;
        unsigned length = 0;
    };

    Transaction* find(const tlm::tlm_generic_payload& payload);
    void begin_response(Transaction& transaction);
    void end(const tlm::tlm_generic_payload& payload);
    void check_frozen(const Transaction& transaction);
    void broken(const std::string& rule) const;

    std::string name_;
    std::vector<Transaction> in_flight_;
};

template <unsigned BusWidth>
class ProtocolChecker : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> rst_n{"rst_n"};
    tlm_utils::simple_target_socket<ProtocolChecker, BusWidth> tsock{"tsock"};
    tlm_utils::simple_initiator_socket<ProtocolChecker, BusWidth> isock{"isock"};

    SC_HAS_PROCESS(ProtocolChecker);
    explicit ProtocolChecker(const sc_core::sc_module_name& name)
        : sc_module(name), rules_(this->name()) {
        tsock.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
        tsock.register_transport_dbg(this, &ProtocolChecker::transport_dbg);
        tsock.register_get_direct_mem_ptr(this, &ProtocolChecker::get_direct_mem_ptr);
        isock.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
        SC_METHOD(on_reset);
        sensitive << rst_n.neg();
        dont_initialize();
    }

    const ProtocolRules& rules() const { return rules_; }

private:
    void on_reset() { rules_.reset(); }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        rules_.before_forward(payload, phase);
        const tlm::tlm_sync_enum status = isock->nb_transport_fw(payload, phase, delay);
        rules_.after_forward(payload, phase, status);
        return status;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        rules_.before_backward(payload, phase);
        const tlm::tlm_sync_enum status = tsock->nb_transport_bw(payload, phase, delay);
        rules_.after_backward(payload, status);
        return status;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        return isock->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
        const bool granted = isock->get_direct_mem_ptr(payload, dmi);
        rules_.refused_dmi(granted);
        return granted;
    }

    ProtocolRules rules_;
};

} // namespace aicore
