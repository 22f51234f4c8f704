// A memory that is not ours: plain bytes, and a choice of the ways in which the base protocol lets
// a target answer.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

enum class Manner {
    blocking,        ///< b_transport alone; the socket does the rest
    early,           ///< TLM_COMPLETED with an annotated delay
    four_phase,      ///< END_REQ and BEGIN_RESP, each in its time
    late_end_req,    ///< END_REQ just before BEGIN_RESP: one request at a time
    implied_end_req, ///< BEGIN_RESP without END_REQ
    updated,         ///< END_REQ by return, BEGIN_RESP with an annotated delay
    updated_resp,    ///< BEGIN_RESP by return, with an annotated delay
    out_of_order,    ///< responses overtake one another
    between_edges,   ///< phases that come at no clock edge
    holds_nothing,   ///< four phases without a reference to the payload
};
constexpr const char* kManners[]{"blocking",        "early",        "four_phase",   "late_end_req",
                                 "implied_end_req", "updated",      "updated_resp", "out_of_order",
                                 "between_edges",   "holds_nothing"};

inline Manner parse_manner(const std::string& text) {
    int i = 0;
    for (const char* name : kManners) {
        if (text == name) return static_cast<Manner>(i);
        ++i;
    }
    throw std::invalid_argument("no such manner: " + text);
}

class Memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Memory, 4096> tsock{"tsock"};

    Memory(const sc_core::sc_module_name& name, std::size_t bytes, Manner manner,
           const sc_core::sc_time& period)
        : sc_module(name), content(bytes), manner_(manner), period_(period),
          phases_(this, &Memory::on_phase) {
        if (manner == Manner::blocking) {
            tsock.register_b_transport(this, &Memory::b_transport);
        } else {
            tsock.register_nb_transport_fw(this, &Memory::nb_transport_fw);
        }
        tsock.register_transport_dbg(this, &Memory::transport_dbg);
    }

    std::vector<std::uint8_t> content;
    std::uint64_t transactions = 0;

private:
    using Payload = tlm::tlm_generic_payload;

    bool access(Payload& payload) {
        const std::uint64_t at = payload.get_address(), bytes = payload.get_data_length();
        if (at > content.size() || bytes > content.size() - at) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return false;
        }
        std::uint8_t* const data = payload.get_data_ptr();
        const std::uint8_t* const enable = payload.get_byte_enable_ptr();
        for (std::uint64_t i = 0; i < bytes; ++i) {
            if (enable != nullptr && enable[i % payload.get_byte_enable_length()] == 0) continue;
            if (payload.is_write()) {
                content[at + i] = data[i];
            } else {
                data[i] = content[at + i];
            }
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return true;
    }

    void b_transport(Payload& payload, sc_core::sc_time& delay) {
        ++transactions;
        access(payload);
        delay += 30 * period_;
    }

    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
        ++transactions;
        switch (manner_) {
        case Manner::early:
            access(payload);
            delay += 40 * period_;
            return tlm::TLM_COMPLETED;
        case Manner::updated_resp:
            access(payload);
            phase = tlm::BEGIN_RESP;
            delay += 25 * period_;
            return tlm::TLM_UPDATED;
        case Manner::updated:
            hold(payload);
            notify(payload, tlm::BEGIN_RESP, 20 * period_);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        case Manner::implied_end_req:
            hold(payload);
            notify(payload, tlm::BEGIN_RESP, 12 * period_);
            return tlm::TLM_ACCEPTED;
        case Manner::late_end_req:
            hold(payload);
            notify(payload, tlm::END_REQ, 9 * period_);
            notify(payload, tlm::BEGIN_RESP, 10 * period_);
            return tlm::TLM_ACCEPTED;
        case Manner::between_edges:
            hold(payload);
            notify(payload, tlm::END_REQ, 0.3 * period_);
            notify(payload, tlm::BEGIN_RESP, 33.7 * period_);
            return tlm::TLM_ACCEPTED;
        case Manner::out_of_order:
            hold(payload);
            notify(payload, tlm::END_REQ, period_);
            notify(payload, tlm::BEGIN_RESP, scattered(payload.get_address()) * period_);
            return tlm::TLM_ACCEPTED;
        default:
            if (manner_ != Manner::holds_nothing) hold(payload);
            notify(payload, tlm::END_REQ, period_);
            notify(payload, tlm::BEGIN_RESP, 50 * period_);
            return tlm::TLM_ACCEPTED;
        }
    }

    /// 2 .. 201, without an order in the addresses.
    static double scattered(std::uint64_t address) {
        return static_cast<double>(2 + (address / 64 * 2654435761u >> 7) % 200);
    }
    void hold(Payload& payload) {
        if (payload.has_mm()) payload.acquire();
    }
    void notify(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
        phases_.notify(payload, phase, delay);
    }

    void on_phase(Payload& payload, const tlm::tlm_phase& phase) {
        tlm::tlm_phase backward = phase;
        sc_core::sc_time delay;
        if (phase == tlm::BEGIN_RESP) {
            access(payload);
            if (manner_ == Manner::updated) delay = 5 * period_;
        }
        tsock->nb_transport_bw(payload, backward, delay);
        const bool held = manner_ != Manner::holds_nothing && payload.has_mm();
        if (phase == tlm::BEGIN_RESP && held) payload.release();
    }

    unsigned transport_dbg(Payload& payload) {
        return access(payload) ? payload.get_data_length() : 0;
    }

    Manner manner_;
    sc_core::sc_time period_;
    tlm_utils::peq_with_cb_and_phase<Memory> phases_;
};
