// Global memory (HBM behind L2) as one core sees it.
//
// Reads come after the latency of their link, at its rate; all of them together at the rate of the
// first link. Writes are absorbed: their path's
// rate is applied where they start, here they take one cycle. Storage is sparse: a page exists
// from its first write on and reads as zero before.
#pragma once

#include "hw/config/platform.h"
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
    /// Ports in order of priority.
    enum Port { kMte2, kMte2L0, kFixpipe, kMte3, kPorts };

    tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096> mte2_tsock{"mte2_tsock"};
    /// Reads of MTE2 whose data go to L0A and L0B.
    tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096> mte2_l0_tsock{"mte2_l0_tsock"};
    tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096> fixpipe_tsock{"fixpipe_tsock"};
    tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096> mte3_tsock{"mte3_tsock"};

    /// Told when a read of a port occupies the way from GM.
    std::function<void(Port, Cycles first, Cycles until, Bytes)> on_read_transfer;

    GlobalMemory(const sc_core::sc_module_name& name, const MemoryConfig& config,
                 const LinkConfig& to_l1, const LinkConfig& to_l0);

    /// Untimed access for loading and checking, as transport_dbg; returns the bytes moved.
    std::uint64_t load(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    std::uint64_t dump(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;

private:
    static constexpr std::uint64_t kPageBytes = std::uint64_t(1) << 20;
    using Page = std::array<std::uint8_t, kPageBytes>;

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);
    tlm::tlm_bw_transport_if<>& initiator(int port);

    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                Attempt& attempt) override;
    void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) override;
    void reset() override;

    Bytes size_;
    LinkConfig to_l1_, to_l0_;
    BandwidthMeter read_meter_;
    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace aicore
