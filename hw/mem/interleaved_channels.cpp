#include "hw/mem/interleaved_channels.h"

#include <algorithm>
#include <utility>

namespace aicore {

InterleavedChannels::InterleavedChannels(const ChannelsConfig& config)
    : config_(config), channels_(static_cast<std::size_t>(config.channels), Channel(config)) {}

std::size_t InterleavedChannels::channel_of(std::uint64_t line) const {
    // Multiplicative hash: the upper half of the product depends on every bit of the line.
    return ((line * 0x9e3779b97f4a7c15u) >> 32) % channels_.size();
}

bool InterleavedChannels::is_under_way(Channel& channel, std::uint64_t line, Cycles now) const {
    std::vector<Access>& accesses = channel.under_way;
    accesses.erase(accesses.begin(),
                   std::find_if(accesses.begin(), accesses.end(),
                                [now](const Access& access) { return access.until > now; }));
    return std::any_of(accesses.begin(), accesses.end(),
                       [line](const Access& access) { return access.line == line; });
}

BandwidthMeter::Window InterleavedChannels::reserve(std::uint64_t line, Cycles now, Bytes bytes) {
    Channel& channel = channels_[channel_of(line)];
    Cycles extra = config_.access_cycles;
    const bool watches_lines = config_.same_line_cycles > Cycles(0);
    if (watches_lines && is_under_way(channel, line, now)) extra += config_.same_line_cycles;
    const BandwidthMeter::Window window = channel.meter.reserve(
        std::max(now, channel.held_until),
        bytes + Bytes(extra.count() * config_.channel_bytes_per_cycle.count()));
    if (watches_lines) channel.under_way.push_back({line, window.until});
    return window;
}

void InterleavedChannels::hold(std::uint64_t line, Cycles until) {
    Channel& channel = channels_[channel_of(line)];
    channel.held_until = std::max(channel.held_until, until);
}

Cycles InterleavedChannels::enqueue(std::uint64_t line, Cycles leaves) {
    Channel& channel = channels_[channel_of(line)];
    const Cycles room = std::exchange(channel.queue[channel.oldest], leaves);
    channel.oldest = (channel.oldest + 1) % channel.queue.size();
    return room;
}

void InterleavedChannels::reset() {
    for (Channel& channel : channels_) {
        channel.meter.reset();
        channel.held_until = Cycles(0);
        std::fill(channel.queue.begin(), channel.queue.end(), Cycles(0));
        channel.under_way.clear();
    }
}

} // namespace aicore
