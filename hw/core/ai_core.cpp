#include "hw/core/ai_core.h"

#include <algorithm>
#include <string>

namespace aicore {

AiCore::AiCore(const sc_core::sc_module_name& name, int index, const Platform& platform,
               ObserverHub& hub, const CoreOptions& options)
    : sc_module(name), hub_(hub) {
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
    make_biu(platform.links);
    SC_METHOD(on_done);
    for (const auto& core : core_done_) sensitive << core;
    dont_initialize();
}

void AiCore::make_biu(const LinksConfig& links) {
    std::vector<BusInterface::Port> ports;
    std::vector<tlm::tlm_initiator_socket<4096>*> sockets;
    int core = 0;
    const auto read = [&](Core& from, auto& socket, const char* name, const LinkConfig& link,
                          int socket_bits) {
        require_width(name, link, socket_bits);
        ports.push_back({core, true, link});
        read_links_.push_back(&hub_.register_link(from.info().name + "." + name));
        sockets.push_back(&socket);
    };
    const auto write = [&](auto& socket) {
        ports.push_back({core, false, {}});
        read_links_.push_back(nullptr);
        sockets.push_back(&socket);
    };
    read(*aic_, aic_->mte2_gm_isock, "gm_to_l1", links.gm_to_l1, 4096);
    read(*aic_, aic_->mte2_l0_gm_isock, "gm_to_l0", links.gm_to_l0, 4096);
    write(aic_->fixpipe_gm_isock);
    write(aic_->mte3_gm_isock);
    for (const auto& aiv : aivs_) {
        ++core;
        read(*aiv, aiv->mte2_gm_isock, "gm_to_ub", links.gm_to_ub, 2048);
        write(aiv->mte3_gm_isock);
    }
    biu_ = std::make_unique<BusInterface>("biu", std::move(ports));
    biu_->clk(clk);
    biu_->rst_n(rst_n);
    for (std::size_t i = 0; i < sockets.size(); ++i) sockets[i]->bind(biu_->tsocks[i]);
    biu_->gm_isock.bind(gm_isock);
}

void AiCore::end_of_elaboration() {
    if (hub_.empty()) return;
    biu_->on_read_transfer = [this](int port, Cycles first, Cycles until, Bytes bytes) {
        hub_.publish(&Observer::on_transfer, *read_links_[static_cast<std::size_t>(port)], first,
                     until, bytes);
    };
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
