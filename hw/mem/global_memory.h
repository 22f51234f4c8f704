// Global memory as the cores see it: what it holds, and when it answers (memory_system.h).
//
// One port for each AI Core. Requests are served in the order of their arrival, those of an edge in
// port order: a read sees what was written before it arrived. Data and response are handed over at
// once, with the time that is left annotated. Storage is sparse: a page exists from its first write
// on and reads as zero before.
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/memory_system.h"
#include "tlm/atomic_access.h"
#include "tlm/shared_target.h"

#include <array>
#include <memory>
#include <vector>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class GlobalMemory : public SharedTarget {
public:
    using Socket = tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096>;

    sc_core::sc_vector<Socket> tsocks{"tsock"};

    GlobalMemory(const sc_core::sc_module_name& name, const MemoriesConfig& config, int ports);

    /// What the host copies to and from GM, untimed; returns the bytes moved. See
    /// MemorySystem::preload.
    std::uint64_t load(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    std::uint64_t dump(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;

    /// The L2 cache and HBM: their state at reset, their traffic.
    MemorySystem& timing() { return timing_; }

private:
    static constexpr std::uint64_t kPageBytes = std::uint64_t(1) << 20;
    using Page = std::array<std::uint8_t, kPageBytes>;

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);

    std::uint64_t store(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    void combine_at(std::uint64_t address, const AtomicAccess& atomic, const std::uint8_t* data,
                    std::uint64_t bytes);

    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                Attempt& attempt) override;
    void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) override;
    bool posted(const tlm::tlm_generic_payload&) const override { return true; }
    void reset() override;

    Bytes size_;
    MemorySystem timing_;
    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace aicore
