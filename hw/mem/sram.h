// An on-chip buffer whose ports have a single owner each: L0A and L0B (with hw/mem/l0_buffer.h),
// the index buffer, BiasTable, Fixpipe buffer.
//
// Ports never compete (a load and a read of different addresses overlap in L0A and L0B), so every
// access completes early (TLM_COMPLETED); bandwidth belongs to the link, not to the buffer. A write
// lands after the delay that its initiator annotated. DMI is refused: it would bypass the timing.
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/sram_storage.h"
#include "tlm/cycle_clock.h"

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

/// The part of an exclusive port that doesn't depend on the socket's width.
/// Serves a read or write with its annotated delay. Delays are whole cycles.
tlm::tlm_sync_enum serve_exclusive(SramStorage& storage, const CycleClockIf& clock,
                                   PortDirection direction, tlm::tlm_generic_payload& payload,
                                   tlm::tlm_phase& phase, const sc_core::sc_time& delay);
/// Moves the data of an access that a shared buffer has granted; a write lands at `due`.
void serve_granted(SramStorage& storage, Cycles now, Cycles due, tlm::tlm_generic_payload& payload);
/// Debug transport on a storage: moves up to the end of the memory, returns the bytes moved.
unsigned debug_access(SramStorage& storage, Cycles now, tlm::tlm_generic_payload& payload);

/// A buffer with one write port and one read port, `WriteWidth` and `ReadWidth` bits wide.
template <unsigned WriteWidth, unsigned ReadWidth>
class Sram : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    tlm_utils::simple_target_socket<Sram, WriteWidth> write_tsock{"write_tsock"};
    tlm_utils::simple_target_socket<Sram, ReadWidth> read_tsock{"read_tsock"};

    SC_HAS_PROCESS(Sram);
    Sram(const sc_core::sc_module_name& name, const MemoryConfig& config, int power_on_byte)
        : sc_module(name), storage_(config.size_bytes, static_cast<std::uint8_t>(power_on_byte)) {
        write_tsock.register_nb_transport_fw(this, &Sram::write_access);
        read_tsock.register_nb_transport_fw(this, &Sram::read_access);
        write_tsock.register_transport_dbg(this, &Sram::transport_dbg);
        read_tsock.register_transport_dbg(this, &Sram::transport_dbg);
        SC_METHOD(on_reset);
        sensitive << rst_n.neg();
        dont_initialize();
    }

protected:
    tlm::tlm_sync_enum write_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay) {
        return serve_exclusive(storage_, *clk.operator->(), PortDirection::write, payload, phase,
                               delay);
    }

private:
    tlm::tlm_sync_enum read_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
        return serve_exclusive(storage_, *clk.operator->(), PortDirection::read, payload, phase,
                               delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        return debug_access(storage_, clk->now(), payload);
    }
    void on_reset() { storage_.reset(); }

    SramStorage storage_;
};

} // namespace aicore
