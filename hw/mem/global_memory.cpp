#include "hw/mem/global_memory.h"

#include "hw/mem/atomic_math.h"
#include "tlm/payload_pool.h"
#include "tlm/target_access.h"

#include <algorithm>
#include <cstring>

namespace aicore {

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const MemoryConfig& config,
                           std::vector<Port> ports)
    : SharedTarget(name), size_(config.size_bytes), ports_(std::move(ports)),
      pages_(static_cast<std::size_t>(ceil_div(config.size_bytes.count(), kPageBytes))) {
    tsocks.init(ports_.size());
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        tsocks[i].register_nb_transport_fw(this, &GlobalMemory::nb_transport_fw,
                                           static_cast<int>(i));
        tsocks[i].register_transport_dbg(this, &GlobalMemory::transport_dbg, static_cast<int>(i));
        // The first port of a core that reads gives the rate of its way.
        const bool is_new = static_cast<std::size_t>(ports_[i].core) == read_meters_.size();
        if (ports_[i].reads && is_new) read_meters_.emplace_back(ports_[i].link.bytes_per_cycle);
    }
}

tlm::tlm_sync_enum GlobalMemory::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const auto at = static_cast<std::size_t>(port);
    const PortDirection direction = ports_[at].reads ? PortDirection::read : PortDirection::write;
    if (!check_access(payload, size_, direction, true)) return tlm::TLM_COMPLETED;
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    return collect(port, *tsocks[at].operator->(), payload, phase, delay);
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

std::optional<Cycles> GlobalMemory::grant(int port, tlm::tlm_generic_payload& payload, Attempt&) {
    const Cycles now = clk->now();
    const Port& from = ports_[static_cast<std::size_t>(port)];
    if (!from.reads) return now + Cycles(1);
    const AccessExtension* extension = access_extension(payload);
    const Bytes bytes(payload.get_data_length());
    Cycles pace = extension != nullptr ? extension->pace : Cycles(0);
    BandwidthMeter& meter = read_meters_[static_cast<std::size_t>(from.core)];
    if (from.link.bytes_per_cycle != meter.rate())
        pace = std::max(pace, cycles_for(bytes, from.link.bytes_per_cycle));
    const BandwidthMeter::Window window =
        meter.reserve(now + from.link.latency_cycles, bytes, pace);
    if (on_read_transfer) on_read_transfer(port, window.first, window.until, bytes);
    return window.until;
}

void GlobalMemory::serve(int, tlm::tlm_generic_payload& payload, Cycles) {
    if (payload.is_read()) {
        dump(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else if (const AtomicAccess* atomic = atomic_access(payload)) {
        combine_at(payload.get_address(), *atomic, payload.get_data_ptr(),
                   payload.get_data_length());
        access_extension(payload)->atomic_done = true;
    } else {
        load(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// In one step, since a request is served by itself.
void GlobalMemory::combine_at(std::uint64_t address, const AtomicAccess& atomic,
                              const std::uint8_t* data, std::uint64_t bytes) {
    std::array<std::uint8_t, 512> held; // a multiple of every element
    for (std::uint64_t done = 0; done < bytes; done += held.size()) {
        const std::uint64_t piece = std::min<std::uint64_t>(bytes - done, held.size());
        dump(address + done, held.data(), piece);
        combine(atomic, data + done, piece, held.data());
        load(address + done, held.data(), piece);
    }
}

void GlobalMemory::reset() {
    for (BandwidthMeter& meter : read_meters_) meter.reset();
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
