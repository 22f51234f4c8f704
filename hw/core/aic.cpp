#include "hw/core/aic.h"

#include "tlm/protocol_checker.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <sstream>

namespace aicore {

/// Every data path of the core; the number behind each is platform.yaml: links.<name>.
struct Aic::Links {
    Links(const LinksConfig& config, ObserverHub& hub)
        : l1_to_gm("l1_to_gm", config.l1_to_gm, 2048, hub),
          l1_to_l0a("l1_to_l0a", config.l1_to_l0a, 2048, hub),
          l1_to_l0b("l1_to_l0b", config.l1_to_l0b, 2048, hub),
          l1_to_bt("l1_to_bt", config.l1_to_bt, 256, hub),
          l1_to_fb("l1_to_fb", config.l1_to_fb, 256, hub),
          l0a_to_cube("l0a_to_cube", config.l0a_to_cube, 4096, hub),
          l0b_to_cube("l0b_to_cube", config.l0b_to_cube, 4096, hub),
          bt_to_cube("bt_to_cube", config.bt_to_cube, 512, hub),
          l0c_to_cube("l0c_to_cube", config.l0c_to_cube, 8192, hub),
          cube_to_l0c("cube_to_l0c", config.cube_to_l0c, 8192, hub),
          l0c_to_l1("l0c_to_l1", config.l0c_to_l1, 2048, hub),
          l0c_to_gm("l0c_to_gm", config.l0c_to_gm, 4096, hub) {
        if (!config.reaches_ub()) return;
        l0c_to_ub.emplace("l0c_to_ub", config.l0c_to_ub, 2048, hub);
        l0c_to_ub_dual.emplace("l0c_to_ub_dual", config.l0c_to_ub_dual, 2 * 2048, hub);
    }

    Link l1_to_gm, l1_to_l0a, l1_to_l0b, l1_to_bt, l1_to_fb, l0a_to_cube, l0b_to_cube, bt_to_cube,
        l0c_to_cube, cube_to_l0c, l0c_to_l1, l0c_to_gm;
    std::optional<Link> l0c_to_ub, l0c_to_ub_dual; ///< none where the platform has no such path
};

Aic::Aic(const sc_core::sc_module_name& name, const Platform& platform, const CoreOptions& options)
    : sc_module(name), fb_slices_(platform.memories),
      links_(std::make_unique<Links>(platform.links, hub_)) {
    // Observers see pipes in this order, however the modules are constructed.
    for (const auto& [pipe, instance] :
         {std::pair(Pipe::S, "scalar"), std::pair(Pipe::M, "cube"), std::pair(Pipe::MTE1, "mte1"),
          std::pair(Pipe::MTE2, "mte2"), std::pair(Pipe::MTE3, "mte3"),
          std::pair(Pipe::FIX, "fixpipe")}) {
        hub_.register_pipe(std::string(basename()) + "." + instance, pipe);
    }
    // The engines' constructors take the flags; the rest may come in any order.
    event_flags_ = std::make_unique<EventFlags>("event_flags", platform.sync);
    unit_flags_ = std::make_unique<L0cUnitFlags>(
        "unit_flags",
        static_cast<int>(platform.memories.l0c.size_bytes.count() / kUnitFlagBlockBytes));
    construct(platform, options.construction_order);
    join(options.check_protocol);
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

void Aic::on_reset() { hub_.publish(&Observer::on_reset, clk->now()); }

Aic::~Aic() = default;

void Aic::construct(const Platform& platform, unsigned order) {
    const MemoriesConfig& mem = platform.memories;
    const EnginesConfig& eng = platform.engines;
    const CtrlState& ctrl = platform.numerics.ctrl;
    Links& l = *links_;
    std::vector<std::function<void()>> steps = {
        [&] {
            scalar_ = std::make_unique<ScalarUnit>("scalar", eng.scalar, ctrl, hub_, *event_flags_);
        },
        [&] { mte2_ = std::make_unique<Mte2Unit>("mte2", eng.mte2, pool_, hub_, *event_flags_); },
        [&] {
            mte1_ = std::make_unique<Mte1Unit>(
                "mte1", eng.mte1, Mte1Unit::Links{l.l1_to_l0a, l.l1_to_l0b, l.l1_to_bt}, pool_,
                hub_, *event_flags_);
        },
        [&] {
            cube_ = std::make_unique<CubeUnit>("cube", platform,
                                               CubeUnit::Links{l.l0a_to_cube, l.l0b_to_cube,
                                                               l.bt_to_cube, l.l0c_to_cube,
                                                               l.cube_to_l0c},
                                               *unit_flags_, pool_, hub_, *event_flags_);
        },
        [&] {
            fixpipe_ = std::make_unique<FixpipeUnit>(
                "fixpipe", eng.fixpipe, platform.numerics, platform.arch, fb_slices_,
                FixpipeUnit::Links{l.l0c_to_gm, l.l0c_to_l1, l.l1_to_fb,
                                   l.l0c_to_ub ? &*l.l0c_to_ub : nullptr,
                                   l.l0c_to_ub_dual ? &*l.l0c_to_ub_dual : nullptr},
                *unit_flags_, pool_, hub_, *event_flags_);
        },
        [&] {
            mte3_ = std::make_unique<Mte3Unit>("mte3", eng.mte3, l.l1_to_gm, pool_, hub_,
                                               *event_flags_);
        },
        [&] { l1_ = std::make_unique<L1Buffer>("l1", mem.l1, mem.l1_banks, mem.power_on_byte); },
        [&] { l0a_ = std::make_unique<L0Buffer<2048, 4096>>("l0a", mem.l0a, mem.power_on_byte); },
        [&] { l0b_ = std::make_unique<L0Buffer<2048, 4096>>("l0b", mem.l0b, mem.power_on_byte); },
        [&] {
            MemoryConfig index = mem.l0b; // 128 B of indices for each fractal of 512 B
            index.size_bytes = Bytes(mem.l0b.size_bytes.count() / 4);
            l0b_index_ = std::make_unique<Sram<256, 1024>>("l0b_index", index, mem.power_on_byte);
        },
        [&] {
            l0c_ = std::make_unique<L0cBuffer>("l0c", mem.l0c, mem.l0c_banks, mem.power_on_byte);
        },
        [&] { bt_ = std::make_unique<Sram<256, 512>>("bt", mem.bt, mem.power_on_byte); },
        [&] {
            if (!platform.links.reaches_ub()) return;
            for (std::size_t i = 0; i < ub_.size(); ++i) {
                const std::string name = "ub" + std::to_string(i);
                ub_[i] = std::make_unique<UnifiedBuffer>(name.c_str(), mem.ub, mem.power_on_byte);
                ub_debug_isock_[i] =
                    std::make_unique<tlm_utils::simple_initiator_socket<Aic, 2048>>(
                        (name + "_debug_isock").c_str());
            }
        },
        [&] {
            fb_ = std::make_unique<Sram<256, 512>>("fb", fb_slices_.storage(), mem.power_on_byte);
        },
    };
    std::mt19937 random(order);
    if (order != 0) std::shuffle(steps.begin(), steps.end(), random);
    for (const auto& step : steps) step();

    for (Engine* engine : engine_list()) scalar_->connect(engine->info().pipe, *engine);
}

std::vector<Engine*> Aic::engine_list() const {
    return {cube_.get(), mte1_.get(), mte2_.get(), mte3_.get(), fixpipe_.get()};
}

std::vector<const Engine*> Aic::engines() const {
    const std::vector<Engine*> list = engine_list();
    return {list.begin(), list.end()};
}

// ---- wiring ------------------------------------------------------------------------------------

template <unsigned Width, typename Initiator, typename Target>
void Aic::bind(Initiator& initiator, Target& target, const char* name, bool check_protocol) {
    if (!check_protocol) {
        initiator.bind(target);
        return;
    }
    auto checker =
        std::make_unique<ProtocolChecker<Width>>((std::string(name) + "_checker").c_str());
    checker->rst_n(rst_n);
    initiator.bind(checker->tsock);
    checker->isock.bind(target);
    checkers_.push_back(std::move(checker));
}

void Aic::join(bool check) {
    bind<2048>(mte2_->l1_isock.socket, l1_->mte2_tsock, "mte2_to_l1", check);
    bind<2048>(fixpipe_->l1_isock.socket, l1_->fixpipe_tsock, "fixpipe_to_l1", check);
    bind<2048>(mte1_->l1_isock.socket, l1_->mte1_tsock, "l1_to_mte1", check);
    bind<2048>(mte3_->l1_isock.socket, l1_->mte3_tsock, "l1_to_mte3", check);
    bind<2048>(mte1_->l0a_isock.socket, l0a_->write_tsock, "l1_to_l0a", check);
    bind<2048>(mte1_->l0b_isock.socket, l0b_->write_tsock, "l1_to_l0b", check);
    bind<256>(mte1_->bt_isock.socket, bt_->write_tsock, "l1_to_bt", check);
    bind<256>(mte1_->index_isock.socket, l0b_index_->write_tsock, "l1_to_l0b_index", check);
    bind<2048>(mte2_->l0a_isock.socket, l0a_->mte2_tsock, "gm_to_l0a", check);
    bind<2048>(mte2_->l0b_isock.socket, l0b_->mte2_tsock, "gm_to_l0b", check);
    bind<4096>(cube_->l0a_isock.socket, l0a_->read_tsock, "l0a_to_cube", check);
    bind<4096>(cube_->l0b_isock.socket, l0b_->read_tsock, "l0b_to_cube", check);
    bind<1024>(cube_->index_isock.socket, l0b_index_->read_tsock, "l0b_index_to_cube", check);
    bind<512>(cube_->bt_isock.socket, bt_->read_tsock, "bt_to_cube", check);
    bind<8192>(cube_->l0c_isock.socket, l0c_->cube_tsock, "cube_to_l0c", check);
    bind<2048>(fixpipe_->l0c_isock.socket, l0c_->fixpipe_tsock, "l0c_to_fixpipe", check);
    bind<256>(fixpipe_->fb_write_isock.socket, fb_->write_tsock, "l1_to_fb", check);
    bind<512>(fixpipe_->fb_read_isock.socket, fb_->read_tsock, "fb_to_fixpipe", check);
    for (std::size_t i = 0; i < ub_.size(); ++i) {
        if (!ub_[i]) continue;
        const std::string name = "fixpipe_to_ub" + std::to_string(i);
        bind<2048>(fixpipe_->ub_isock[i]->socket, ub_[i]->write_tsock, name.c_str(), check);
        ub_debug_isock_[i]->bind(ub_[i]->read_tsock);
        ub_[i]->clk(clk);
        ub_[i]->rst_n(rst_n);
    }
    bind<4096>(mte2_->gm_isock.socket, mte2_gm_isock, "gm_to_mte2", check);
    bind<4096>(mte2_->gm_l0_isock.socket, mte2_l0_gm_isock, "gm_to_l0", check);
    bind<4096>(fixpipe_->gm_isock.socket, fixpipe_gm_isock, "fixpipe_to_gm", check);
    bind<4096>(mte3_->gm_isock.socket, mte3_gm_isock, "mte3_to_gm", check);

    const auto clock_and_reset = [this](auto&... module) {
        (module.clk(clk), ...);
        (module.rst_n(rst_n), ...);
    };
    clock_and_reset(*event_flags_, *unit_flags_, *scalar_, *cube_, *mte1_, *mte2_, *mte3_,
                    *fixpipe_, *l1_, *l0a_, *l0b_, *l0b_index_, *l0c_, *bt_, *fb_);
    scalar_->done(done);
}

void Aic::connect_observers() {
    event_flags_->on_double_set = [this](Cycles now, const EventFlags::Name& flag,
                                         const EventFlags::History& first,
                                         const EventFlags::History& second) {
        std::ostringstream text;
        text << "cycle " << now << ": set_flag " << to_string(flag.src) << "->"
             << to_string(flag.dst) << " id " << flag.id << " at line " << second.place.line
             << " meets a flag that line " << first.place.line << " set in cycle " << first.at
             << " and nobody has consumed; it stays 1 and one token is lost";
        SC_REPORT_WARNING("/aicore/event_flags", text.str().c_str());
    };
    if (hub_.empty()) return;

    event_flags_->on_change = [this](Cycles now, const EventFlags::Name& flag, bool value) {
        hub_.publish(&Observer::on_event_flag, now, flag.src, flag.dst, flag.id, value);
    };
    unit_flags_->on_change = [this](Cycles now, int block, bool value) {
        hub_.publish(&Observer::on_unit_flag, now, block, value);
    };
    l1_->on_conflict = [this](L1Buffer::Port port, Cycles from, Cycles cycles) {
        const std::array<const Engine*, L1Buffer::kPorts> owners{mte2_.get(), fixpipe_.get(),
                                                                 mte1_.get(), mte3_.get()};
        hub_.publish(&Observer::on_stall, from, owners[port]->info(), WaitReason::bank_conflict,
                     cycles);
    };
    l0c_->on_conflict = [this](Cycles from, Cycles cycles) {
        hub_.publish(&Observer::on_stall, from, fixpipe_->info(), WaitReason::bank_conflict,
                     cycles);
    };
    l0c_->on_access = [this](Cycles now, std::uint32_t banks, bool write) {
        hub_.publish(&Observer::on_l0c_access, now, banks, write);
    };
}

// ---- untimed access ----------------------------------------------------------------------------

unsigned Aic::debug_read(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                         int sub_block) {
    return debug_access(buffer, tlm::TLM_READ_COMMAND, address, data, bytes, sub_block);
}

unsigned Aic::debug_write(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                          int sub_block) {
    return debug_access(buffer, tlm::TLM_WRITE_COMMAND, address, data, bytes, sub_block);
}

unsigned Aic::debug_access(Buffer buffer, tlm::tlm_command command, std::uint64_t address,
                           std::uint8_t* data, unsigned bytes, int sub_block) {
    if (buffer == Buffer::FB) {
        if (address > 0x3ffff) return 0; // no such slice
        address = fb_slices_.place(static_cast<std::uint32_t>(address));
    }
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    switch (buffer) {
    case Buffer::L1: return mte1_->l1_isock.socket->transport_dbg(payload);
    case Buffer::L0A: return cube_->l0a_isock.socket->transport_dbg(payload);
    case Buffer::L0B: return cube_->l0b_isock.socket->transport_dbg(payload);
    case Buffer::L0C: return cube_->l0c_isock.socket->transport_dbg(payload);
    case Buffer::BT: return cube_->bt_isock.socket->transport_dbg(payload);
    case Buffer::FB: return fixpipe_->fb_read_isock.socket->transport_dbg(payload);
    case Buffer::GM: return mte2_->gm_isock.socket->transport_dbg(payload);
    case Buffer::UB: {
        const auto& isock = ub_debug_isock_[static_cast<std::size_t>(sub_block)];
        return isock ? (*isock)->transport_dbg(payload) : 0;
    }
    case Buffer::L0B_IDX: return cube_->index_isock.socket->transport_dbg(payload);
    }
    return 0;
}

} // namespace aicore
