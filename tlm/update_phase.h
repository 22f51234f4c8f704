// Work that waits until every process of an edge has run.
#pragma once

#include <functional>
#include <utility>

#include <systemc>

namespace aicore {

/// Calls back in the update phase after a request: what several processes ask for at one edge can
/// then be decided without regard to which of them ran first. The callback may notify events, and
/// may not call other modules.
class UpdatePhase : public sc_core::sc_prim_channel {
public:
    explicit UpdatePhase(std::function<void()> callback)
        : sc_core::sc_prim_channel(sc_core::sc_gen_unique_name("update_phase")),
          callback_(std::move(callback)) {}

    void request() { request_update(); }

private:
    void update() override { callback_(); }

    std::function<void()> callback_;
};

} // namespace aicore
