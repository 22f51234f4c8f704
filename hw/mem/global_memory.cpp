#include "hw/mem/global_memory.h"

#include "hw/isa/burst_splitter.h"
#include "hw/mem/atomic_math.h"
#include "tlm/payload_pool.h"
#include "tlm/target_access.h"

#include <algorithm>
#include <cstring>

namespace aicore {

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const MemoriesConfig& config,
                           int ports)
    : SharedTarget(name, Initiators::keep_count), size_(config.gm.size_bytes),
      timing_(config.l2, config.hbm),
      pages_(static_cast<std::size_t>(ceil_div(size_.count(), kPageBytes))) {
    tsocks.init(static_cast<std::size_t>(ports));
    for (int i = 0; i < ports; ++i) {
        Socket& tsock = tsocks[static_cast<std::size_t>(i)];
        tsock.register_nb_transport_fw(this, &GlobalMemory::nb_transport_fw, i);
        tsock.register_transport_dbg(this, &GlobalMemory::transport_dbg, i);
    }
}

tlm::tlm_sync_enum GlobalMemory::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (!check_access(payload, size_, PortDirection::read_write, true)) return tlm::TLM_COMPLETED;
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
    for (Burst piece; pieces.next(piece);) {
        const Bytes bytes(piece.bytes);
        due = std::max(due, payload.is_read() ? timing_.read(now, piece.addr, bytes)
                                              : timing_.write(now, piece.addr, bytes));
    }
    return due;
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

void GlobalMemory::reset() { timing_.reset(); } // the content of GM survives

std::uint64_t GlobalMemory::load(std::uint64_t address, const std::uint8_t* data,
                                 std::uint64_t bytes) {
    const std::uint64_t moved = store(address, data, bytes);
    timing_.preload(address, moved);
    return moved;
}

std::uint64_t GlobalMemory::store(std::uint64_t address, const std::uint8_t* data,
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
