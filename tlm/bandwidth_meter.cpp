#include "tlm/bandwidth_meter.h"

#include <algorithm>

namespace aicore {

BandwidthMeter::Window BandwidthMeter::reserve(Cycles earliest, Bytes bytes, Cycles pace) {
    const Bytes charged(std::max(bytes.count(), pace.count() * rate_.count()));
    if (earliest > until_) {
        busy_since_ = earliest;
        busy_bytes_ = Bytes(0);
        until_ = earliest;
    }
    const Cycles first = until_;
    busy_bytes_ += charged;
    until_ = busy_since_ + cycles_for(busy_bytes_, rate_);
    return {first, until_};
}

void BandwidthMeter::reset() {
    busy_since_ = Cycles(0);
    busy_bytes_ = Bytes(0);
    until_ = Cycles(0);
}

} // namespace aicore
