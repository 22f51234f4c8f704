// The cube core (AIC): instances of its engines, buffers and flags, and how they are joined.
//
// This is the place to look for what is connected to what; the numbers are in platform.yaml, the
// behaviour in the rooms of the instances.
#pragma once

#include "hw/core/core.h"
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

#include <array>
#include <memory>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

namespace aicore {

class Aic : public Core {
    using UnifiedBuffer = Sram<2048, 2048>;

public:
    // Ways to global memory, one for each engine that reaches it: 512 B a cycle at most.
    tlm::tlm_initiator_socket<4096> mte2_gm_isock{"mte2_gm_isock"};
    tlm::tlm_initiator_socket<4096> mte2_l0_gm_isock{"mte2_l0_gm_isock"};
    tlm::tlm_initiator_socket<4096> fixpipe_gm_isock{"fixpipe_gm_isock"};
    tlm::tlm_initiator_socket<4096> mte3_gm_isock{"mte3_gm_isock"};

    Aic(const sc_core::sc_module_name& name, const Platform& platform, ObserverHub& hub,
        const CoreOptions& options = {});
    ~Aic() override;

    const L0cUnitFlags& unit_flags() const { return *unit_flags_; }
    const L0cUnitFlags* unit_flag_state() const override { return unit_flags_.get(); }

private:
    struct Links;

    void make_parts(const Platform& platform, unsigned order);
    void join(bool check_protocol);
    void connect_observers() override;
    std::vector<Engine*> engine_list() const override;
    unsigned debug_access(Buffer buffer, tlm::tlm_generic_payload& payload, int sub_block) override;

    FbSlices fb_slices_;
    std::unique_ptr<Links> links_;

    std::unique_ptr<L0cUnitFlags> unit_flags_;
    std::unique_ptr<L1Buffer> l1_;
    std::unique_ptr<L0Buffer<2048, 4096>> l0a_;
    std::unique_ptr<L0Buffer<2048, 4096>> l0b_;
    std::unique_ptr<Sram<256, 1024>> l0b_index_;
    std::unique_ptr<Sram<256, 512>> bt_;
    std::unique_ptr<Sram<256, 512>> fb_;
    std::unique_ptr<L0cBuffer> l0c_;
    /// Unified buffers of the two vector cores, where FixPipe reaches them; null elsewhere. They
    /// stand here until the vector cores of arch 3510 are modelled.
    std::array<std::unique_ptr<UnifiedBuffer>, kSubBlocks> ub_;
    /// The read ports of the unified buffers, for untimed access.
    std::array<std::unique_ptr<tlm_utils::simple_initiator_socket<Aic, 2048>>, kSubBlocks>
        ub_debug_isock_;
    std::unique_ptr<CubeUnit> cube_;
    std::unique_ptr<Mte1Unit> mte1_;
    std::unique_ptr<Mte2Unit> mte2_;
    std::unique_ptr<Mte3Unit> mte3_;
    std::unique_ptr<FixpipeUnit> fixpipe_;
};

} // namespace aicore
