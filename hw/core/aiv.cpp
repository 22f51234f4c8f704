#include "hw/core/aiv.h"

#include <array>
#include <functional>

namespace aicore {

Aiv::Aiv(const sc_core::sc_module_name& name, const Platform& platform, ObserverHub& hub,
         const CoreOptions& options)
    : Core(name, CoreKind::aiv, platform, hub),
      ub_to_gm_(std::make_unique<Link>(path_of("ub_to_gm"), platform.links.ub_to_gm, 2048, hub_)) {
    // Observers see pipes in this order, however the modules are constructed.
    for (const auto& [pipe, instance] :
         {std::pair(Pipe::S, "scalar"), std::pair(Pipe::V, "vector"), std::pair(Pipe::MTE2, "mte2"),
          std::pair(Pipe::MTE3, "mte3")}) {
        hub_.register_pipe(path_of(instance), pipe);
    }
    const EnginesConfig& eng = platform.engines;
    const MemoriesConfig& mem = platform.memories;
    construct(
        {[&] { make_scalar(eng.scalar, platform.numerics.ctrl, &pool_); },
         [&] {
             vector_ = std::make_unique<VectorUnit>("vector", eng.vector, mem.ub.usable(),
                                                    platform.numerics.multiply_add, pool_, hub_,
                                                    *event_flags_);
         },
         [&] {
             mte2_ =
                 std::make_unique<AivMte2Unit>("mte2", eng.aiv_mte2, pool_, hub_, *event_flags_);
         },
         [&] {
             mte3_ = std::make_unique<Mte3Unit>("mte3", eng.aiv_mte3, *ub_to_gm_, pool_, hub_,
                                                *event_flags_);
         },
         [&] { ub_ = std::make_unique<UbBuffer>("ub", mem.ub, mem.ub_banks, mem.power_on_byte); }},
        options.construction_order);
    join(options.check_protocol);
}

Aiv::~Aiv() = default;

std::vector<Engine*> Aiv::engine_list() const { return {vector_.get(), mte2_.get(), mte3_.get()}; }

void Aiv::join(bool check) {
    bind<2048>(vector_->dst_isock.socket, ub_->vector_dst_tsock, "vector_to_ub", check);
    bind<2048>(vector_->src0_isock.socket, ub_->vector_src0_tsock, "ub_to_vector_src0", check);
    bind<2048>(vector_->src1_isock.socket, ub_->vector_src1_tsock, "ub_to_vector_src1", check);
    bind<2048>(mte2_->ub_isock.socket, ub_->mte2_tsock, "mte2_to_ub", check);
    bind<2048>(mte3_->buffer_isock.socket, ub_->mte3_tsock, "ub_to_mte3", check);
    bind<64>(scalar_->ub_isock->socket, ub_->scalar_tsock, "scalar_to_ub", check);
    bind<4096>(mte2_->gm_isock.socket, mte2_gm_isock, "gm_to_mte2", check);
    bind<4096>(mte3_->gm_isock.socket, mte3_gm_isock, "mte3_to_gm", check);
    vector_->on_error = [this](const std::string& message) {
        if (on_error) on_error(message);
    };
    clock_and_reset(*vector_, *mte2_, *mte3_, *ub_);
    join_core();
}

void Aiv::connect_observers() {
    ub_->on_conflict = [this](Cycles now, UbBuffer::Port loser, UbBuffer::Port winner) {
        const std::array<const PipeInfo*, UbBuffer::kPorts> owners{
            &vector_->info(), &vector_->info(), &vector_->info(),
            &mte2_->info(),   &mte3_->info(),   &scalar_->info()};
        hub_.publish(&Observer::on_ub_conflict, now, *owners[loser], UbBuffer::name_of(loser),
                     UbBuffer::name_of(winner));
    };
}

unsigned Aiv::debug_access(Buffer buffer, tlm::tlm_generic_payload& payload, int) {
    switch (buffer) {
    case Buffer::UB: return mte2_->ub_isock.socket->transport_dbg(payload);
    case Buffer::GM: return mte2_->gm_isock.socket->transport_dbg(payload);
    default: return 0;
    }
}

} // namespace aicore
