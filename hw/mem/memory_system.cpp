#include "hw/mem/memory_system.h"

#include "hw/isa/burst_splitter.h"

#include <algorithm>

namespace aicore {

MemorySystem::MemorySystem(const L2Config& l2, const HbmConfig& hbm)
    : l2_config_(l2), hbm_latency_(hbm.latency_cycles), l2_(l2), slices_(l2.slices),
      channels_(hbm.channels) {}

Cycles MemorySystem::read(Cycles now, std::uint64_t address, Bytes bytes) {
    const std::uint64_t line = address / kGmLineBytes;
    if (const std::optional<Cycles> filled_at = l2_.use_if_held(line)) {
        ++traffic_.l2_read_hits;
        const Cycles first = slices_.reserve(line, now, bytes).first + l2_config_.latency_cycles;
        return std::max(first, *filled_at); // another reader may have asked for it just now
    }
    ++traffic_.l2_read_misses;
    const bool is_disabled = is_l2_disabled(address);
    const std::int64_t sector = l2_config_.sector_bytes.count();
    const bool whole_sectors =
        static_cast<std::int64_t>(address) % sector == 0 && bytes.count() % sector == 0;
    const bool allocates = whole_sectors && !is_disabled;
    if (allocates) {
        if (const auto replaced = l2_.use(line, false).written_back) write_back(now, *replaced);
    }
    const Bytes fetched = is_disabled ? bytes : Bytes(kGmLineBytes);
    traffic_.hbm_read += fetched;
    const Cycles taken = channels_.reserve(line, now, fetched).first;
    if (is_disabled) slices_.hold(line, slices_.enqueue(line, taken));
    const Cycles first = taken + l2_config_.latency_cycles + hbm_latency_;
    if (allocates) l2_.fill_at(line, first);
    return first;
}

Cycles MemorySystem::write(Cycles now, std::uint64_t address, Bytes bytes) {
    const std::uint64_t line = address / kGmLineBytes;
    const L2Cache::Result use = l2_.use(line, true);
    Cycles taken = slices_.reserve(line, now, bytes).first;
    if (const auto replaced = use.written_back)
        taken = std::max(taken, channels_.enqueue(*replaced, write_back(now, *replaced)));
    return taken + Cycles(1) + (use.hit ? Cycles(0) : l2_config_.write_miss_cycles);
}

Cycles MemorySystem::write_back(Cycles now, L2Cache::Line line) {
    traffic_.hbm_written += Bytes(kGmLineBytes);
    return channels_.reserve(line, now, Bytes(kGmLineBytes)).first;
}

void MemorySystem::preload(std::uint64_t address, std::uint64_t bytes) {
    if (l2_config_.at_reset == L2AtReset::nothing) return;
    std::uint64_t& known = preloaded_[address];
    known = std::max(known, bytes);
    fill(address, bytes);
}

void MemorySystem::fill(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t last = (address + bytes - 1) / kGmLineBytes;
    for (std::uint64_t line = address / kGmLineBytes; line <= last; ++line) {
        if (!is_l2_disabled(line * kGmLineBytes)) l2_.use(line, false);
    }
}

void MemorySystem::disable_l2(std::uint64_t address, std::uint64_t bytes) {
    disabled_[address] = address + bytes;
}

bool MemorySystem::is_l2_disabled(std::uint64_t address) const {
    const auto after = disabled_.upper_bound(address);
    return after != disabled_.begin() && address < std::prev(after)->second;
}

void MemorySystem::reset() {
    slices_.reset();
    channels_.reset();
    traffic_ = {};
    l2_.clear();
    for (const auto& [address, bytes] : preloaded_) fill(address, bytes);
}

} // namespace aicore
