// Global memory as the cores see it: what it holds, and when it answers (memory_system.h).
//
// One port for each AI Core. Requests are served in the order of their arrival, those of an edge in
// port order: a read sees what was written before it arrived. Data and response are handed over at
// once, with the time that is left annotated.
//
// From `memories.hccs.peer_address` on lies the GM of another chip, the peer, with an L2 and HBM of
// its own behind a link (hccs_link.h). Atomic writes to it are refused
// (TLM_COMMAND_ERROR_RESPONSE).
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/hccs_link.h"
#include "hw/mem/memory_system.h"
#include "hw/mem/sparse_storage.h"
#include "tlm/atomic_access.h"
#include "tlm/shared_target.h"

#include <memory>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class GlobalMemory : public SharedTarget {
public:
    using Socket = tlm_utils::simple_target_socket_tagged<GlobalMemory, 4096>;

    sc_core::sc_vector<Socket> tsocks{"tsock"};

    GlobalMemory(const sc_core::sc_module_name& name, const MemoriesConfig& config, int ports);

    /// What the host copies to and from GM of either chip, untimed; returns the bytes moved. See
    /// MemorySystem::preload.
    std::uint64_t load(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    std::uint64_t dump(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;

    /// The L2 cache and HBM of the own chip.
    MemorySystem& timing() { return own_.timing; }
    /// Of the own L2 and HBM, and over the link.
    MemoryTraffic traffic() const;

private:
    /// GM of one chip.
    struct ChipMemory {
        explicit ChipMemory(const MemoriesConfig& config)
            : content(config.gm.size_bytes), timing(config.l2, config.hbm) {}

        SparseStorage content;
        MemorySystem timing;
    };
    struct Peer : ChipMemory {
        explicit Peer(const MemoriesConfig& config)
            : ChipMemory(config), link(config.hccs, timing) {}

        HccsLink link;
    };
    /// A byte of GM: in which chip, and where there.
    struct Place {
        ChipMemory& memory;
        std::uint64_t address;
    };

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);

    bool is_peer(std::uint64_t address) const {
        return peer_ != nullptr && address >= peer_address_;
    }
    Place place_of(std::uint64_t address);
    std::uint64_t store(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    void combine_at(std::uint64_t address, const AtomicAccess& atomic, const std::uint8_t* data,
                    std::uint64_t bytes);

    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                Attempt& attempt) override;
    /// When an access to a piece of a line that begins at `now` is complete.
    Cycles access(Cycles now, std::uint64_t address, Bytes bytes, bool is_read);
    void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) override;
    bool posted(const tlm::tlm_generic_payload&) const override { return true; }
    void reset() override;

    Bytes size_; ///< of each chip's GM
    ChipMemory own_;
    std::uint64_t peer_address_;
    std::unique_ptr<Peer> peer_; ///< null: the platform has no link
};

} // namespace aicore
