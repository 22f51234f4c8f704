// L0A and L0B: an exclusive buffer that MTE1 fills from L1, and MTE2 from GM.
//
// Each of the two has a write port of its own here [inferred: how the silicon shares the one row of
// writes is not public, and loads from GM are rare and slower than a port]. Programs order them: a
// fractal that both write without an event between them has no defined content.
#pragma once

#include "hw/mem/sram.h"

namespace aicore {

template <unsigned WriteWidth, unsigned ReadWidth>
class L0Buffer : public Sram<WriteWidth, ReadWidth> {
public:
    /// Write port of MTE2.
    tlm_utils::simple_target_socket<L0Buffer, WriteWidth> mte2_tsock{"mte2_tsock"};

    L0Buffer(const sc_core::sc_module_name& name, const MemoryConfig& config, int power_on_byte)
        : Sram<WriteWidth, ReadWidth>(name, config, power_on_byte) {
        mte2_tsock.register_nb_transport_fw(this, &L0Buffer::mte2_access);
    }

private:
    tlm::tlm_sync_enum mte2_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
        return this->write_access(payload, phase, delay);
    }
};

} // namespace aicore
