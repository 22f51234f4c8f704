// The initiator side of a link: builds complete transactions and follows the base protocol.
#pragma once

#include "tlm/payload_pool.h"

#include <functional>
#include <optional>
#include <string>

#include <tlm_utils/simple_initiator_socket.h>

namespace aicore {

/// One burst that an initiator asks for. `data` must stay valid until the response.
struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint64_t address = 0;
    std::uint8_t* data = nullptr;
    unsigned bytes = 0;
    std::uint8_t* byte_enable = nullptr; ///< null: all bytes
    unsigned byte_enable_length = 0;
    Cycles pace;         ///< the initiator takes the data no faster than this
    void* tag = nullptr; ///< handed back with the response
    /// Conditional read: the version of the bytes that `data` still holds (0: none). A read that
    /// completes early updates it; see AccessExtension.
    std::uint64_t version = 0;
    /// Of a write: how the target combines the data with what it holds; see AccessExtension.
    AtomicAccess atomic;

    static Access read(std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
        return make(tlm::TLM_READ_COMMAND, address, data, bytes);
    }
    static Access write(std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
        return make(tlm::TLM_WRITE_COMMAND, address, data, bytes);
    }

private:
    static Access make(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                       std::size_t bytes) {
        Access access;
        access.command = command;
        access.address = address;
        access.data = data;
        access.bytes = static_cast<unsigned>(bytes);
        return access;
    }
};

/// Protocol of an initiator, independent of the socket's width.
///
/// A request either completes early (exclusive ports) or is answered later through `on_response`,
/// in the target's process. Response errors are fatal: programs are checked before they run, so an
/// error here is a bug of the model.
class InitiatorProtocol {
public:
    /// `delay`: the access is complete only so long after now (timing annotation of the target).
    using ResponseHandler = std::function<void(void* tag, const sc_core::sc_time& delay)>;

    InitiatorProtocol(std::string name, PayloadPool& pool, ResponseHandler on_response)
        : name_(std::move(name)), pool_(pool), on_response_(std::move(on_response)) {}

    /// Starts an access that takes effect `delay` from now. Returns the annotated delay when it
    /// completed early, nothing when the response comes later.
    std::optional<sc_core::sc_time> start(tlm::tlm_fw_transport_if<>& target, Access& access,
                                          sc_core::sc_time delay);
    tlm::tlm_sync_enum respond(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay);
    /// Forgets a request that reset has cut off.
    void reset() { request_pending_ = false; }

private:
    void check_response(const tlm::tlm_generic_payload& payload) const;

    std::string name_;
    PayloadPool& pool_;
    ResponseHandler on_response_;
    bool request_pending_ = false; ///< BEGIN_REQ sent, END_REQ not seen: no second request
};

/// An initiator socket of `BusWidth` bits with its protocol.
template <unsigned BusWidth>
class InitiatorPort {
public:
    tlm_utils::simple_initiator_socket<InitiatorPort, BusWidth> socket;

    /// For exclusive ports `on_response` may be left out: every access must complete early.
    InitiatorPort(const char* name, PayloadPool& pool,
                  InitiatorProtocol::ResponseHandler on_response = {})
        : socket(name), protocol_(socket.name(), pool, std::move(on_response)) {
        socket.register_nb_transport_bw(this, &InitiatorPort::nb_transport_bw);
    }

    std::optional<sc_core::sc_time> start(Access& access,
                                          const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
        return protocol_.start(*socket.operator->(), access, delay);
    }
    std::optional<sc_core::sc_time> start(Access&& access) { return start(access); }
    void reset() { protocol_.reset(); }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return protocol_.respond(payload, phase, delay);
    }

    InitiatorProtocol protocol_;
};

} // namespace aicore
