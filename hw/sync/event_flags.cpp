#include "hw/sync/event_flags.h"

namespace aicore {

EventFlags::EventFlags(const sc_core::sc_module_name& name, const SyncConfig& config)
    : sc_module(name), ids_(config.event_ids),
      flags_(static_cast<std::size_t>(kPipes * kPipes * config.event_ids)) {
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

std::size_t EventFlags::index(const Name& flag) const {
    return static_cast<std::size_t>(
        (static_cast<int>(flag.src) * kPipes + static_cast<int>(flag.dst)) * ids_ + flag.id);
}

void EventFlags::touch(const Name& flag) {
    touched_.push_back(flag);
    commit_.request();
}

void EventFlags::set(const Name& name, std::uint64_t instruction, SourcePlace place) {
    Flag& flag = at(name);
    const History second{clk->now(), instruction, place};
    // Sets that waited behind one instruction execute at the same edge.
    if (flag.set_now && on_double_set) on_double_set(clk->now(), name, flag.pending_set, second);
    flag.set_now = true;
    flag.pending_set = second;
    touch(name);
}

void EventFlags::clear(const Name& name, std::uint64_t instruction, SourcePlace place) {
    Flag& flag = at(name);
    flag.clear_now = true;
    flag.cleared = {clk->now(), instruction, place};
    touch(name);
}

void EventFlags::wake_when_set(const Name& name, sc_core::sc_event& wake) {
    at(name).waiter = &wake;
    touch(name); // it may be set at this very edge
}

void EventFlags::commit() {
    const Cycles now = clk->now();
    for (const Name& name : touched_) {
        Flag& flag = at(name);
        const bool before = flag.value;
        if (flag.set_now && before && !flag.clear_now && on_double_set) {
            on_double_set(now, name, flag.set, flag.pending_set);
        }
        if (flag.set_now) {
            flag.value = true;
            flag.set = flag.pending_set;
        } else if (flag.clear_now) {
            flag.value = false;
        }
        flag.set_now = false;
        flag.clear_now = false;
        if (flag.value != before && on_change) on_change(now, name, flag.value);
        if (flag.value && flag.waiter != nullptr) {
            flag.waiter->notify(clk->period());
            flag.waiter = nullptr;
        }
    }
    touched_.clear();
}

std::vector<EventFlags::Name> EventFlags::set_flags() const {
    std::vector<Name> names;
    for (int src = 0; src < kPipes; ++src) {
        for (int dst = 0; dst < kPipes; ++dst) {
            for (int id = 0; id < ids_; ++id) {
                const Name name{static_cast<Pipe>(src), static_cast<Pipe>(dst), id};
                if (read(name)) names.push_back(name);
            }
        }
    }
    return names;
}

void EventFlags::on_reset() {
    touched_.clear();
    for (Flag& flag : flags_) flag = Flag{};
}

} // namespace aicore
