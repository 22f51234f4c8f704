#include "hw/mte/mte3_unit.h"

namespace aicore {

Mte3Unit::Mte3Unit(const sc_core::sc_module_name& name, const PipeConfig& config, Link& l1_to_gm,
                   PayloadPool& pool, ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::MTE3, config, hub, flags),
      l1_isock("l1_isock", pool,
               [this](void* write, const sc_core::sc_time&) {
                   on_data(*static_cast<PostedWrite*>(write));
               }),
      gm_isock("gm_isock", pool,
               [this](void* write, const sc_core::sc_time& delay) {
                   on_written(*static_cast<PostedWrite*>(write), delay);
               }),
      l1_to_gm_(l1_to_gm) {}

void Mte3Unit::start(const Entry& entry) {
    number_ = entry.number;
    copy_ = std::get<DataCopy>(entry.instruction.operation);
    block_ = 0;
    lines_.reset();
    if (prepare_burst()) return request_burst();
    end_stream(clk->now());
}

bool Mte3Unit::prepare_burst() {
    const std::int64_t block_bytes = copy_.block_len * kBlockBytes;
    while (!lines_ || !lines_->next(line_)) {
        if (block_ == copy_.block_count || block_bytes == 0) return false;
        l1_block_ = copy_.src_addr + static_cast<std::uint64_t>(
                                         block_ * (block_bytes + copy_.src_gap * kBlockBytes));
        gm_block_ = copy_.dst_addr + static_cast<std::uint64_t>(
                                         block_ * (block_bytes + copy_.dst_gap * kBlockBytes));
        lines_.emplace(gm_block_, static_cast<std::uint64_t>(block_bytes));
        ++block_;
    }
    return true;
}

void Mte3Unit::request_burst() {
    const Cycles now = clk->now();
    PostedWrite& write = writes_.take(number_);
    Access access =
        Access::read(l1_block_ + (line_.addr - gm_block_), write.data.data(), line_.bytes);
    access.pace = l1_to_gm_.reserve(now, Bytes(line_.bytes)).until - now;
    access.tag = &write;
    l1_isock.start(access);
}

void Mte3Unit::on_data(PostedWrite& write) {
    begin_part(write.number);
    Access access = Access::write(line_.addr, write.data.data(), line_.bytes);
    access.tag = &write;
    gm_isock.start(access);
    if (prepare_burst()) return request_burst();
    end_stream(clk->now());
}

void Mte3Unit::on_written(PostedWrite& write, const sc_core::sc_time& delay) {
    writes_.give_back(write);
    end_part(write.number, delay);
}

void Mte3Unit::reset() {
    l1_to_gm_.reset();
    writes_.reset();
    l1_isock.reset();
    gm_isock.reset();
}

} // namespace aicore
