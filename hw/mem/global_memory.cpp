#include "hw/mem/global_memory.h"

#include "hw/isa/burst_splitter.h"
#include "hw/mem/atomic_math.h"
#include "tlm/payload_pool.h"
#include "tlm/target_access.h"

#include <algorithm>
#include <array>

namespace aicore {

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const MemoriesConfig& config,
                           int ports)
    : SharedTarget(name, Initiators::keep_count), size_(config.gm.size_bytes), own_(config),
      peer_address_(static_cast<std::uint64_t>(config.hccs.peer_address.count())),
      peer_(config.hccs.is_there() ? std::make_unique<Peer>(config) : nullptr) {
    tsocks.init(static_cast<std::size_t>(ports));
    for (int i = 0; i < ports; ++i) {
        Socket& tsock = tsocks[static_cast<std::size_t>(i)];
        tsock.register_nb_transport_fw(this, &GlobalMemory::nb_transport_fw, i);
        tsock.register_transport_dbg(this, &GlobalMemory::transport_dbg, i);
    }
}

tlm::tlm_sync_enum GlobalMemory::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const bool to_peer = is_peer(payload.get_address());
    const Bytes end = to_peer ? Bytes(static_cast<std::int64_t>(peer_address_)) + size_ : size_;
    if (!check_access(payload, end, PortDirection::read_write, !to_peer)) return tlm::TLM_COMPLETED;
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    return collect(port, *tsocks[static_cast<std::size_t>(port)].operator->(), payload, phase,
                   delay);
}

unsigned GlobalMemory::transport_dbg(int, tlm::tlm_generic_payload& payload) {
    const std::uint64_t moved =
        payload.is_write()
            ? store(payload.get_address(), payload.get_data_ptr(), payload.get_data_length())
        : payload.is_read()
            ? dump(payload.get_address(), payload.get_data_ptr(), payload.get_data_length())
            : 0;
    return static_cast<unsigned>(moved);
}

std::optional<Cycles> GlobalMemory::grant(int, tlm::tlm_generic_payload& payload, Attempt&) {
    const Cycles now = clk->now();
    Cycles due = now;
    BurstSplitter pieces(payload.get_address(), payload.get_data_length());
    for (Burst piece; pieces.next(piece);)
        due = std::max(due, access(now, piece.addr, Bytes(piece.bytes), payload.is_read()));
    return due;
}

Cycles GlobalMemory::access(Cycles now, std::uint64_t address, Bytes bytes, bool is_read) {
    if (is_peer(address)) {
        const std::uint64_t there = address - peer_address_;
        return is_read ? peer_->link.read(now, there, bytes) : peer_->link.write(now, there, bytes);
    }
    return is_read ? own_.timing.read(now, address, bytes) : own_.timing.write(now, address, bytes);
}

void GlobalMemory::serve(int, tlm::tlm_generic_payload& payload, Cycles) {
    if (payload.is_read()) {
        dump(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else if (const AtomicAccess* atomic = atomic_access(payload)) {
        combine_at(payload.get_address(), *atomic, payload.get_data_ptr(),
                   payload.get_data_length());
        access_extension(payload)->atomic_done = true;
    } else {
        store(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// In one step, since a request is served by itself.
void GlobalMemory::combine_at(std::uint64_t address, const AtomicAccess& atomic,
                              const std::uint8_t* data, std::uint64_t bytes) {
    std::array<std::uint8_t, kGmLineBytes> held; // whole elements
    for (std::uint64_t done = 0; done < bytes; done += held.size()) {
        const std::uint64_t piece = std::min<std::uint64_t>(bytes - done, held.size());
        dump(address + done, held.data(), piece);
        combine(atomic, data + done, piece, held.data());
        store(address + done, held.data(), piece);
    }
}

void GlobalMemory::reset() { // the content of GM survives
    own_.timing.reset();
    if (peer_ == nullptr) return;
    peer_->timing.reset();
    peer_->link.reset();
}

MemoryTraffic GlobalMemory::traffic() const {
    MemoryTraffic traffic = own_.timing.traffic();
    if (peer_ == nullptr) return traffic;
    traffic.hccs_read = peer_->link.bytes_read();
    traffic.hccs_written = peer_->link.bytes_written();
    return traffic;
}

GlobalMemory::Place GlobalMemory::place_of(std::uint64_t address) {
    if (is_peer(address)) return {*peer_, address - peer_address_};
    return {own_, address};
}

std::uint64_t GlobalMemory::load(std::uint64_t address, const std::uint8_t* data,
                                 std::uint64_t bytes) {
    const Place place = place_of(address);
    const std::uint64_t moved = place.memory.content.write(place.address, data, bytes);
    place.memory.timing.preload(place.address, moved);
    return moved;
}

std::uint64_t GlobalMemory::store(std::uint64_t address, const std::uint8_t* data,
                                  std::uint64_t bytes) {
    const Place place = place_of(address);
    return place.memory.content.write(place.address, data, bytes);
}

std::uint64_t GlobalMemory::dump(std::uint64_t address, std::uint8_t* data,
                                 std::uint64_t bytes) const {
    if (is_peer(address)) return peer_->content.read(address - peer_address_, data, bytes);
    return own_.content.read(address, data, bytes);
}

} // namespace aicore
