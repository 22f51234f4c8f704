#include "hw/scalar/scalar_unit.h"

namespace aicore {

ScalarUnit::ScalarUnit(const sc_core::sc_module_name& name, const ScalarConfig& config,
                       const CtrlState& ctrl_at_reset, ObserverHub& hub, EventFlags& flags)
    : sc_module(name), config_(config), ctrl_at_reset_(ctrl_at_reset), hub_(hub), flags_(flags),
      info_(hub.register_pipe(pipe_path(*this), Pipe::S)), state_{ctrl_at_reset, {}} {}

void ScalarUnit::end_of_elaboration() {
    SC_METHOD(on_step); // resets as well: a signal at `done` has one driver
    sensitive << step_ev_ << rst_n.negedge_event();
    dont_initialize();
}

void ScalarUnit::start(InstructionSource* program) {
    source_ = program;
    if (source_ != nullptr) source_->rewind();
    has_current_ = exhausted_ = is_dispatched_ = false;
    running_ = true;
    step_ev_.notify(); // acts with the other processes of this edge
}

void ScalarUnit::halt() {
    if (!halted_at_) halted_at_ = clk->now();
}

void ScalarUnit::on_step() {
    if (!rst_n.read()) return on_reset();
    if (!running_ || (halted_at_ && *halted_at_ < clk->now())) return;
    if (done.read()) done.write(false);
    if (!has_current_ && !exhausted_) {
        has_current_ = source_ != nullptr && source_->next(current_);
        exhausted_ = !has_current_;
        if (has_current_) {
            ++number_;
            stamp_state(current_.operation, state_);
        }
    }
    if (exhausted_) {
        if (!every_pipe_idle()) return set_activity(PipeActivity::idle, WaitReason::none);
        running_ = false;
        done_at_ = clk->now();
        done.write(true);
        return set_activity(PipeActivity::idle, WaitReason::none);
    }
    if (!execute_current()) return;
    has_current_ = false;
    set_activity(PipeActivity::executing, WaitReason::none);
    step_ev_.notify(clk->until(clk->now() + config_.dispatch_cycles));
}

bool ScalarUnit::execute_current() {
    const Operation& operation = current_.operation;
    const Pipe pipe = pipe_of(operation);
    if (pipe != Pipe::S) {
        if (!is_dispatched_) is_dispatched_ = dispatch(*engines_[static_cast<std::size_t>(pipe)]);
        if (!is_dispatched_) return false;
        // The vendor's function puts a barrier over all pipes behind its copy.
        if (std::holds_alternative<AscCopyL0c2ubSync>(operation) && !every_pipe_idle()) {
            wait_for(WaitReason::barrier);
            return false;
        }
        is_dispatched_ = false;
        return true;
    }

    if (std::holds_alternative<PipeBarrier>(operation)) {
        if (!every_pipe_idle()) {
            wait_for(WaitReason::barrier);
            return false;
        }
    } else if (change_state(operation, state_)) {
        // holds for what is dispatched from now on
    } else if (const auto* set = std::get_if<SetFlag>(&operation)) {
        flags_.set({set->src, set->dst, set->id}, number_, current_.place);
    } else if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
        const EventFlags::Name flag{wait->src, wait->dst, wait->id};
        if (!flags_.read(flag)) {
            flags_.wake_when_set(flag, step_ev_);
            wait_for(WaitReason::event_flag);
            return false;
        }
        flags_.clear(flag, number_, current_.place);
    } else if (const auto* across = std::get_if<CrossCoreWaitFlag>(&operation)) {
        const int id = across->id % CrossCoreFlags::kIds;
        if (!flags_.cross_core().take(flags_.core(), id)) {
            flags_.cross_core().wake_when_counted(flags_.core(), id, step_ev_);
            wait_for(WaitReason::cross_core_flag);
            return false;
        }
    }
    ++executed_;
    hub_.publish(&Observer::on_stage, clk->now(), info_, InstructionTag{number_, &current_},
                 InstructionStage::done);
    return true;
}

bool ScalarUnit::dispatch(Engine& engine) {
    if (!engine.has_space()) {
        engine.wake_when_space(step_ev_);
        wait_for(WaitReason::queue_full);
        return false;
    }
    engine.push(current_, number_);
    return true;
}

bool ScalarUnit::every_pipe_idle() {
    bool all_idle = true;
    for (Engine* engine : engines_) {
        if (engine == nullptr || engine->idle()) continue;
        engine->wake_when_idle(step_ev_);
        all_idle = false;
    }
    return all_idle;
}

std::uint64_t ScalarUnit::retired() const {
    std::uint64_t total = executed_;
    for (const Engine* engine : engines_) {
        if (engine != nullptr) total += engine->completed();
    }
    return total;
}

void ScalarUnit::wait_for(WaitReason reason) { set_activity(PipeActivity::waiting, reason); }

void ScalarUnit::set_activity(PipeActivity activity, WaitReason reason) {
    if (activity == activity_ && reason == reason_) return;
    activity_ = activity;
    reason_ = reason;
    hub_.publish(&Observer::on_activity, clk->now(), info_, activity, reason);
}

void ScalarUnit::on_reset() {
    source_ = nullptr;
    running_ = has_current_ = exhausted_ = is_dispatched_ = false;
    halted_at_.reset();
    state_ = {ctrl_at_reset_, {}};
    number_ = executed_ = 0;
    done.write(false);
    step_ev_.cancel();
    activity_ = PipeActivity::idle;
    reason_ = WaitReason::none;
}

} // namespace aicore
