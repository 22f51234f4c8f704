#include "tlm/shared_target.h"

#include <algorithm>

namespace aicore {

namespace {

struct Later {
    template <typename Request>
    bool operator()(const Request& a, const Request& b) const {
        if (a.due != b.due) return a.due > b.due;
        if (a.port != b.port) return a.port > b.port;
        return a.order > b.order;
    }
};

} // namespace

SharedTarget::SharedTarget(const sc_core::sc_module_name& name, Initiators initiators)
    : sc_module(name), initiators_(initiators) {
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
    SC_METHOD(on_posted);
    sensitive << posted_ev_;
    dont_initialize();
    SC_METHOD(on_response);
    sensitive << respond_ev_;
    dont_initialize();
    SC_METHOD(on_retry);
    sensitive << retry_ev_;
    dont_initialize();
}

tlm::tlm_sync_enum SharedTarget::collect(int port, tlm::tlm_bw_transport_if<>& initiator,
                                         tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         const sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) SC_REPORT_FATAL(name(), "unexpected phase on the forward path");
    if (delay != sc_core::SC_ZERO_TIME)
        SC_REPORT_FATAL(name(), "a shared port takes no annotated delay");
    payload.acquire();
    collected_.push_back({Cycles(0), port, order_++, {clk->now(), 0}, &payload, &initiator});
    collector_.request();
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void SharedTarget::grant_collected() {
    std::sort(collected_.begin(), collected_.end(), [](const Request& a, const Request& b) {
        return a.port != b.port ? a.port < b.port : a.order < b.order;
    });
    for (Request& request : collected_) {
        const std::optional<Cycles> due = grant(request.port, *request.payload, request.attempt);
        if (!due) {
            waiting_.push_back(request);
            continue;
        }
        request.due = *due;
        if (posted(*request.payload)) {
            posted_.push_back(request);
        } else {
            granted_.push_back(request);
            std::push_heap(granted_.begin(), granted_.end(), Later());
        }
    }
    collected_.clear();
    if (!waiting_.empty()) retry_ev_.notify(clk->period());
    if (!posted_.empty()) posted_ev_.notify(sc_core::SC_ZERO_TIME);
    schedule();
}

void SharedTarget::on_retry() {
    // They compete with the requests of this edge, in port order.
    collected_.insert(collected_.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
    collector_.request();
}

void SharedTarget::schedule() {
    if (!granted_.empty()) respond_ev_.notify(clk->until(granted_.front().due));
}

void SharedTarget::on_response() {
    const Cycles now = clk->now();
    while (!granted_.empty() && granted_.front().due <= now) {
        std::pop_heap(granted_.begin(), granted_.end(), Later());
        const Request request = granted_.back();
        granted_.pop_back();
        answer(request, now);
    }
    schedule();
}

void SharedTarget::on_posted() {
    if (!rst_n.read()) return; // on_reset drops the requests, before or after this process
    const Cycles now = clk->now();
    for (const Request& request : posted_) answer(request, now);
    posted_.clear();
}

void SharedTarget::answer(const Request& request, Cycles now) {
    serve(request.port, *request.payload, request.due);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = request.due > now ? clk->until(request.due) : sc_core::SC_ZERO_TIME;
    if (request.initiator->nb_transport_bw(*request.payload, phase, delay) != tlm::TLM_COMPLETED) {
        SC_REPORT_FATAL(name(), "the initiator must take a response at once");
    }
    request.payload->release();
}

void SharedTarget::on_reset() {
    // A request in flight is dropped; the initiator never sees a response.
    for (auto* list : {&collected_, &waiting_, &posted_, &granted_}) {
        for (const Request& request : *list) {
            request.payload->release(); // the target's reference
            if (initiators_ == Initiators::forget) request.payload->release(); // the initiator's
        }
        list->clear();
    }
    respond_ev_.cancel();
    posted_ev_.cancel();
    retry_ev_.cancel();
    reset();
}

} // namespace aicore
