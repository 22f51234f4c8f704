// The HCCS link to the memory of another chip, the peer: when what its L2 and HBM answer is here.
// Pure timing, no data.
//
// Full duplex: data of writes go one way, data of reads come the other way, each at
// `memories.hccs.bytes_per_cycle`, shared by all cores. Requests take no bandwidth. Whatever
// crosses the link spends `memories.hccs.latency_cycles` on it, and a piece of a line moves on when
// all of it has crossed. Writes are posted: the link acknowledges what it has taken [inferred],
// since a core with few writes under way would get a tenth of its rate otherwise; what is written
// or read later comes to the peer behind it, and a peer that is slow to absorb does not hold them
// back. Data of reads come in the order of their requests, so that in a core data from the own GM
// come behind what was asked of the peer before [inferred].
// Nothing that came over the link stays in the own L2 [inferred].
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/memory_system.h"
#include "tlm/bandwidth_meter.h"

#include <cstdint>

namespace aicore {

class HccsLink {
public:
    /// `peer` answers at the other end and has no users beside the link.
    HccsLink(const HccsConfig& config, MemorySystem& peer);

    /// Cycle at which data of a read that begins at `now` are here. [address, address + bytes) lies
    /// within a line of the peer's GM, which begins at 0. Accesses come in the order of time.
    Cycles read(Cycles now, std::uint64_t address, Bytes bytes);
    /// Cycle at which the link has taken the data of a write that begins at `now`.
    Cycles write(Cycles now, std::uint64_t address, Bytes bytes);

    /// Data that came and went since the last reset.
    Bytes bytes_read() const { return bytes_read_; }
    Bytes bytes_written() const { return bytes_written_; }
    /// Nothing is under way any more. The peer is not reset.
    void reset();

private:
    Cycles latency_;
    MemorySystem& peer_;
    BandwidthMeter outbound_, inbound_;
    Bytes bytes_read_, bytes_written_;
};

} // namespace aicore
