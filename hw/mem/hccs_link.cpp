#include "hw/mem/hccs_link.h"

namespace aicore {

HccsLink::HccsLink(const HccsConfig& config, MemorySystem& peer)
    : latency_(config.latency_cycles), peer_(peer), outbound_(config.bytes_per_cycle),
      inbound_(config.bytes_per_cycle) {}

Cycles HccsLink::read(Cycles now, std::uint64_t address, Bytes bytes) {
    bytes_read_ += bytes;
    const Cycles answer = peer_.read(now + latency_, address, bytes);
    return inbound_.reserve(answer, bytes).until + latency_;
}

Cycles HccsLink::write(Cycles now, std::uint64_t address, Bytes bytes) {
    bytes_written_ += bytes;
    // The peer is asked as if data crossed at once: accesses must come to it in the order of time,
    // and a read does not wait for the data of the writes before it.
    peer_.write(now + latency_, address, bytes);
    return outbound_.reserve(now, bytes).until;
}

void HccsLink::reset() {
    outbound_.reset();
    inbound_.reset();
    bytes_read_ = bytes_written_ = Bytes(0);
}

} // namespace aicore
