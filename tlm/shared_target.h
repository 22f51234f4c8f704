// A target that several initiators share: requests of one edge are collected, then granted.
//
// What two initiators do at the same edge must not depend on which process ran first. Requests are
// therefore only noted while processes run; when all of them have (the update phase), they are
// granted in port order, the stated priority. A target that arbitrates anew in every cycle leaves a
// request waiting; it competes again at the next edge. The response is sent at its cycle by one
// process.
#pragma once

#include "tlm/cycle_clock.h"
#include "tlm/update_phase.h"

#include <optional>
#include <vector>

#include <tlm>

namespace aicore {

class SharedTarget : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    SC_HAS_PROCESS(SharedTarget);

protected:
    /// What a target remembers of a request that waits.
    struct Attempt {
        Cycles since;               ///< edge of the request
        std::uint64_t progress = 0; ///< belongs to the target
    };

    /// `initiators`: who drops an initiator's reference to a request that a reset cuts off.
    enum class Initiators { forget, keep_count };
    explicit SharedTarget(const sc_core::sc_module_name& name,
                          Initiators initiators = Initiators::forget);

    /// To be called from nb_transport_fw with BEGIN_REQ; accepts the request at once (END_REQ).
    tlm::tlm_sync_enum collect(int port, tlm::tlm_bw_transport_if<>& initiator,
                               tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay);

    /// Decides when the request is complete (a cycle after the current one), or that it has to
    /// wait. Called for each request of an edge, in port order, and again at every edge while it
    /// waits.
    virtual std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload,
                                        Attempt& attempt) = 0;
    /// Moves the data, in the cycle `due` that grant returned; those of a posted request when it is
    /// granted.
    virtual void serve(int port, tlm::tlm_generic_payload& payload, Cycles due) = 0;
    /// Whether a request may be answered as soon as it is granted, with the rest of its time
    /// annotated (TLM-2.0 timing annotation). For writes into a memory that dates them,
    /// and for one that serves requests in the order of their arrival.
    virtual bool posted(const tlm::tlm_generic_payload&) const { return false; }
    /// Returns the target to its power-on state.
    virtual void reset() = 0;

private:
    struct Request {
        Cycles due;
        int port = 0;
        std::uint64_t order = 0;
        Attempt attempt;
        tlm::tlm_generic_payload* payload = nullptr;
        tlm::tlm_bw_transport_if<>* initiator = nullptr;
    };

    void on_reset();
    void grant_collected();
    void on_retry();
    void on_posted();
    void on_response();
    void answer(const Request& request, Cycles now);
    void schedule();

    Initiators initiators_;
    UpdatePhase collector_{[this] { grant_collected(); }};
    std::vector<Request> collected_; ///< requests of the current edge
    std::vector<Request> waiting_;   ///< not granted yet, to be tried again at the next edge
    std::vector<Request> posted_;    ///< granted at the current edge, to be answered at once
    std::vector<Request> granted_;   ///< heap, earliest response on top
    std::uint64_t order_ = 0;
    sc_core::sc_event respond_ev_{"respond"};
    sc_core::sc_event posted_ev_{"posted"};
    sc_core::sc_event retry_ev_{"retry"};
};

} // namespace aicore
