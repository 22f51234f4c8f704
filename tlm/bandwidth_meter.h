// Bytes to cycles. The only place of the model where a bandwidth is applied.
#pragma once

#include "tlm/units.h"

namespace aicore {

/// The occupancy of one link: transfers follow one another at `rate`.
///
/// Transfers that touch without a gap share partial cycles, so that N bytes in any number of bursts
/// take exactly ceil(N / rate) cycles.
class BandwidthMeter {
public:
    /// The cycles [first, until) in which a transfer occupies the link.
    struct Window {
        Cycles first;
        Cycles until;
    };

    explicit BandwidthMeter(BytesPerCycle rate) : rate_(rate) {}

    /// Occupies the link with `bytes` from `earliest` on, or from when it is free. A transfer with
    /// a `pace` takes at least that many cycles.
    Window reserve(Cycles earliest, Bytes bytes, Cycles pace = Cycles(0));
    BytesPerCycle rate() const { return rate_; }
    /// First cycle in which the link is free.
    Cycles free_from() const { return until_; }
    void reset();

private:
    BytesPerCycle rate_;
    Cycles busy_since_; ///< start of the current run of touching transfers
    Bytes busy_bytes_;  ///< bytes of that run, paced transfers counted at full rate
    Cycles until_;
};

} // namespace aicore
