// A vector core (AIV): instances of its engines, UB and event flags, and how they are joined.
#pragma once

#include "hw/core/core.h"
#include "hw/mem/ub_buffer.h"
#include "hw/mte/aiv_mte2_unit.h"
#include "hw/mte/mte3_unit.h"
#include "hw/vector/vector_unit.h"

#include <memory>
#include <vector>

namespace aicore {

class Aiv : public Core {
public:
    // Ways to global memory, one for each engine that reaches it: 512 B a cycle at most.
    tlm::tlm_initiator_socket<4096> mte2_gm_isock{"mte2_gm_isock"};
    tlm::tlm_initiator_socket<4096> mte3_gm_isock{"mte3_gm_isock"};

    Aiv(const sc_core::sc_module_name& name, const Platform& platform, ObserverHub& hub,
        const CoreOptions& options = {});
    ~Aiv() override;

private:
    void join(bool check_protocol);
    void connect_observers() override;
    std::vector<Engine*> engine_list() const override;
    unsigned debug_access(Buffer buffer, tlm::tlm_generic_payload& payload, int sub_block) override;

    std::unique_ptr<Link> ub_to_gm_;
    std::unique_ptr<UbBuffer> ub_;
    std::unique_ptr<VectorUnit> vector_;
    std::unique_ptr<AivMte2Unit> mte2_;
    std::unique_ptr<Mte3Unit> mte3_;
};

} // namespace aicore
