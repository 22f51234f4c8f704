// The bus interface of an AI Core: all ways of its engines to global memory, joined to one socket.
//
// Towards the engines it is a target that takes a request at once. Requests of one edge go out in
// port order, one after the other as the memory takes them. Data of a read goes on to its engine at
// the latency and rate of the port's link (platform.yaml: links.gm_to_l1 ...); the reads of a core
// share one way, at the rate of its first port. The rate of a write is applied where it starts.
//
// Towards the memory it is an initiator of the base protocol that leaves the target every freedom:
// early completion, a late END_REQ, a BEGIN_RESP without one, annotated delays, responses in any
// order. What is under way at a reset is forgotten: an answer that comes later changes nothing.
#pragma once

#include "hw/config/platform.h"
#include "tlm/bandwidth_meter.h"
#include "tlm/cycle_clock.h"
#include "tlm/payload_pool.h"
#include "tlm/update_phase.h"

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace aicore {

class BusInterface : public sc_core::sc_module {
public:
    /// What a port is for. Ports are served in their order.
    struct Port {
        int core = 0;       ///< of the AI Core, dense from 0; reads of one core share their way
        bool reads = false; ///< else writes
        LinkConfig link;    ///< of reads
    };
    using TargetSocket = tlm_utils::simple_target_socket_tagged<BusInterface, 4096>;

    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// One for each port.
    sc_core::sc_vector<TargetSocket> tsocks{"tsock"};
    tlm_utils::simple_initiator_socket<BusInterface, 4096> gm_isock{"gm_isock"};

    /// Told when data of a port occupies the way from global memory.
    std::function<void(int port, Cycles first, Cycles until, Bytes)> on_read_transfer;
    /// Told when global memory refuses an access. The engine goes on with undefined data.
    std::function<void(const std::string& message)> on_error;

    SC_HAS_PROCESS(BusInterface);
    BusInterface(const sc_core::sc_module_name& name, std::vector<Port> ports);

    /// Accesses that the memory has not answered, those that a reset has cut off included.
    std::size_t outstanding() const { return in_flight_.size() + stale_.size(); }

private:
    struct Delivery {
        Cycles due;
        std::uint64_t order = 0;
        PooledPayload* payload = nullptr;
    };
    /// An access that a reset has cut off, with what it needs in place of the engine's buffers:
    /// those are used again, a late write still has its data, late data of a read goes nowhere.
    struct CutOff {
        PooledPayload* payload = nullptr;
        std::vector<std::uint8_t> data, byte_enable;
    };

    tlm::tlm_sync_enum from_engine(int port, tlm::tlm_generic_payload& payload,
                                   tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned debug_transport(int port, tlm::tlm_generic_payload& payload);
    tlm::tlm_sync_enum from_memory(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);

    void sort_collected();
    void on_send();
    void send(PooledPayload& payload);
    void on_answer(PooledPayload& payload, const sc_core::sc_time& delay);
    void deliver_at(Cycles due, PooledPayload& payload);
    void on_deliver();
    void deliver(PooledPayload& payload, sc_core::sc_time delay);
    void schedule();
    void on_reset();
    void cut_off(PooledPayload& payload);
    void on_sweep();

    std::vector<Port> ports_;
    std::vector<BandwidthMeter> ways_; ///< of the reads of each core
    UpdatePhase collector_{[this] { sort_collected(); }};
    std::vector<PooledPayload*> collected_; ///< requests of the current edge
    std::deque<PooledPayload*> to_send_;    ///< in their order
    std::vector<PooledPayload*> in_flight_; ///< sent and not answered
    std::vector<CutOff> stale_;             ///< the same, cut off by a reset
    std::vector<Delivery> deliveries_;      ///< heap, earliest on top
    std::uint64_t order_ = 0;
    tlm::tlm_generic_payload* requesting_ = nullptr; ///< BEGIN_REQ sent, END_REQ not seen
    sc_core::sc_event send_ev_{"send"};
    sc_core::sc_event deliver_ev_{"deliver"};
    sc_core::sc_event sweep_ev_{"sweep"};
};

} // namespace aicore
