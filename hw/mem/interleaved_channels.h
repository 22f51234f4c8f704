// Parts of a memory that work side by side, each at its own pace: slices of L2, channels of HBM.
//
// A line belongs to one part, by a hash of its address, so that strides spread over all parts. Pure
// timing.
#pragma once

#include "hw/config/platform.h"
#include "tlm/bandwidth_meter.h"

#include <cstdint>
#include <vector>

namespace aicore {

class InterleavedChannels {
public:
    explicit InterleavedChannels(const ChannelsConfig& config);

    /// Occupies the channel of `line` for an access of `bytes`, from `now` on or from when it is
    /// free. Accesses come in the order of time.
    BandwidthMeter::Window reserve(std::uint64_t line, Cycles now, Bytes bytes);
    /// The channel of `line` begins nothing before `until`.
    void hold(std::uint64_t line, Cycles until);
    /// Puts something of `line` that will leave at `leaves` into the queue of its channel. Returns
    /// since when there is room for it: since the one `queue_entries` before it has left.
    Cycles enqueue(std::uint64_t line, Cycles leaves);
    void reset();

private:
    std::size_t channel_of(std::uint64_t line) const;

    struct Access {
        std::uint64_t line;
        Cycles until;
    };
    struct Channel {
        explicit Channel(const ChannelsConfig& config)
            : meter(config.channel_bytes_per_cycle),
              queue(static_cast<std::size_t>(config.queue_entries)) {}

        BandwidthMeter meter;
        Cycles held_until;
        std::vector<Cycles> queue;     ///< when its entries leave, a ring
        std::size_t oldest = 0;        ///< place in it
        std::vector<Access> under_way; ///< in the order in which they end
    };

    /// Forgets what is over before it looks.
    bool is_under_way(Channel& channel, std::uint64_t line, Cycles now) const;

    ChannelsConfig config_;
    std::vector<Channel> channels_;
};

} // namespace aicore
