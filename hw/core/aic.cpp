#include "hw/core/aic.h"

#include <functional>
#include <optional>

namespace aicore {

/// Every data path of the core; the number behind each is platform.yaml: links.<name>.
struct Aic::Links {
    /// `core`: path of the core, with its dot.
    Links(const std::string& core, const LinksConfig& config, ObserverHub& hub)
        : l1_to_gm(core + "l1_to_gm", config.l1_to_gm, 2048, hub),
          l1_to_l0a(core + "l1_to_l0a", config.l1_to_l0a, 2048, hub),
          l1_to_l0b(core + "l1_to_l0b", config.l1_to_l0b, 2048, hub),
          l1_to_bt(core + "l1_to_bt", config.l1_to_bt, 256, hub),
          l1_to_fb(core + "l1_to_fb", config.l1_to_fb, 256, hub),
          l0a_to_cube(core + "l0a_to_cube", config.l0a_to_cube, 4096, hub),
          l0b_to_cube(core + "l0b_to_cube", config.l0b_to_cube, 4096, hub),
          bt_to_cube(core + "bt_to_cube", config.bt_to_cube, 512, hub),
          l0c_to_cube(core + "l0c_to_cube", config.l0c_to_cube, 8192, hub),
          cube_to_l0c(core + "cube_to_l0c", config.cube_to_l0c, 8192, hub),
          l0c_to_l1(core + "l0c_to_l1", config.l0c_to_l1, 2048, hub),
          l0c_to_gm(core + "l0c_to_gm", config.l0c_to_gm, 4096, hub) {
        if (!config.reaches_ub()) return;
        l0c_to_ub.emplace(core + "l0c_to_ub", config.l0c_to_ub, 2048, hub);
        l0c_to_ub_dual.emplace(core + "l0c_to_ub_dual", config.l0c_to_ub_dual, 2 * 2048, hub);
    }

    Link l1_to_gm, l1_to_l0a, l1_to_l0b, l1_to_bt, l1_to_fb, l0a_to_cube, l0b_to_cube, bt_to_cube,
        l0c_to_cube, cube_to_l0c, l0c_to_l1, l0c_to_gm;
    std::optional<Link> l0c_to_ub, l0c_to_ub_dual; ///< none where the platform has no such path
};

Aic::Aic(const sc_core::sc_module_name& name, const Platform& platform, ObserverHub& hub,
         const CoreOptions& options)
    : Core(name, CoreKind::aic, platform, hub), fb_slices_(platform.memories),
      links_(std::make_unique<Links>(path_of(""), platform.links, hub_)) {
    // Observers see pipes in this order, however the modules are constructed.
    for (const auto& [pipe, instance] :
         {std::pair(Pipe::S, "scalar"), std::pair(Pipe::M, "cube"), std::pair(Pipe::MTE1, "mte1"),
          std::pair(Pipe::MTE2, "mte2"), std::pair(Pipe::MTE3, "mte3"),
          std::pair(Pipe::FIX, "fixpipe")}) {
        hub_.register_pipe(path_of(instance), pipe);
    }
    unit_flags_ = std::make_unique<L0cUnitFlags>(
        "unit_flags",
        static_cast<int>(platform.memories.l0c.size_bytes.count() / kUnitFlagBlockBytes));
    make_parts(platform, options.construction_order);
    join(options.check_protocol);
}

Aic::~Aic() = default;

void Aic::make_parts(const Platform& platform, unsigned order) {
    const MemoriesConfig& mem = platform.memories;
    const EnginesConfig& eng = platform.engines;
    const CtrlState& ctrl = platform.numerics.ctrl;
    Links& l = *links_;
    std::vector<std::function<void()>> parts = {
        [&] { make_scalar(eng.scalar, ctrl, nullptr); },
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
    construct(std::move(parts), order);
}

std::vector<Engine*> Aic::engine_list() const {
    return {cube_.get(), mte1_.get(), mte2_.get(), mte3_.get(), fixpipe_.get()};
}

// ---- wiring ------------------------------------------------------------------------------------

void Aic::join(bool check) {
    bind<2048>(mte2_->l1_isock.socket, l1_->mte2_tsock, "mte2_to_l1", check);
    bind<2048>(fixpipe_->l1_isock.socket, l1_->fixpipe_tsock, "fixpipe_to_l1", check);
    bind<2048>(mte1_->l1_isock.socket, l1_->mte1_tsock, "l1_to_mte1", check);
    bind<2048>(mte3_->buffer_isock.socket, l1_->mte3_tsock, "l1_to_mte3", check);
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

    fixpipe_->on_error = [this](const std::string& message) {
        if (on_error) on_error(message);
    };
    clock_and_reset(*unit_flags_, *cube_, *mte1_, *mte2_, *mte3_, *fixpipe_, *l1_, *l0a_, *l0b_,
                    *l0b_index_, *l0c_, *bt_, *fb_);
    join_core();
}

void Aic::connect_observers() {
    unit_flags_->on_change = [this](Cycles now, int block, bool value) {
        hub_.publish(&Observer::on_unit_flag, now, info(), block, value);
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
        hub_.publish(&Observer::on_l0c_access, now, info(), banks, write);
    };
}

// ---- untimed access ----------------------------------------------------------------------------

unsigned Aic::debug_access(Buffer buffer, tlm::tlm_generic_payload& payload, int sub_block) {
    if (buffer == Buffer::FB) {
        if (payload.get_address() > 0x3ffff) return 0; // no such slice
        payload.set_address(fb_slices_.place(static_cast<std::uint32_t>(payload.get_address())));
    }
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
