// L0C: 128 KB of accumulators, 16 banks with one read and one write port each.
//
// The cube reads (accumulation) and writes whole fractals, which takes every bank for one cycle; it
// never waits. FixPipe reads a fractal in beats of 4 rows (4 banks); a beat that meets a read of
// the cube in one of its banks is repeated in the next cycle. Nobody but the cube writes.
#pragma once

#include "hw/config/platform.h"
#include "hw/mem/sram_storage.h"
#include "tlm/cycle_clock.h"
#include "tlm/payload_pool.h"

#include <functional>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class L0cBuffer : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    tlm_utils::simple_target_socket<L0cBuffer, 8192> cube_tsock{"cube_tsock"}; ///< 1 KB a cycle
    tlm_utils::simple_target_socket<L0cBuffer, 2048> fixpipe_tsock{
        "fixpipe_tsock"}; ///< 256 B a cycle

    /// Told when banks (bit mask) serve a read or a write in a cycle, now or to come.
    std::function<void(Cycles, std::uint32_t banks, bool write)> on_access;
    /// Told when a beat of FixPipe is repeated because of the cube.
    std::function<void(Cycles from, Cycles cycles)> on_conflict;

    SC_HAS_PROCESS(L0cBuffer);
    L0cBuffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
              const L0cBankConfig& banks, int power_on_byte);

private:
    static constexpr int kFixpipeBeatBytes = 256;

    tlm::tlm_sync_enum cube_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
    tlm::tlm_sync_enum fixpipe_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    void advance_fixpipe(Cycles until);
    void on_burst();
    void on_reset();
    std::uint32_t banks_of(std::uint64_t address, std::uint64_t bytes) const;

    SramStorage storage_;
    int banks_;
    std::int64_t row_bytes_;
    std::uint32_t all_banks_;

    // The burst that FixPipe reads.
    tlm::tlm_generic_payload* burst_ = nullptr;
    Cycles beat_cycle_; ///< cycle of the next beat that has not been accounted for
    std::uint64_t beat_address_ = 0;
    int beats_left_ = 0;
    Cycles cube_read_cycle_{-1};
    std::uint32_t cube_read_banks_ = 0;
    sc_core::sc_event burst_ev_{"burst"};
};

} // namespace aicore
