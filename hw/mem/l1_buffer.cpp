#include "hw/mem/l1_buffer.h"

#include "hw/mem/sram.h"
#include "tlm/payload_pool.h"

#include <algorithm>

namespace aicore {

namespace {

PortDirection direction_of(int port) {
    switch (port) {
    case L1Buffer::kMte2: return PortDirection::write;
    case L1Buffer::kFixpipe: return PortDirection::read_write;
    default: return PortDirection::read;
    }
}

} // namespace

L1Buffer::L1Buffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
                   const BankConfig& banks, int power_on_byte)
    : SharedTarget(name), storage_(config.size_bytes, static_cast<std::uint8_t>(power_on_byte)),
      banks_(banks, config.size_bytes) {
    const auto open = [this](auto& socket, Port port) {
        socket.register_nb_transport_fw(this, &L1Buffer::nb_transport_fw, port);
        socket.register_transport_dbg(this, &L1Buffer::transport_dbg, port);
    };
    open(mte2_tsock, kMte2);
    open(fixpipe_tsock, kFixpipe);
    open(mte1_tsock, kMte1);
    open(mte3_tsock, kMte3);
}

tlm::tlm_bw_transport_if<>& L1Buffer::initiator(int port) {
    switch (port) {
    case kMte2: return *mte2_tsock.operator->();
    case kFixpipe: return *fixpipe_tsock.operator->();
    case kMte1: return *mte1_tsock.operator->();
    default: return *mte3_tsock.operator->();
    }
}

tlm::tlm_sync_enum L1Buffer::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (!check_access(payload, storage_.size(), direction_of(port))) return tlm::TLM_COMPLETED;
    return collect(port, initiator(port), payload, phase, delay);
}

unsigned L1Buffer::transport_dbg(int, tlm::tlm_generic_payload& payload) {
    return debug_access(storage_, clk->now(), payload);
}

std::optional<Cycles> L1Buffer::grant(int port, tlm::tlm_generic_payload& payload, Attempt&) {
    const Cycles now = clk->now();
    const L1Banks::Slot slot = banks_.reserve(
        now, payload.get_address(), Bytes(payload.get_data_length()), payload.is_write(), port);
    if (slot.conflict.count() > 0 && on_conflict) {
        on_conflict(static_cast<Port>(port), slot.first - slot.conflict, slot.conflict);
    }
    return std::max(slot.until, slot.first + pace_of(payload));
}

void L1Buffer::serve(int, tlm::tlm_generic_payload& payload, Cycles due) {
    serve_granted(storage_, clk->now(), due, payload);
}

void L1Buffer::reset() {
    storage_.reset();
    banks_.reset();
}

} // namespace aicore
