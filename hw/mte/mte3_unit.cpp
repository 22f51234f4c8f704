#include "hw/mte/mte3_unit.h"

#include <utility>

namespace aicore {

Mte3Unit::Mte3Unit(const sc_core::sc_module_name& name, const Mte3Config& config, Link& to_gm,
                   PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE3, config.pipe, hub, flags),
      buffer_isock("buffer_isock", pool,
                   [this](void* write, const sc_core::sc_time&) {
                       on_data(*static_cast<PostedWrite*>(write));
                   }),
      gm_isock("gm_isock", pool,
               [this](void* write, const sc_core::sc_time& delay) {
                   on_written(*static_cast<PostedWrite*>(write), delay);
               }),
      to_gm_(to_gm), window_(config.outstanding_writes) {}

void Mte3Unit::start(const Entry& entry) {
    number_ = entry.number;
    const Operation& operation = entry.instruction.operation;
    const auto* pad = std::get_if<DataCopyPad>(&operation);
    atomic_ = pad != nullptr ? pad->atomic : std::get<DataCopy>(operation).atomic;
    lines_.emplace(pad != nullptr ? CopyLineWalk(*pad)
                                  : CopyLineWalk(std::get<DataCopy>(operation)));
    if (lines_->next(line_)) return request_burst();
    end_stream(clk->now());
}

/// A line is read when there is a place to keep it until GM has taken it.
void Mte3Unit::request_burst() {
    const Cycles now = clk->now();
    const bool was_waiting = std::exchange(is_waiting_, !window_.take(now));
    if (is_waiting_ != was_waiting)
        set_blocked(is_waiting_ ? WaitReason::memory_latency : WaitReason::none);
    if (is_waiting_) {
        if (const std::optional<Cycles> at = window_.next_free()) wake_at(*at);
        return;
    }
    PostedWrite& write = writes_.take(number_);
    Access access = Access::read(line_.src, write.data.data(), line_.bytes);
    access.pace = to_gm_.reserve(now, Bytes(line_.bytes)).until - now;
    access.tag = &write;
    buffer_isock.start(access);
}

void Mte3Unit::on_data(PostedWrite& write) {
    begin_part(write.number);
    Access access = Access::write(line_.dst, write.data.data(), line_.bytes);
    access.atomic = atomic_;
    access.tag = &write;
    gm_isock.start(access);
    if (lines_->next(line_)) return request_burst();
    end_stream(clk->now());
}

void Mte3Unit::on_written(PostedWrite& write, const sc_core::sc_time& delay) {
    writes_.give_back(write);
    window_.give_back(clk->edge_after(delay));
    if (is_waiting_) wake_at(*window_.next_free());
    end_part(write.number, delay);
}

void Mte3Unit::resume() {
    // A place that comes back at the edge of a wake-up causes a second one, for nothing.
    if (is_waiting_) request_burst();
}

void Mte3Unit::reset() {
    to_gm_.reset();
    writes_.reset();
    window_.reset();
    is_waiting_ = false;
    buffer_isock.reset();
    gm_isock.reset();
}

} // namespace aicore
