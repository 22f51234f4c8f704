// UB: the unified buffer of a vector core, shared by the Vector unit, MTE2 (in), MTE3 (out) and the
// scalar unit.
//
// Banks are arbitrated in every cycle (hw/mem/ub_banks.h), block by block: results of the Vector
// unit first, since nothing can hold them back, then its operands, MTE2, MTE3, the scalar unit. A
// burst is over when all of its blocks have been served; the data moves then.
#pragma once

#include "hw/mem/sram_storage.h"
#include "hw/mem/ub_banks.h"
#include "tlm/shared_target.h"

#include <functional>

#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class UbBuffer : public SharedTarget {
public:
    /// Ports in order of priority.
    enum Port { kVectorDst, kVectorSrc0, kVectorSrc1, kMte2, kMte3, kScalar, kPorts };
    static const char* name_of(int port);

    tlm_utils::simple_target_socket_tagged<UbBuffer, 2048> vector_dst_tsock{"vector_dst_tsock"};
    tlm_utils::simple_target_socket_tagged<UbBuffer, 2048> vector_src0_tsock{"vector_src0_tsock"};
    tlm_utils::simple_target_socket_tagged<UbBuffer, 2048> vector_src1_tsock{"vector_src1_tsock"};
    tlm_utils::simple_target_socket_tagged<UbBuffer, 2048> mte2_tsock{"mte2_tsock"};
    tlm_utils::simple_target_socket_tagged<UbBuffer, 2048> mte3_tsock{"mte3_tsock"};
    tlm_utils::simple_target_socket_tagged<UbBuffer, 64> scalar_tsock{"scalar_tsock"};

    /// Told for each cycle in which a burst of `loser` waits for a bank that `winner` has. They are
    /// the same port when the blocks of one burst compete.
    std::function<void(Cycles, Port loser, Port winner)> on_conflict;

    UbBuffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
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
    UbBanks banks_;
};

} // namespace aicore
