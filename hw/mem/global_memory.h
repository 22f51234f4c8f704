// Global memory (HBM behind L2) as the cores see it.
//
// Reads come after the latency of their port's link, at its rate; all reads of a core together at
// the rate of its first port. Writes are absorbed: their path's rate is applied where they start,
// here they take one cycle. Storage is sparse: a page exists from its first write on and reads as
// zero before.
#pragma once

#include "hw/config/platform.h"
#include "tlm/atomic_access.h"
#include "tlm/bandwidth_meter.h"
#include "tlm/shared_target.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class GlobalMemory : public SharedTarget {
public:
    using Socket = tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096>;

    /// What a port is for. Ports are served in their order.
    struct Port {
        int core = 0;       ///< reads of one core share their way
        bool reads = false; ///< else writes
        LinkConfig link;    ///< of reads
    };

    /// One for each port.
    sc_core::sc_vector<Socket> tsocks{"tsock"};

    /// Told when a read of a port occupies the way from GM.
    std::function<void(int port, Cycles first, Cycles until, Bytes)> on_read_transfer;

    GlobalMemory(const sc_core::sc_module_name& name, const MemoryConfig& config,
                 std::vector<Port> ports);

    /// Untimed access for loading and checking, as transport_dbg; returns the bytes moved.
    std::uint64_t load(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    std::uint64_t dump(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;

private:
    static constexpr std::uint64_t kPageBytes = std::uint64_t(1) << 20;
    using Page = std::array<std::uint8_t, kPageBytes>;

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);

    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                Attempt& attempt) override;
    void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) override;
    void reset() override;
    void combine_at(std::uint64_t address, const AtomicAccess& atomic, const std::uint8_t* data,
                    std::uint64_t bytes);

    Bytes size_;
    std::vector<Port> ports_;
    std::vector<BandwidthMeter> read_meters_; ///< of each core
    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace aicore
