#include "hw/mem/bus_interface.h"

#include <algorithm>

namespace aicore {

namespace {

/// The port that a request has come from.
int port_of(PooledPayload& payload) { return payload.access().route.port; }

struct Later {
    template <typename Delivery>
    bool operator()(const Delivery& a, const Delivery& b) const {
        if (a.due != b.due) return a.due > b.due;
        if (port_of(*a.payload) != port_of(*b.payload))
            return port_of(*a.payload) > port_of(*b.payload);
        return a.order > b.order;
    }
};

} // namespace

BusInterface::BusInterface(const sc_core::sc_module_name& name, std::vector<Port> ports)
    : sc_module(name), ports_(std::move(ports)) {
    tsocks.init(ports_.size());
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        const int port = static_cast<int>(i);
        tsocks[i].register_nb_transport_fw(this, &BusInterface::from_engine, port);
        tsocks[i].register_transport_dbg(this, &BusInterface::debug_transport, port);
        const bool is_first = static_cast<std::size_t>(ports_[i].core) == ways_.size();
        if (ports_[i].reads && is_first) ways_.emplace_back(ports_[i].link.bytes_per_cycle);
    }
    gm_isock.register_nb_transport_bw(this, &BusInterface::from_memory);

    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
    SC_METHOD(on_send);
    sensitive << send_ev_;
    dont_initialize();
    SC_METHOD(on_deliver);
    sensitive << deliver_ev_;
    dont_initialize();
    SC_METHOD(on_sweep);
    sensitive << sweep_ev_;
    dont_initialize();
}

// ---- engines to memory -------------------------------------------------------------------------

tlm::tlm_sync_enum BusInterface::from_engine(int port, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) SC_REPORT_FATAL(name(), "unexpected phase on the forward path");
    if (delay != sc_core::SC_ZERO_TIME)
        SC_REPORT_FATAL(name(), "a shared port takes no annotated delay");
    auto& pooled = static_cast<PooledPayload&>(payload);
    pooled.acquire();
    pooled.access().route.port = port;
    collected_.push_back(&pooled);
    collector_.request();
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void BusInterface::sort_collected() {
    std::stable_sort(collected_.begin(), collected_.end(),
                     [](PooledPayload* a, PooledPayload* b) { return port_of(*a) < port_of(*b); });
    to_send_.insert(to_send_.end(), collected_.begin(), collected_.end());
    collected_.clear();
    send_ev_.notify(sc_core::SC_ZERO_TIME); // a target may not be called in the update phase
}

void BusInterface::on_send() {
    if (!rst_n.read()) return;       // on_reset drops the requests, before or after this process
    if (!stale_.empty()) on_sweep(); // a memory may drop them at an edge of its own
    while (!to_send_.empty() && requesting_ == nullptr) {
        PooledPayload& payload = *to_send_.front();
        to_send_.pop_front();
        send(payload);
    }
}

void BusInterface::send(PooledPayload& payload) {
    payload.access().route.slot = static_cast<std::ptrdiff_t>(in_flight_.size());
    in_flight_.push_back(&payload);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const int references = payload.get_ref_count();
    const tlm::tlm_sync_enum answer = gm_isock->nb_transport_fw(payload, phase, delay);
    payload.access().route.is_held = payload.get_ref_count() > references;
    switch (answer) {
    case tlm::TLM_COMPLETED: return on_answer(payload, delay);
    case tlm::TLM_ACCEPTED: requesting_ = &payload; return;
    case tlm::TLM_UPDATED: break;
    }
    if (phase == tlm::END_REQ) return;
    if (phase != tlm::BEGIN_RESP) SC_REPORT_FATAL(name(), "unexpected phase after BEGIN_REQ");
    phase = tlm::END_RESP;
    sc_core::sc_time end_delay = delay;
    gm_isock->nb_transport_fw(payload, phase, end_delay);
    on_answer(payload, delay);
}

// ---- memory to engines -------------------------------------------------------------------------

tlm::tlm_sync_enum BusInterface::from_memory(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (&payload == requesting_) { // END_REQ, or a BEGIN_RESP that implies it
        requesting_ = nullptr;
        if (!to_send_.empty()) send_ev_.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    if (phase != tlm::BEGIN_RESP) SC_REPORT_FATAL(name(), "unexpected phase on the backward path");
    on_answer(static_cast<PooledPayload&>(payload), delay);
    return tlm::TLM_COMPLETED;
}

void BusInterface::on_answer(PooledPayload& payload, const sc_core::sc_time& delay) {
    const std::ptrdiff_t slot = payload.access().route.slot;
    if (slot < 0) { // cut off by a reset
        const auto cut_off =
            std::find_if(stale_.begin(), stale_.end(),
                         [&payload](const CutOff& one) { return one.payload == &payload; });
        if (cut_off == stale_.end()) SC_REPORT_FATAL(name(), "response to a forgotten request");
        stale_.erase(cut_off);
        payload.release();
        return;
    }
    in_flight_[static_cast<std::size_t>(slot)] = in_flight_.back();
    in_flight_[static_cast<std::size_t>(slot)]->access().route.slot = slot;
    in_flight_.pop_back();
    if (!payload.is_response_ok()) {
        if (on_error) {
            on_error("global memory answers " + payload.get_response_string() + " to " +
                     std::to_string(payload.get_data_length()) + " bytes at address " +
                     std::to_string(payload.get_address()));
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        payload.access().atomic_done = true;
    } else if (atomic_access(payload) != nullptr && !payload.access().atomic_done) {
        if (on_error) on_error("global memory does not execute atomic writes");
        payload.access().atomic_done = true;
    }
    const Port& port = ports_[static_cast<std::size_t>(port_of(payload))];
    const Cycles arrival = clk->edge_after(delay);
    if (!port.reads) {
        // Engines live on edges; a foreign memory may answer between two of them.
        const bool is_edge = clk->edge_after(sc_core::SC_ZERO_TIME) == clk->now();
        return is_edge ? deliver(payload, clk->until(arrival)) : deliver_at(arrival, payload);
    }
    const Bytes bytes(payload.get_data_length());
    BandwidthMeter& way = ways_[static_cast<std::size_t>(port.core)];
    Cycles pace = payload.access().pace;
    if (port.link.bytes_per_cycle != way.rate())
        pace = std::max(pace, cycles_for(bytes, port.link.bytes_per_cycle));
    const BandwidthMeter::Window window =
        way.reserve(arrival + port.link.latency_cycles, bytes, pace);
    if (on_read_transfer) on_read_transfer(port_of(payload), window.first, window.until, bytes);
    deliver_at(window.until, payload);
}

void BusInterface::deliver_at(Cycles due, PooledPayload& payload) {
    deliveries_.push_back({due, order_++, &payload});
    std::push_heap(deliveries_.begin(), deliveries_.end(), Later());
    schedule();
}

void BusInterface::schedule() {
    if (!deliveries_.empty()) deliver_ev_.notify(clk->until(deliveries_.front().due));
}

void BusInterface::on_deliver() {
    const Cycles now = clk->now();
    while (!deliveries_.empty() && deliveries_.front().due <= now) {
        std::pop_heap(deliveries_.begin(), deliveries_.end(), Later());
        PooledPayload& payload = *deliveries_.back().payload;
        deliveries_.pop_back();
        deliver(payload, sc_core::SC_ZERO_TIME);
    }
    schedule();
}

void BusInterface::deliver(PooledPayload& payload, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    auto& socket = tsocks[static_cast<std::size_t>(port_of(payload))];
    if (socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_COMPLETED)
        SC_REPORT_FATAL(name(), "an engine must take a response at once");
    payload.release();
}

// ---- the rest ----------------------------------------------------------------------------------

unsigned BusInterface::debug_transport(int, tlm::tlm_generic_payload& payload) {
    return gm_isock->transport_dbg(payload);
}

void BusInterface::on_reset() {
    // Engines forget what they have asked for and never see a response: their references go with
    // ours. What the memory holds stays ours until it answers or drops it.
    const auto forget = [](PooledPayload* payload) {
        payload->release(); // the engine's
        payload->release();
    };
    for (PooledPayload* payload : collected_) forget(payload);
    for (PooledPayload* payload : to_send_) forget(payload);
    for (const Delivery& delivery : deliveries_) forget(delivery.payload);
    collected_.clear();
    to_send_.clear();
    deliveries_.clear();
    for (PooledPayload* payload : in_flight_) cut_off(*payload);
    in_flight_.clear();
    for (BandwidthMeter& way : ways_) way.reset();
    send_ev_.cancel();
    deliver_ev_.cancel();
    if (!stale_.empty()) sweep_ev_.notify(sc_core::SC_ZERO_TIME);
}

void BusInterface::cut_off(PooledPayload& payload) {
    payload.access().route.slot = -1;
    CutOff& stale = stale_.emplace_back();
    stale.payload = &payload;
    const std::uint8_t* const data = payload.get_data_ptr();
    stale.data.assign(data, data + payload.get_data_length());
    payload.set_data_ptr(stale.data.data());
    if (const std::uint8_t* const enable = payload.get_byte_enable_ptr()) {
        stale.byte_enable.assign(enable, enable + payload.get_byte_enable_length());
        payload.set_byte_enable_ptr(stale.byte_enable.data());
    }
    payload.release(); // the engine's
}

void BusInterface::on_sweep() {
    // A memory that was reset with us has dropped its references by now. One that never had any
    // may still answer: its transactions live on until it does.
    const auto dropped = std::partition(stale_.begin(), stale_.end(), [](const CutOff& one) {
        return !one.payload->access().route.is_held || one.payload->get_ref_count() > 1;
    });
    for (auto one = dropped; one != stale_.end(); ++one) {
        if (one->payload == requesting_) requesting_ = nullptr;
        one->payload->release();
    }
    stale_.erase(dropped, stale_.end());
}

} // namespace aicore
