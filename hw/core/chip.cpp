#include "hw/core/chip.h"

namespace aicore {

Chip::Chip(const sc_core::sc_module_name& name, const Platform& platform,
           const CoreOptions& options)
    : sc_module(name), clock_("clock"),
      gm_("gm", platform.memories.gm, platform.links.gm_to_l1, platform.links.gm_to_l0),
      aic_("aic0", platform, options), gm_to_l1_(aic_.observers().register_link("gm_to_l1")),
      gm_to_l0_(aic_.observers().register_link("gm_to_l0")) {
    require_width("gm_to_l1", platform.links.gm_to_l1, 4096);
    require_width("gm_to_l0", platform.links.gm_to_l0, 4096);
    clock_.clk(clk);
    clock_.rst_n(rst_n);
    gm_.clk(clock_);
    gm_.rst_n(rst_n);
    aic_.clk(clock_);
    aic_.rst_n(rst_n);
    aic_.done(done);
    aic_.mte2_gm_isock.bind(gm_.mte2_tsock);
    aic_.mte2_l0_gm_isock.bind(gm_.mte2_l0_tsock);
    aic_.fixpipe_gm_isock.bind(gm_.fixpipe_tsock);
    aic_.mte3_gm_isock.bind(gm_.mte3_tsock);
}

void Chip::end_of_elaboration() {
    if (aic_.observers().empty()) return;
    gm_.on_read_transfer = [this](GlobalMemory::Port port, Cycles first, Cycles until,
                                  Bytes bytes) {
        const LinkInfo& link = port == GlobalMemory::kMte2 ? gm_to_l1_ : gm_to_l0_;
        aic_.observers().publish(&Observer::on_transfer, link, first, until, bytes);
    };
}

sc_core::sc_time clock_period(const ClockConfig& clock) {
    // In units of the resolution, so that no rounding depends on floating point.
    const auto per_second =
        static_cast<std::uint64_t>(1.0 / sc_core::sc_get_time_resolution().to_seconds() + 0.5);
    const auto hertz = static_cast<std::uint64_t>(clock.frequency_mhz) * 1000000;
    return sc_core::sc_time::from_value((per_second + hertz / 2) / hertz);
}

} // namespace aicore
