#include "hw/core/ai_core.h"

#include <algorithm>
#include <string>

namespace aicore {

AiCore::AiCore(const sc_core::sc_module_name& name, int index, const Platform& platform,
               ObserverHub& hub, const CoreOptions& options)
    : sc_module(name) {
    aic_ = std::make_unique<Aic>(("aic" + std::to_string(index)).c_str(), platform, hub, options);
    const int count = platform.chip.vector_cores_per_ai_core;
    for (int i = 0; i < count; ++i) {
        const std::string core = "aiv" + std::to_string(index * count + i);
        aivs_.push_back(std::make_unique<Aiv>(core.c_str(), platform, hub, options));
    }
    const std::vector<Core*> all = cores();
    core_done_.init(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i]->clk(clk);
        all[i]->rst_n(rst_n);
        all[i]->done(core_done_[i]);
    }
    SC_METHOD(on_done);
    for (const auto& core : core_done_) sensitive << core;
    dont_initialize();
}

std::vector<Core*> AiCore::cores() {
    std::vector<Core*> all{aic_.get()};
    for (const auto& aiv : aivs_) all.push_back(aiv.get());
    return all;
}

void AiCore::on_done() {
    done.write(std::all_of(core_done_.begin(), core_done_.end(),
                           [](const sc_core::sc_signal<bool>& core) { return core.read(); }));
}

} // namespace aicore
