// L1: 512 KB shared by MTE2 and FixPipe (in), MTE1, MTE3 and FixPipe (out).
//
// A burst waits for its banks (hw/mem/l1_banks.h) in order of arrival; bursts of one edge are
// served in the order of the ports below. The data moves when the last beat completes.
#pragma once

#include "hw/mem/l1_banks.h"
#include "hw/mem/sram_storage.h"
#include "tlm/shared_target.h"

#include <functional>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class L1Buffer : public SharedTarget {
public:
    /// Ports in order of priority: data that arrives from outside can't wait as easily as a load.
    enum Port { kMte2, kFixpipe, kMte1, kMte3, kPorts };

    tlm_utils::simple_target_socket_tagged<L1Buffer, 2048> mte2_tsock{"mte2_tsock"};
    tlm_utils::simple_target_socket_tagged<L1Buffer, 2048> fixpipe_tsock{"fixpipe_tsock"};
    tlm_utils::simple_target_socket_tagged<L1Buffer, 2048> mte1_tsock{"mte1_tsock"};
    tlm_utils::simple_target_socket_tagged<L1Buffer, 2048> mte3_tsock{"mte3_tsock"};

    /// Told when a port's burst loses `cycles` from `from` on to bursts of other ports.
    std::function<void(Port, Cycles from, Cycles cycles)> on_conflict;

    L1Buffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
             const BankConfig& banks, int power_on_byte);

private:
    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);
    tlm::tlm_bw_transport_if<>& initiator(int port);

    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                Attempt& attempt) override;
    void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) override;
    bool posted(const tlm::tlm_generic_payload& payload) const override {
        return payload.is_write();
    }
    void reset() override;

    SramStorage storage_;
    L1Banks banks_;
};

} // namespace aicore
