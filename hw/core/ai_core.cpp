#include "hw/core/ai_core.h"

#include "hw/core/aic.h"
#include "hw/core/aiv.h"
#include "hw/core/control_port.h"
#include "hw/core/launch_control.h"
#include "hw/mem/bus_interface.h"
#include "hw/sync/cross_core_flags.h"

#include <string>

namespace aicore {

AiCore::AiCore(const sc_core::sc_module_name& name, const Platform& platform,
               const AiCoreOptions& options)
    : sc_module(name),
      own_hub_(options.observers == nullptr ? std::make_unique<ObserverHub>() : nullptr),
      hub_(options.observers == nullptr ? *own_hub_ : *options.observers), clock_("clock"),
      flags_(options.cross_core_flags) {
    clock_.clk(clk);
    clock_.rst_n(rst_n);
    make_cores(platform, options);
    make_flags(platform, options);
    make_biu(platform.links);
    make_control(platform, options);
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

AiCore::~AiCore() = default;

void AiCore::make_cores(const Platform& platform, const AiCoreOptions& options) {
    const auto name = [](const char* kind, int index) { return kind + std::to_string(index); };
    aic_ = std::make_unique<Aic>(name("aic", options.index).c_str(), platform, hub_, options.core);
    cores_.push_back(aic_.get());
    const int count = platform.chip.vector_cores_per_ai_core;
    for (int i = 0; i < count; ++i) {
        aivs_.push_back(std::make_unique<Aiv>(name("aiv", options.index * count + i).c_str(),
                                              platform, hub_, options.core));
        cores_.push_back(aivs_.back().get());
    }
    core_done_.init(cores_.size());
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        cores_[i]->clk(clock_);
        cores_[i]->rst_n(rst_n);
        cores_[i]->done(core_done_[i]);
        cores_[i]->on_error = [this, i](const std::string& message) {
            fail(LaunchError::program_error, i, message);
        };
    }
}

void AiCore::make_flags(const Platform& platform, const AiCoreOptions& options) {
    int first = options.index * static_cast<int>(cores_.size());
    if (flags_ == nullptr) {
        first = 0;
        own_flags_ = std::make_unique<CrossCoreFlags>(
            "cross_core_flags", platform.sync.cross_core_latency_cycles,
            CrossCoreFlags::places_of(platform.chip, options.index, 1));
        flags_ = own_flags_.get();
        flags_->clk(clock_);
        flags_->rst_n(rst_n);
        flags_->on_overflow = [this](int core, const std::string& message) {
            fail(LaunchError::program_error, static_cast<std::size_t>(core), message);
        };
    }
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        cores_[i]->connect(*flags_, first + static_cast<int>(i));
    }
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
    biu_->clk(clock_);
    biu_->rst_n(rst_n);
    for (std::size_t i = 0; i < sockets.size(); ++i) sockets[i]->bind(biu_->tsocks[i]);
    biu_->gm_isock.bind(gm_isock);
    biu_->on_error = [this](const std::string& message) {
        fail(LaunchError::bus_error, 0, message);
    };
}

void AiCore::make_control(const Platform& platform, const AiCoreOptions& options) {
    window_ = std::make_unique<ProgramWindow>();
    launch_ = std::make_unique<LaunchControl>("launch", platform, *window_, cores_, *flags_,
                                              own_flags_ != nullptr);
    launch_->clk(clock_);
    launch_->rst_n(rst_n);
    launch_->done(done);
    launch_->error(error);
    control_ = std::make_unique<ControlPort>(
        "control", platform.arch, static_cast<std::uint32_t>(options.index), *window_, *launch_);
    control_->rst_n(rst_n);
    ctrl_tsock.bind(control_->tsock);
}

void AiCore::set_sources(std::vector<InstructionSource*> sources) {
    launch_->set_sources(std::move(sources));
}

LaunchStatus AiCore::status() const { return launch_->status(); }
const std::string& AiCore::error_message() const { return launch_->error_message(); }
Cycles AiCore::cycles() const { return launch_->cycles(); }
Cycles AiCore::started_at() const { return launch_->started_at(); }

void AiCore::fail(LaunchError code, std::size_t core, const std::string& message) {
    launch_->fail(code, core, message);
}

void AiCore::end_of_elaboration() {
    if (hub_.empty()) return;
    biu_->on_read_transfer = [this](int port, Cycles first, Cycles until, Bytes bytes) {
        hub_.publish(&Observer::on_transfer, *read_links_[static_cast<std::size_t>(port)], first,
                     until, bytes);
    };
    if (own_flags_ == nullptr) return;
    publish_counters(*flags_, cores_, hub_);
}

void AiCore::on_reset() {
    if (own_hub_ != nullptr) hub_.publish(&Observer::on_reset, clock_.now());
}

} // namespace aicore
