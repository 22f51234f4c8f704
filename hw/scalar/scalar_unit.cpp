#include "hw/scalar/scalar_unit.h"

#include <algorithm>

namespace aicore {

ScalarUnit::ScalarUnit(const sc_core::sc_module_name& name, CoreKind core,
                       const ScalarConfig& config, const CtrlState& ctrl_at_reset,
                       PayloadPool* ub_pool, ObserverHub& hub, EventFlags& flags)
    : sc_module(name), core_(core), config_(config), ctrl_at_reset_(ctrl_at_reset), hub_(hub),
      flags_(flags),
      info_(hub.register_pipe(pipe_path(*this), Pipe::S)), state_{ctrl_at_reset, {}, {}} {
    if (ub_pool == nullptr) return;
    ub_isock = std::make_unique<InitiatorPort<64>>(
        "ub_isock", *ub_pool, [this](void*, const sc_core::sc_time& delay) { on_word(delay); });
}

void ScalarUnit::end_of_elaboration() {
    SC_METHOD(on_step); // resets as well: a signal at `done` has one driver
    sensitive << step_ev_ << rst_n.negedge_event();
    dont_initialize();
}

void ScalarUnit::start(InstructionSource* program) {
    source_ = program;
    if (source_ != nullptr) source_->rewind();
    has_current_ = exhausted_ = is_dispatched_ = false;
    positions_.count_from(number_ + 1, 1);
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
    const bool is_sync_all = std::holds_alternative<SyncAll>(current_.operation) ||
                             std::holds_alternative<SoftSyncAll>(current_.operation);
    return is_sync_all ? execute_sync_all() : execute(current_);
}

bool ScalarUnit::execute(const Instruction& instruction) {
    const Operation& operation = instruction.operation;
    const Pipe pipe = pipe_of(operation);
    if (pipe != Pipe::S) {
        if (!is_dispatched_)
            is_dispatched_ = dispatch(instruction, *engines_[static_cast<std::size_t>(pipe)]);
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
        flags_.set({set->src, set->dst, set->id}, number_, instruction.place);
    } else if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
        const EventFlags::Name flag{wait->src, wait->dst, wait->id};
        if (!flags_.read(flag)) {
            flags_.wake_when_set(flag, step_ev_);
            wait_for(WaitReason::event_flag);
            return false;
        }
        flags_.clear(flag, number_, instruction.place);
    } else if (const auto* across = std::get_if<CrossCoreWaitFlag>(&operation)) {
        const int id = cross_core_counter(across->id);
        if (!flags_.cross_core().take(flags_.core(), id)) {
            flags_.cross_core().wake_when_counted(flags_.core(), id, step_ev_);
            wait_for(WaitReason::cross_core_flag);
            return false;
        }
    }
    ++executed_;
    hub_.publish(&Observer::on_stage, clk->now(), info_, InstructionTag{number_, &instruction},
                 InstructionStage::done);
    return true;
}

// ---- SyncAll -----------------------------------------------------------------------------------

bool ScalarUnit::execute_sync_all() {
    const auto publish = [this](InstructionStage stage) {
        hub_.publish(&Observer::on_stage, clk->now(), info_,
                     InstructionTag{sync_all_number_, &current_}, stage);
    };
    if (!step_) {
        sync_all_number_ = number_;
        positions_.stay_from(number_ + 1, positions_.of(number_));
        publish(InstructionStage::executing);
        if (std::holds_alternative<SyncAll>(current_.operation)) {
            flags_.cross_core().come_to_sync_all(flags_.core());
        }
        step_ = sync_all_.begin(current_.operation, core_);
        prepare_step();
    }
    if (!execute_step()) return false;
    step_ = sync_all_.next(word_);
    if (!step_) {
        positions_.count_from(number_ + 1, positions_.of(number_) + 1);
        ++executed_;
        publish(InstructionStage::done);
        return true;
    }
    prepare_step();
    set_activity(PipeActivity::executing, WaitReason::none);
    step_ev_.notify(clk->until(clk->now() + config_.dispatch_cycles));
    return false;
}

void ScalarUnit::prepare_step() {
    const auto* operation = std::get_if<Operation>(&*step_);
    if (operation == nullptr) return;
    step_instruction_ = {*operation, current_.place};
    stamp_state(step_instruction_.operation, state_);
    ++number_;
    if (sync_all_.polls()) ++polls_;
}

bool ScalarUnit::execute_step() {
    return std::holds_alternative<Operation>(*step_) ? execute(step_instruction_) : access_word();
}

/// Starts the access; when called again it is over.
bool ScalarUnit::access_word() {
    if (word_access_ == WordAccess::none) {
        word_access_ = WordAccess::under_way;
        auto* bytes = reinterpret_cast<std::uint8_t*>(&word_);
        if (const auto* store = std::get_if<SyncAllSteps::StoreWord>(&*step_)) {
            word_ = store->value;
            ub_isock->start(Access::write(store->ub_addr, bytes, sizeof word_));
        } else {
            const auto& load = std::get<SyncAllSteps::LoadWord>(*step_);
            ub_isock->start(Access::read(load.ub_addr, bytes, sizeof word_));
        }
    }
    if (word_access_ == WordAccess::under_way) return false;
    word_access_ = WordAccess::none;
    return true;
}

/// Seen at the next edge, like everything that another process does.
void ScalarUnit::on_word(const sc_core::sc_time& delay) {
    word_access_ = WordAccess::over;
    step_ev_.notify(std::max(delay, clk->period()));
}

std::vector<int> ScalarUnit::absent_slots() const {
    return step_ ? sync_all_.absent() : std::vector<int>{};
}

// ---- dispatch ----------------------------------------------------------------------------------

bool ScalarUnit::dispatch(const Instruction& instruction, Engine& engine) {
    if (!engine.has_space()) {
        engine.wake_when_space(step_ev_);
        wait_for(WaitReason::queue_full);
        return false;
    }
    engine.push(instruction, number_);
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
    return total - polls_;
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
    state_ = {ctrl_at_reset_, {}, {}};
    number_ = executed_ = polls_ = 0;
    positions_.clear();
    step_.reset();
    word_access_ = WordAccess::none;
    if (ub_isock) ub_isock->reset();
    done.write(false);
    step_ev_.cancel();
    activity_ = PipeActivity::idle;
    reason_ = WaitReason::none;
}

} // namespace aicore
