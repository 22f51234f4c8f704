#include "hw/mte/mte3_unit.h"

namespace aicore {

Mte3Unit::Mte3Unit(const sc_core::sc_module_name& name, const PipeConfig& config, Link& to_gm,
                   PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE3, config, hub, flags),
      buffer_isock("buffer_isock", pool,
                   [this](void* write, const sc_core::sc_time&) {
                       on_data(*static_cast<PostedWrite*>(write));
                   }),
      gm_isock("gm_isock", pool,
               [this](void* write, const sc_core::sc_time& delay) {
                   on_written(*static_cast<PostedWrite*>(write), delay);
               }),
      to_gm_(to_gm) {}

void Mte3Unit::start(const Entry& entry) {
    number_ = entry.number;
    const Operation& operation = entry.instruction.operation;
    const auto* pad = std::get_if<DataCopyPad>(&operation);
    lines_.emplace(pad != nullptr ? CopyLineWalk(*pad)
                                  : CopyLineWalk(std::get<DataCopy>(operation)));
    if (lines_->next(line_)) return request_burst();
    end_stream(clk->now());
}

void Mte3Unit::request_burst() {
    const Cycles now = clk->now();
    PostedWrite& write = writes_.take(number_);
    Access access = Access::read(line_.src, write.data.data(), line_.bytes);
    access.pace = to_gm_.reserve(now, Bytes(line_.bytes)).until - now;
    access.tag = &write;
    buffer_isock.start(access);
}

void Mte3Unit::on_data(PostedWrite& write) {
    begin_part(write.number);
    Access access = Access::write(line_.dst, write.data.data(), line_.bytes);
    access.tag = &write;
    gm_isock.start(access);
    if (lines_->next(line_)) return request_burst();
    end_stream(clk->now());
}

void Mte3Unit::on_written(PostedWrite& write, const sc_core::sc_time& delay) {
    writes_.give_back(write);
    end_part(write.number, delay);
}

void Mte3Unit::reset() {
    to_gm_.reset();
    writes_.reset();
    buffer_isock.reset();
    gm_isock.reset();
}

} // namespace aicore
