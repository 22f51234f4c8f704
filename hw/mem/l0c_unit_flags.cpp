#include "hw/mem/l0c_unit_flags.h"

#include <algorithm>
#include <tuple>

namespace aicore {

L0cUnitFlags::L0cUnitFlags(const sc_core::sc_module_name& name, int blocks)
    : sc_module(name), unit_flag("unit_flag", static_cast<std::size_t>(blocks)),
      on_their_way_(static_cast<std::size_t>(blocks)), values_(static_cast<std::size_t>(blocks)),
      set_(static_cast<std::size_t>(blocks)), cleared_(static_cast<std::size_t>(blocks)) {
    SC_METHOD(on_due);
    sensitive << due_ev_;
    dont_initialize();
    SC_METHOD(on_apply);
    sensitive << apply_ev_;
    dont_initialize();
    SC_METHOD(on_written);
    sensitive << written_ev_;
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

void L0cUnitFlags::write_at(Cycles at, int first, int count, bool value, std::uint64_t instruction,
                            SourcePlace place) {
    const Change change{at, first, count, value, instruction, place};
    track(change, 1);
    if (at <= clk->now()) {
        landed_.push_back(change);
        apply_ev_.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    const auto later =
        std::upper_bound(changes_.begin(), changes_.end(), at,
                         [](Cycles cycle, const Change& other) { return cycle < other.at; });
    changes_.insert(later, change);
    due_ev_.notify(clk->until(changes_.front().at));
}

void L0cUnitFlags::clear_all(std::uint64_t instruction, SourcePlace place) {
    clear_ = Change{clk->now(), 0, blocks(), false, instruction, place};
    apply_ev_.notify(sc_core::SC_ZERO_TIME);
}

void L0cUnitFlags::on_due() {
    const Cycles now = clk->now();
    while (!changes_.empty() && changes_.front().at <= now) {
        landed_.push_back(changes_.front());
        changes_.pop_front();
    }
    apply_ev_.notify(sc_core::SC_ZERO_TIME);
    if (!changes_.empty()) due_ev_.notify(clk->until(changes_.front().at));
}

void L0cUnitFlags::on_apply() {
    if (!rst_n.read()) return;
    // Every process of the edge has run: the changes take effect in an order of their own.
    std::sort(landed_.begin(), landed_.end(), [](const Change& x, const Change& y) {
        return std::tie(x.first, x.instruction) < std::tie(y.first, y.instruction);
    });
    for (const Change& change : landed_) {
        track(change, -1);
        write(change);
    }
    landed_.clear();
    if (clear_) write(*clear_); // SetFixPipeConfig has the last word
    clear_.reset();
    written_ev_.notify(sc_core::SC_ZERO_TIME);
}

void L0cUnitFlags::write(const Change& change) {
    for (int block = change.first; block < change.first + change.count; ++block) {
        const auto index = static_cast<std::size_t>(block);
        if (on_change && (values_[index] != 0) != change.value)
            on_change(change.at, block, change.value);
        values_[index] = change.value ? 1 : 0;
        unit_flag[index].write(change.value);
        (change.value ? set_ : cleared_)[index] = {change.at, change.instruction, change.place};
    }
}

void L0cUnitFlags::track(const Change& change, int step) {
    const auto first = on_their_way_.begin() + change.first;
    std::for_each(first, first + change.count, [step](int& changes) { changes += step; });
}

void L0cUnitFlags::wake_when(int block, bool value, sc_core::sc_event& wake) {
    waiters_.push_back({block, value, &wake});
}

std::optional<int> L0cUnitFlags::awaited(bool value) const {
    for (const Waiter& waiter : waiters_) {
        if (waiter.value == value) return waiter.block;
    }
    return std::nullopt;
}

void L0cUnitFlags::on_written() {
    const auto woken = [this](const Waiter& waiter) {
        if (!holds(waiter.block, waiter.value)) return false;
        waiter.wake->notify(clk->period());
        return true;
    };
    waiters_.erase(std::remove_if(waiters_.begin(), waiters_.end(), woken), waiters_.end());
}

void L0cUnitFlags::on_reset() {
    changes_.clear();
    landed_.clear();
    clear_.reset();
    std::fill(on_their_way_.begin(), on_their_way_.end(), 0);
    waiters_.clear();
    due_ev_.cancel();
    for (auto& flag : unit_flag) flag.write(false);
    std::fill(values_.begin(), values_.end(), 0);
    std::fill(set_.begin(), set_.end(), History{});
    std::fill(cleared_.begin(), cleared_.end(), History{});
}

} // namespace aicore
