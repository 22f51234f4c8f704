// The cube core (AIC): instances of its engines, buffers and flags, and how they are joined.
//
// This is the place to look for what is connected to what; the numbers are in platform.yaml, the
// behaviour in the rooms of the instances.
#pragma once

#include "hw/cube/cube_unit.h"
#include "hw/fixpipe/fixpipe_unit.h"
#include "hw/mem/fb_slices.h"
#include "hw/mem/l0_buffer.h"
#include "hw/mem/l0c_buffer.h"
#include "hw/mem/l1_buffer.h"
#include "hw/mem/sram.h"
#include "hw/mte/mte1_unit.h"
#include "hw/mte/mte2_unit.h"
#include "hw/mte/mte3_unit.h"
#include "hw/scalar/scalar_unit.h"

#include <array>
#include <memory>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

namespace aicore {

/// How a core is built, apart from its numbers.
struct CoreOptions {
    /// Put a protocol checker on every link.
    bool check_protocol = false;
    /// Permutes the order in which the modules are constructed. No result may depend on it.
    unsigned construction_order = 0;
};

class Aic : public sc_core::sc_module {
    using UnifiedBuffer = Sram<2048, 2048>;

public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    sc_core::sc_out<bool> done{"done"};
    // Ways to global memory, one for each engine that reaches it: 512 B a cycle at most.
    tlm::tlm_initiator_socket<4096> mte2_gm_isock{"mte2_gm_isock"};
    tlm::tlm_initiator_socket<4096> mte2_l0_gm_isock{"mte2_l0_gm_isock"};
    tlm::tlm_initiator_socket<4096> fixpipe_gm_isock{"fixpipe_gm_isock"};
    tlm::tlm_initiator_socket<4096> mte3_gm_isock{"mte3_gm_isock"};

    SC_HAS_PROCESS(Aic);
    Aic(const sc_core::sc_module_name& name, const Platform& platform,
        const CoreOptions& options = {});
    ~Aic() override;

    /// Observers are added before the simulation starts.
    ObserverHub& observers() { return hub_; }
    ScalarUnit& scalar() { return *scalar_; }
    const ScalarUnit& scalar() const { return *scalar_; }
    /// Engines in the order of their pipes.
    std::vector<const Engine*> engines() const;
    const EventFlags& event_flags() const { return *event_flags_; }
    const L0cUnitFlags& unit_flags() const { return *unit_flags_; }

    /// Untimed access to a buffer (transport_dbg); returns the bytes moved. `sub_block` chooses the
    /// vector core whose unified buffer is meant, for other buffers it has no effect.
    unsigned debug_read(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                        int sub_block = 0);
    unsigned debug_write(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                         int sub_block = 0);
    /// Transactions under way; zero when a run is over.
    std::size_t outstanding_transactions() const { return pool_.outstanding(); }

private:
    struct Links;

    void construct(const Platform& platform, unsigned order);
    void join(bool check_protocol);
    void connect_observers();
    void end_of_elaboration() override { connect_observers(); }
    void on_reset();
    unsigned debug_access(Buffer buffer, tlm::tlm_command command, std::uint64_t address,
                          std::uint8_t* data, unsigned bytes, int sub_block);
    std::vector<Engine*> engine_list() const;
    template <unsigned Width, typename Initiator, typename Target>
    void bind(Initiator& initiator, Target& target, const char* name, bool check_protocol);

    FbSlices fb_slices_;
    ObserverHub hub_;
    PayloadPool pool_;
    std::unique_ptr<Links> links_;
    std::vector<std::unique_ptr<sc_core::sc_module>> checkers_;

    std::unique_ptr<EventFlags> event_flags_;
    std::unique_ptr<L0cUnitFlags> unit_flags_;
    std::unique_ptr<L1Buffer> l1_;
    std::unique_ptr<L0Buffer<2048, 4096>> l0a_;
    std::unique_ptr<L0Buffer<2048, 4096>> l0b_;
    std::unique_ptr<Sram<256, 1024>> l0b_index_;
    std::unique_ptr<Sram<256, 512>> bt_;
    std::unique_ptr<Sram<256, 512>> fb_;
    std::unique_ptr<L0cBuffer> l0c_;
    /// Unified buffers of the two vector cores, where FixPipe reaches them; null elsewhere. They
    /// stand here until the vector cores are modelled.
    std::array<std::unique_ptr<UnifiedBuffer>, kSubBlocks> ub_;
    /// The read ports of the unified buffers, for untimed access.
    std::array<std::unique_ptr<tlm_utils::simple_initiator_socket<Aic, 2048>>, kSubBlocks>
        ub_debug_isock_;
    std::unique_ptr<ScalarUnit> scalar_;
    std::unique_ptr<CubeUnit> cube_;
    std::unique_ptr<Mte1Unit> mte1_;
    std::unique_ptr<Mte2Unit> mte2_;
    std::unique_ptr<Mte3Unit> mte3_;
    std::unique_ptr<FixpipeUnit> fixpipe_;
};

} // namespace aicore
