// When global memory answers: the L2 cache and HBM behind it. Pure timing, no data.
//
// A read that L2 holds takes the slice of its line and `memories.l2.latency_cycles`. One that it
// doesn't takes a channel of HBM for the whole line, and `memories.hbm.latency_cycles` more; the
// line then stays in L2. A piece that cuts a sector costs a line as well but leaves nothing in L2
// [calibrated]: rows off the sectors read each line twice on silicon.
//
// Writes are absorbed by L2; a written line goes to HBM when it has to make room. A channel of HBM
// keeps `memories.hbm.channel_queue_entries` of those that writes have replaced until it takes
// them; a write that replaces one more waits for room. One to a line that L2 does not hold takes
// `memories.l2.write_miss_cycles` more.
//
// Ranges whose L2 hint is off are read from HBM, as many bytes as are asked for, unless L2 holds
// the line. A slice keeps `memories.l2.slice_queue_entries` such reads that HBM has not taken; when
// there are more, writes and reads of lines that L2 holds wait behind them in the slice [inferred].
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/interleaved_channels.h"
#include "hw/mem/l2_cache.h"
#include "hw/mem/memory_traffic.h"

#include <cstdint>
#include <map>

namespace aicore {

class MemorySystem {
public:
    MemorySystem(const L2Config& l2, const HbmConfig& hbm);

    /// Cycle at which data of a read that arrives at `now` begins to leave. [address, address +
    /// bytes) lies within a line.
    Cycles read(Cycles now, std::uint64_t address, Bytes bytes);
    /// Cycle at which a write that arrives at `now` is absorbed.
    Cycles write(Cycles now, std::uint64_t address, Bytes bytes);

    /// The host has copied data to a range: L2 holds it now and after every reset, unless the
    /// platform says that it begins with nothing.
    void preload(std::uint64_t address, std::uint64_t bytes);
    /// Reads of the range pass L2 by (the vendor's SetL2CacheHint, CACHE_MODE_DISABLE), and what
    /// the host copies to it from now on leaves nothing there. Ranges do not overlap.
    void disable_l2(std::uint64_t address, std::uint64_t bytes);
    const MemoryTraffic& traffic() const { return traffic_; }
    /// Nothing is under way any more, and L2 holds what was preloaded.
    void reset();

private:
    bool is_l2_disabled(std::uint64_t address) const;
    void fill(std::uint64_t address, std::uint64_t bytes);
    /// Sends a written line to HBM; returns when its channel takes it.
    Cycles write_back(Cycles now, L2Cache::Line line);

    L2Config l2_config_;
    Cycles hbm_latency_;
    L2Cache l2_;
    InterleavedChannels slices_;
    InterleavedChannels channels_;
    std::map<std::uint64_t, std::uint64_t> preloaded_; ///< address to bytes of a range
    std::map<std::uint64_t, std::uint64_t> disabled_;  ///< start to end of a range
    MemoryTraffic traffic_;
};

} // namespace aicore
