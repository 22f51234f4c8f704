#include "hw/pipe/engine.h"

#include <algorithm>

namespace aicore {

namespace {

constexpr Cycles kNever{-(std::int64_t(1) << 40)};

} // namespace

std::string pipe_path(const sc_core::sc_module& module) {
    const sc_core::sc_object* core = module.get_parent_object();
    return (core != nullptr ? std::string(core->basename()) + "." : "") + module.basename();
}

Engine::Engine(const sc_core::sc_module_name& name, Pipe pipe, const PipeConfig& config,
               ObserverHub& hub, EventFlags& flags)
    : sc_module(name), config_(config), hub_(hub), flags_(flags),
      info_(hub.register_pipe(pipe_path(*this), pipe)),
      queue_(static_cast<std::size_t>(config.queue_depth)),
      in_flight_(static_cast<std::size_t>(config.in_flight)),
      deferred_sets_(static_cast<std::size_t>(config.queue_depth)), stream_end_(kNever),
      last_pop_(kNever), last_complete_(kNever), last_idle_change_(kNever) {
    SC_METHOD(on_issue);
    sensitive << issue_ev_;
    dont_initialize();
    SC_METHOD(on_start);
    sensitive << start_ev_;
    dont_initialize();
    SC_METHOD(on_stream);
    sensitive << stream_ev_;
    dont_initialize();
    SC_METHOD(on_complete);
    sensitive << complete_ev_;
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

// ---- dispatch side -----------------------------------------------------------------------------

bool Engine::has_space() const {
    const std::size_t freed_now = last_pop_ == clk->now() ? pops_now_ : 0;
    return queue_.size() + freed_now < queue_.capacity();
}

bool Engine::idle() const {
    return queue_.empty() && in_flight_.empty() && last_idle_change_ < clk->now();
}

void Engine::wake_when_space(sc_core::sc_event& wake) {
    space_waiter_ = &wake;
    if (last_pop_ == clk->now()) release(space_waiter_);
}

void Engine::wake_when_idle(sc_core::sc_event& wake) {
    idle_waiter_ = &wake;
    check_idle();
}

void Engine::push(const Instruction& instruction, std::uint64_t number) {
    const Cycles now = clk->now();
    Entry entry;
    entry.instruction = instruction;
    entry.number = number;
    entry.pushed = now;
    queue_.push(entry);
    publish_stage(now, instruction, number, InstructionStage::dispatched);
    hub_.publish(&Observer::on_queue_fill, now, info_, static_cast<int>(queue_.size()));
    if (queue_.size() == 1) issue_ev_.notify(clk->period());
}

// ---- issue: one queue entry a cycle, in order --------------------------------------------------

void Engine::on_issue() {
    if (!rst_n.read()) return;
    const Cycles now = clk->now();
    head_reason_ = WaitReason::none;
    if (!queue_.empty() && queue_.front().pushed < now) issue_head(now);
    if (!queue_.empty() && (last_pop_ == now || queue_.front().pushed == now))
        issue_ev_.notify(clk->period());
    update_activity(now);
    check_idle();
}

void Engine::issue_head(Cycles now) {
    const Entry& head = queue_.front();
    if (issue_flag_or_barrier(head, now)) return;

    const std::size_t leaving = last_complete_ == now ? completes_now_ : 0;
    if (in_flight_.size() + leaving >= in_flight_.capacity()) return; // complete() wakes us
    Entry& entry = in_flight_.push(head);
    entry.issued = now;
    entry.parts = 0;
    entry.streamed = false;
    entry.done_from = now;
    publish_stage(now, entry.instruction, entry.number, InstructionStage::issued);
    if (in_flight_.size() == 1)
        publish_stage(now, entry.instruction, entry.number, InstructionStage::executing);
    pop_queue(now);
    schedule_stream(now);
}

bool Engine::issue_flag_or_barrier(const Entry& entry, Cycles now) {
    const Operation& operation = entry.instruction.operation;
    if (std::holds_alternative<SetFlag>(operation) ||
        std::holds_alternative<CrossCoreSetFlag>(operation)) {
        const std::size_t leaving = last_complete_ == now ? sets_now_ : 0;
        if (deferred_sets_.size() + leaving >= deferred_sets_.capacity())
            return true; // complete() wakes us
        if (in_flight_.empty()) {
            execute_set(entry.instruction, entry.number, now);
        } else {
            deferred_sets_.push({entry.instruction, entry.number, in_flight_.back().number});
        }
        pop_queue(now);
        return true;
    }
    if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
        const EventFlags::Name flag{wait->src, wait->dst, wait->id};
        if (!flags_.read(flag)) {
            head_reason_ = WaitReason::event_flag;
            flags_.wake_when_set(flag, issue_ev_);
            return true;
        }
        flags_.clear(flag, entry.number, entry.instruction.place);
        publish_stage(now, entry.instruction, entry.number, InstructionStage::done);
        pop_queue(now);
        return true;
    }
    if (std::holds_alternative<PipeBarrier>(operation)) {
        if (!drained(now)) {
            head_reason_ = WaitReason::barrier; // complete() wakes us
            return true;
        }
        publish_stage(now, entry.instruction, entry.number, InstructionStage::done);
        pop_queue(now);
        return true;
    }
    return false;
}

void Engine::pop_queue(Cycles now) {
    queue_.pop();
    pops_now_ = last_pop_ == now ? pops_now_ + 1 : 1;
    last_pop_ = now;
    last_idle_change_ = now;
    hub_.publish(&Observer::on_queue_fill, now, info_, static_cast<int>(queue_.size()));
    release(space_waiter_);
}

void Engine::execute_set(const Instruction& instruction, std::uint64_t number, Cycles now) {
    if (const auto* set = std::get_if<SetFlag>(&instruction.operation)) {
        flags_.set({set->src, set->dst, set->id}, number, instruction.place);
    } else {
        const auto& across = std::get<CrossCoreSetFlag>(instruction.operation);
        flags_.cross_core().set(flags_.core(), across.mode, cross_core_counter(across.id), number,
                                instruction.place);
    }
    publish_stage(now, instruction, number, InstructionStage::done);
}

// ---- execution ---------------------------------------------------------------------------------

void Engine::schedule_stream(Cycles now) {
    if (streaming_ || started_ == in_flight_.size()) return;
    const Entry& next = in_flight_[started_];
    const Cycles first = std::max(next.issued + startup(next.instruction.operation),
                                  stream_end_ + config_.instruction_gap_cycles);
    if (first > now) {
        start_ev_.notify(clk->until(first));
        return;
    }
    streaming_ = true;
    ++started_;
    start(next);
}

void Engine::on_start() {
    if (!rst_n.read()) return;
    schedule_stream(clk->now());
    update_activity(clk->now());
}

// An event of its own: an instruction that is issued at the edge of another one's first beat may
// start it before on_start runs, and that must not look like a wake-up of the stream.
void Engine::on_stream() {
    if (!rst_n.read() || !streaming_) return;
    resume();
    update_activity(clk->now());
}

void Engine::wake_at(Cycles edge) { stream_ev_.notify(clk->until(edge)); }

void Engine::end_stream(Cycles done_from) {
    const Cycles now = clk->now();
    Entry& entry = in_flight_[started_ - 1];
    entry.streamed = true;
    entry.done_from = std::max(entry.done_from, done_from);
    streaming_ = false;
    stream_end_ = now;
    settle(now);
    schedule_stream(now);
}

void Engine::end_part(std::uint64_t number, const sc_core::sc_time& delay) {
    Entry& entry = find(number);
    --entry.parts;
    entry.done_from = std::max(entry.done_from, clk->edge_after(delay));
    settle(clk->now());
}

Engine::Entry& Engine::find(std::uint64_t number) {
    std::size_t i = 0;
    while (in_flight_[i].number != number) ++i;
    return in_flight_[i];
}

void Engine::on_complete() {
    if (rst_n.read()) settle(clk->now());
}

void Engine::settle(Cycles now) {
    while (!in_flight_.empty() && in_flight_.front().streamed && in_flight_.front().parts == 0) {
        if (in_flight_.front().done_from > now) {
            complete_ev_.notify(clk->until(in_flight_.front().done_from));
            return;
        }
        complete(now);
    }
}

void Engine::complete(Cycles now) {
    const std::uint64_t number = in_flight_.front().number;
    publish_stage(now, in_flight_.front().instruction, number, InstructionStage::done);
    in_flight_.pop();
    --started_;
    ++completed_;
    completes_now_ = last_complete_ == now ? completes_now_ + 1 : 1;
    if (last_complete_ != now) sets_now_ = 0;
    last_complete_ = now;
    last_idle_change_ = now;
    while (!deferred_sets_.empty() && deferred_sets_.front().after <= number) {
        const DeferredSet& set = deferred_sets_.front();
        execute_set(set.instruction, set.number, now);
        deferred_sets_.pop();
        ++sets_now_;
    }
    if (!in_flight_.empty()) {
        const Entry& next = in_flight_.front();
        publish_stage(now, next.instruction, next.number, InstructionStage::executing);
    }
    if (!queue_.empty()) issue_ev_.notify(clk->period());
    update_activity(now);
    check_idle();
}

void Engine::set_blocked(WaitReason reason) {
    blocked_reason_ = reason;
    update_activity(clk->now());
}

// ---- what others see ---------------------------------------------------------------------------

void Engine::check_idle() {
    if (queue_.empty() && in_flight_.empty()) release(idle_waiter_);
}

void Engine::release(sc_core::sc_event*& waiter) {
    if (waiter != nullptr) waiter->notify(clk->period());
    waiter = nullptr;
}

void Engine::publish_stage(Cycles now, const Instruction& instruction, std::uint64_t number,
                           InstructionStage stage) {
    hub_.publish(&Observer::on_stage, now, info_, InstructionTag{number, &instruction}, stage);
}

void Engine::update_activity(Cycles now) {
    PipeActivity activity = PipeActivity::idle;
    WaitReason reason = WaitReason::none;
    if (!in_flight_.empty()) {
        reason = blocked_reason_;
        activity = reason == WaitReason::none ? PipeActivity::executing : PipeActivity::waiting;
    } else if (head_reason_ != WaitReason::none && !queue_.empty()) {
        reason = head_reason_;
        activity = PipeActivity::waiting;
    }
    if (activity == activity_ && reason == reason_) return;
    activity_ = activity;
    reason_ = reason;
    hub_.publish(&Observer::on_activity, now, info_, activity, reason);
}

void Engine::on_reset() {
    queue_.clear();
    in_flight_.clear();
    deferred_sets_.clear();
    started_ = 0;
    streaming_ = false;
    stream_end_ = last_pop_ = last_complete_ = last_idle_change_ = kNever;
    completed_ = 0;
    head_reason_ = blocked_reason_ = WaitReason::none;
    space_waiter_ = idle_waiter_ = nullptr;
    issue_ev_.cancel();
    start_ev_.cancel();
    stream_ev_.cancel();
    complete_ev_.cancel();
    activity_ = PipeActivity::idle;
    reason_ = WaitReason::none;
    reset();
}

} // namespace aicore
