// The scalar unit: pulls instructions from its source and dispatches them in order.
//
// One instruction every `dispatch_cycles`. A full queue stalls everything behind it. What belongs
// to the scalar pipe executes here: PipeBarrier ALL (waits until every pipe is idle), writes of
// CTRL and of the vector mask and its relatives, SetFlag and WaitFlag with S as their pipe,
// CrossCoreWaitFlag, and SyncAll, whose steps are dispatched like instructions of their own. Not
// modelled: scalar arithmetic, instruction and data caches.
#pragma once

#include "hw/isa/dispatch_state.h"
#include "hw/pipe/engine.h"
#include "hw/scalar/instruction_source.h"
#include "hw/scalar/program_positions.h"
#include "hw/scalar/sync_all_steps.h"
#include "tlm/initiator_port.h"

#include <array>
#include <memory>
#include <optional>

namespace aicore {

class ScalarUnit : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// The program is over: its source is exhausted and every pipe is idle. Falls with the next
    /// start, and in reset.
    sc_core::sc_out<bool> done{"done"};

    /// Words of the unified buffer; null on a cube core.
    std::unique_ptr<InitiatorPort<64>> ub_isock;

    SC_HAS_PROCESS(ScalarUnit);
    /// `ub_pool`: of the payloads to the unified buffer, null without one.
    ScalarUnit(const sc_core::sc_module_name& name, CoreKind core, const ScalarConfig& config,
               const CtrlState& ctrl_at_reset, PayloadPool* ub_pool, ObserverHub& hub,
               EventFlags& flags);

    /// Where instructions of `pipe` go. Before the simulation starts.
    void connect(Pipe pipe, Engine& engine) { engines_[static_cast<std::size_t>(pipe)] = &engine; }
    /// Runs a program, null for none, from its first instruction on, at this edge; when no other
    /// one runs. CTRL, the vector mask and the like are as the last program left them: the vendor's
    /// InitSocState exists because they are.
    void start(InstructionSource* program);
    /// Dispatches nothing after this edge, until a reset.
    void halt();

    const PipeInfo& info() const { return info_; }
    WaitReason waiting_for() const { return reason_; }
    /// The instruction that waits to be dispatched or executed here; null when there is none.
    const Instruction* current() const { return has_current_ ? &current_ : nullptr; }
    std::uint64_t dispatched() const { return number_; }
    /// Position in the program of its launch, from 1, of what was dispatched with `number`.
    std::uint64_t position_of(std::uint64_t number) const { return positions_.of(number); }
    /// Instructions that are dispatched and complete in every pipe, without those that poll.
    std::uint64_t retired() const;
    /// Slots of cores that a SoftSyncAll under way waits for.
    std::vector<int> absent_slots() const;
    bool is_done() const { return done.read(); }
    /// What the next instruction is dispatched with.
    const DispatchState& state() const { return state_; }
    /// Cycle at which `done` rose.
    Cycles done_at() const { return done_at_; }

private:
    enum class WordAccess { none, under_way, over };

    void end_of_elaboration() override;
    void on_step();
    void on_reset();

    /// Tries to get rid of the current instruction; false: it waits and has arranged its wake-up.
    bool execute_current();
    bool execute(const Instruction& instruction);
    bool execute_sync_all();
    bool execute_step();
    bool access_word();
    void on_word(const sc_core::sc_time& delay);
    void prepare_step();
    bool dispatch(const Instruction& instruction, Engine& engine);
    bool every_pipe_idle();
    void wait_for(WaitReason reason);
    void set_activity(PipeActivity activity, WaitReason reason);

    CoreKind core_;
    ScalarConfig config_;
    CtrlState ctrl_at_reset_;
    ObserverHub& hub_;
    EventFlags& flags_;
    const PipeInfo& info_;
    InstructionSource* source_ = nullptr;
    bool running_ = false;            ///< a program that is not over
    std::optional<Cycles> halted_at_; ///< the last edge
    std::array<Engine*, kPipes> engines_{};

    Instruction current_;
    bool has_current_ = false;
    bool is_dispatched_ = false; ///< the current instruction; it still holds the scalar unit up
    bool exhausted_ = false;
    DispatchState state_;

    SyncAllSteps sync_all_;
    std::optional<SyncAllSteps::Step> step_; ///< of the SyncAll that is the current instruction
    Instruction step_instruction_;           ///< when the step is one
    std::uint64_t sync_all_number_ = 0;
    WordAccess word_access_ = WordAccess::none;
    std::int32_t word_ = 0;   ///< loaded last, or being stored
    std::uint64_t polls_ = 0; ///< instructions that polled

    std::uint64_t number_ = 0;
    ProgramPositions positions_;
    std::uint64_t executed_ = 0; ///< instructions of the scalar pipe itself
    Cycles done_at_;
    PipeActivity activity_ = PipeActivity::idle;
    WaitReason reason_ = WaitReason::none;
    sc_core::sc_event step_ev_{"step"};
};

} // namespace aicore
