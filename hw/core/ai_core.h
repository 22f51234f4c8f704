// An AI Core: one cube core (AIC) and the vector cores (AIV) that go with it.
#pragma once

#include "hw/core/aic.h"
#include "hw/core/aiv.h"
#include "hw/mem/bus_interface.h"

#include <memory>
#include <vector>

namespace aicore {

class AiCore : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// The programs of all of its cores are over.
    sc_core::sc_out<bool> done{"done"};

    /// The way to global memory: accesses of at most 512 bytes, none across a line of 512.
    tlm::tlm_initiator_socket<4096> gm_isock{"gm_isock"};

    SC_HAS_PROCESS(AiCore);
    /// `index`: of the AI Core in the chip; its cores are aic<index>, aiv<2 index>, ...
    AiCore(const sc_core::sc_module_name& name, int index, const Platform& platform,
           ObserverHub& hub, const CoreOptions& options = {});

    Aic& aic() { return *aic_; }
    Aiv& aiv(int i) { return *aivs_[static_cast<std::size_t>(i)]; }
    int aiv_count() const { return static_cast<int>(aivs_.size()); }
    /// The cube core, then the vector cores.
    std::vector<Core*> cores();
    BusInterface& biu() { return *biu_; }

private:
    void make_biu(const LinksConfig& links);
    void end_of_elaboration() override;
    void on_done();

    std::unique_ptr<Aic> aic_;
    std::vector<std::unique_ptr<Aiv>> aivs_;
    std::unique_ptr<BusInterface> biu_;
    ObserverHub& hub_;
    std::vector<const LinkInfo*> read_links_; ///< of each port of the bus interface; null: writes
    sc_core::sc_vector<sc_core::sc_signal<bool>> core_done_{"core_done"};
};

} // namespace aicore
