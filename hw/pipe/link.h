// A data path of a core: its numbers, its occupancy, and who watches it.
#pragma once

#include "hw/config/platform.h"
#include "hw/config/strict_yaml.h"
#include "hw/pipe/observer.h"
#include "tlm/bandwidth_meter.h"

#include <algorithm>

namespace aicore {

/// Throws InputError when the platform asks more of a link than its sockets are wide.
inline void require_width(const std::string& name, const LinkConfig& config, int socket_bits) {
    if (config.bytes_per_cycle.count() * 8 <= socket_bits) return;
    throw InputError("platform: links." + name +
                     ".bytes_per_cycle = " + std::to_string(config.bytes_per_cycle.count()) +
                     ": the link is " + std::to_string(socket_bits / 8) + " bytes wide");
}

class Link {
public:
    /// `path`: "aic0.l1_to_l0a"; its last name is the key in the platform. `socket_bits`: BUSWIDTH
    /// of the sockets that the link runs through. Throws InputError when the platform asks for
    /// more.
    Link(const std::string& path, const LinkConfig& config, int socket_bits, ObserverHub& hub)
        : config_(config), meter_(config.bytes_per_cycle), hub_(hub),
          info_(hub.register_link(path)) {
        require_width(path.substr(path.rfind('.') + 1), config, socket_bits);
    }

    const LinkConfig& config() const { return config_; }
    Cycles latency() const { return config_.latency_cycles; }

    /// Occupies the link for a burst of `bytes` that carries `elements`, from `earliest` on, for
    /// `at_least` so long.
    BandwidthMeter::Window reserve(Cycles earliest, Bytes bytes, std::int64_t elements = 0,
                                   Cycles at_least = Cycles(0)) {
        const Cycles pace(
            config_.elements_per_cycle > 0 ? ceil_div(elements, config_.elements_per_cycle) : 0);
        const BandwidthMeter::Window window =
            meter_.reserve(earliest, bytes, std::max(pace, at_least));
        hub_.publish(&Observer::on_transfer, info_, window.first, window.until, bytes);
        return window;
    }
    void reset() { meter_.reset(); }

private:
    LinkConfig config_;
    BandwidthMeter meter_;
    ObserverHub& hub_;
    const LinkInfo& info_;
};

} // namespace aicore
