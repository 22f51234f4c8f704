#include "hw/mem/global_memory.h"

#include "tlm/payload_pool.h"
#include "tlm/target_access.h"

#include <algorithm>
#include <cstring>

namespace aicore {

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const MemoryConfig& config,
                           const LinkConfig& to_l1, const LinkConfig& to_l0)
    : SharedTarget(name), size_(config.size_bytes), to_l1_(to_l1), to_l0_(to_l0),
      read_meter_(to_l1.bytes_per_cycle),
      pages_(static_cast<std::size_t>(ceil_div(config.size_bytes.count(), kPageBytes))) {
    const auto open = [this](auto& socket, Port port) {
        socket.register_nb_transport_fw(this, &GlobalMemory::nb_transport_fw, port);
        socket.register_transport_dbg(this, &GlobalMemory::transport_dbg, port);
    };
    open(mte2_tsock, kMte2);
    open(mte2_l0_tsock, kMte2L0);
    open(fixpipe_tsock, kFixpipe);
    open(mte3_tsock, kMte3);
}

tlm::tlm_bw_transport_if<>& GlobalMemory::initiator(int port) {
    switch (port) {
    case kMte2: return *mte2_tsock.operator->();
    case kMte2L0: return *mte2_l0_tsock.operator->();
    case kFixpipe: return *fixpipe_tsock.operator->();
    default: return *mte3_tsock.operator->();
    }
}

tlm::tlm_sync_enum GlobalMemory::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const bool reads = port == kMte2 || port == kMte2L0;
    const PortDirection direction = reads ? PortDirection::read : PortDirection::write;
    if (!check_access(payload, size_, direction)) return tlm::TLM_COMPLETED;
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    return collect(port, initiator(port), payload, phase, delay);
}

unsigned GlobalMemory::transport_dbg(int, tlm::tlm_generic_payload& payload) {
    const std::uint64_t moved =
        payload.is_write()
            ? load(payload.get_address(), payload.get_data_ptr(), payload.get_data_length())
        : payload.is_read()
            ? dump(payload.get_address(), payload.get_data_ptr(), payload.get_data_length())
            : 0;
    return static_cast<unsigned>(moved);
}

std::optional<Cycles> GlobalMemory::grant(int port, tlm::tlm_generic_payload& payload,
                                          Attempt&) {
    const Cycles now = clk->now();
    if (port != kMte2 && port != kMte2L0) return now + Cycles(1);
    const LinkConfig& link = port == kMte2 ? to_l1_ : to_l0_;
    const AccessExtension* extension = access_extension(payload);
    const Bytes bytes(payload.get_data_length());
    Cycles pace = extension != nullptr ? extension->pace : Cycles(0);
    if (port == kMte2L0) pace = std::max(pace, cycles_for(bytes, link.bytes_per_cycle));
    const BandwidthMeter::Window window =
        read_meter_.reserve(now + link.latency_cycles, bytes, pace);
    if (on_read_transfer)
        on_read_transfer(static_cast<Port>(port), window.first, window.until, bytes);
    return window.until;
}

void GlobalMemory::serve(int, tlm::tlm_generic_payload& payload, Cycles) {
    if (payload.is_read()) {
        dump(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else {
        load(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void GlobalMemory::reset() {
    read_meter_.reset();
} // the content of GM survives a reset of the core

std::uint64_t GlobalMemory::load(std::uint64_t address, const std::uint8_t* data,
                                 std::uint64_t bytes) {
    const auto size = static_cast<std::uint64_t>(size_.count());
    bytes = address >= size ? 0 : std::min(bytes, size - address);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t offset = (address + done) % kPageBytes;
        const std::uint64_t piece = std::min(bytes - done, kPageBytes - offset);
        auto& page = pages_[(address + done) / kPageBytes];
        if (page == nullptr) page = std::make_unique<Page>();
        std::memcpy(page->data() + offset, data + done, piece);
        done += piece;
    }
    return bytes;
}

std::uint64_t GlobalMemory::dump(std::uint64_t address, std::uint8_t* data,
                                 std::uint64_t bytes) const {
    const auto size = static_cast<std::uint64_t>(size_.count());
    bytes = address >= size ? 0 : std::min(bytes, size - address);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t offset = (address + done) % kPageBytes;
        const std::uint64_t piece = std::min(bytes - done, kPageBytes - offset);
        const auto& page = pages_[(address + done) / kPageBytes];
        if (page == nullptr) {
            std::memset(data + done, 0, piece);
        } else {
            std::memcpy(data + done, page->data() + offset, piece);
        }
        done += piece;
    }
    return bytes;
}

} // namespace aicore
