// A target that several initiators share: requests of one edge are collected, then granted.
//
// What two initiators do at the same edge must not depend on which process ran first. Requests are
// therefore only noted while processes run; when all of them have (the update phase), they are
// granted in port order, the stated priority. The response is sent at its cycle by one process.
#pragma once

#include "tlm/cycle_clock.h"

#include <memory>
#include <vector>

#include <tlm>

namespace aicore {

class SharedTarget : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    SC_HAS_PROCESS(SharedTarget);

protected:
    explicit SharedTarget(const sc_core::sc_module_name& name);
    ~SharedTarget() override;

    /// To be called from nb_transport_fw with BEGIN_REQ; accepts the request at once (END_REQ).
    tlm::tlm_sync_enum collect(int port, tlm::tlm_bw_transport_if<>& initiator,
                               tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay);

    /// Decides when the request is complete (a cycle after the current one). Called once for each
    /// request of an edge, in port order.
    virtual Cycles grant(int port, tlm::tlm_generic_payload& payload) = 0;
    /// Moves the data, in the cycle that grant returned.
    virtual void serve(int port, tlm::tlm_generic_payload& payload) = 0;
    /// Returns the target to its power-on state.
    virtual void reset() = 0;

private:
    struct Request {
        Cycles due;
        int port = 0;
        std::uint64_t order = 0;
        tlm::tlm_generic_payload* payload = nullptr;
        tlm::tlm_bw_transport_if<>* initiator = nullptr;
    };
    class Collector;

    void on_reset();
    void grant_collected();
    void on_response();
    void schedule();

    std::unique_ptr<Collector> collector_;
    std::vector<Request> collected_; ///< requests of the current edge
    std::vector<Request> granted_;   ///< heap, earliest response on top
    std::uint64_t order_ = 0;
    sc_core::sc_event respond_ev_{"respond"};
};

} // namespace aicore
