#include "hw/mem/interleaved_channels.h"

namespace aicore {

InterleavedChannels::InterleavedChannels(const ChannelsConfig& config)
    : access_bytes_(config.access_cycles.count() * config.channel_bytes_per_cycle.count()),
      channels_(static_cast<std::size_t>(config.channels),
                BandwidthMeter(config.channel_bytes_per_cycle)) {}

std::size_t InterleavedChannels::channel_of(std::uint64_t line) const {
    // Multiplicative hash: the upper half of the product depends on every bit of the line.
    return ((line * 0x9e3779b97f4a7c15u) >> 32) % channels_.size();
}

BandwidthMeter::Window InterleavedChannels::reserve(std::uint64_t line, Cycles earliest,
                                                    Bytes bytes) {
    return channels_[channel_of(line)].reserve(earliest, bytes + access_bytes_);
}

void InterleavedChannels::reset() {
    for (BandwidthMeter& channel : channels_) channel.reset();
}

} // namespace aicore
