// What every engine shares: its queue, the order of instructions, and what it publishes.
//
// Life of an instruction: dispatched -> queued -> issued -> executing -> done. An engine takes one
// entry a cycle from its queue, in order. SetFlag, WaitFlag and PipeBarrier are handled here; the
// others go to the engine, which works on them one after another ("stream"): the first beat comes
// startup() cycles after the issue, and at least the instruction gap after the last beat of the
// predecessor, so that the start-up hides behind a busy predecessor. Instructions complete in
// order.
//
// All state that another process can see is registered: what happens at an edge is seen at the
// next.
#pragma once

#include "hw/config/platform.h"
#include "hw/pipe/observer.h"
#include "hw/pipe/ring.h"
#include "hw/sync/event_flags.h"
#include "tlm/cycle_clock.h"

namespace aicore {

/// Path of a pipe as reports show it: core and unit, "aic0.cube".
std::string pipe_path(const sc_core::sc_module& module);

class Engine : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};

    /// An instruction on its way through the engine.
    struct Entry {
        Instruction instruction;
        std::uint64_t number = 0; ///< order of dispatch in the core, from 1
        Cycles pushed;            ///< entered the queue
        Cycles issued;            ///< left the queue
        int parts = 0;            ///< posted writes and the like that are still under way
        bool streamed = false;    ///< its last beat is over
        Cycles done_from;         ///< complete no earlier, once streamed
    };

    /// A SetFlag or CrossCoreSetFlag that has left the queue and waits for the instructions before
    /// it.
    struct DeferredSet {
        Instruction instruction;
        std::uint64_t number = 0;
        std::uint64_t after = 0; ///< executes when this instruction is complete
    };

    SC_HAS_PROCESS(Engine);

    // Dispatch side, for the scalar unit.
    bool has_space() const;
    void push(const Instruction& instruction, std::uint64_t number);
    /// Nothing queued and nothing in flight, as seen at this edge.
    bool idle() const;
    /// Notify `wake` at the next edge at which the queue has space / the engine is idle.
    void wake_when_space(sc_core::sc_event& wake);
    void wake_when_idle(sc_core::sc_event& wake);

    // For reports.
    const PipeInfo& info() const { return info_; }
    const Ring<Entry>& queue() const { return queue_; }
    const Ring<Entry>& in_flight() const { return in_flight_; }
    const Ring<DeferredSet>& deferred_sets() const { return deferred_sets_; }
    /// Why the pipe stands still, none when it doesn't wait.
    WaitReason waiting_for() const {
        return activity_ == PipeActivity::waiting ? reason_ : WaitReason::none;
    }
    std::uint64_t completed() const { return completed_; }
    /// Counts on while an instruction of any length is at work: tells it from one that hangs.
    virtual std::uint64_t steps() const { return 0; }

protected:
    Engine(const sc_core::sc_module_name& name, Pipe pipe, const PipeConfig& config,
           ObserverHub& hub, EventFlags& flags);

    /// Cycles from issue to the first beat when nothing is in the way.
    virtual Cycles startup(const Operation& operation) const = 0;
    /// The first beat of `entry` is due at this edge.
    virtual void start(const Entry& entry) = 0;
    /// An edge that the engine asked for with wake_at.
    virtual void resume() {}
    /// Back to the power-on state.
    virtual void reset() = 0;

    /// Calls resume() at `edge`.
    void wake_at(Cycles edge);
    sc_core::sc_event& wake_event() { return stream_ev_; }
    /// The last beat of the current instruction ended at this edge. The instruction is complete at
    /// `done_from` if no part of it is under way, and its predecessors are complete.
    void end_stream(Cycles done_from);
    /// A part of instruction `number` starts that may outlive its stream.
    void begin_part(std::uint64_t number) { ++find(number).parts; }
    /// Such a part is over `delay` from now.
    void end_part(std::uint64_t number, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
    /// The executing instruction stands still for `reason` (none: it goes on).
    void set_blocked(WaitReason reason);
    ObserverHub& hub() { return hub_; }

private:
    void on_issue();
    void on_start();
    void on_stream();
    void on_complete();
    void on_reset();

    void issue_head(Cycles now);
    bool issue_flag_or_barrier(const Entry& entry, Cycles now);
    void pop_queue(Cycles now);
    void schedule_stream(Cycles now);
    void execute_set(const Instruction& instruction, std::uint64_t number, Cycles now);
    void settle(Cycles now);
    void complete(Cycles now);
    Entry& find(std::uint64_t number);
    void check_idle();
    void release(sc_core::sc_event*& waiter);
    bool drained(Cycles now) const { return in_flight_.empty() && last_complete_ < now; }
    void publish_stage(Cycles now, const Instruction& instruction, std::uint64_t number,
                       InstructionStage stage);
    void update_activity(Cycles now);

    PipeConfig config_;
    ObserverHub& hub_;
    EventFlags& flags_;
    const PipeInfo& info_;

    Ring<Entry> queue_;
    Ring<Entry> in_flight_;
    Ring<DeferredSet> deferred_sets_;
    std::size_t started_ = 0; ///< instructions in flight whose stream has begun
    bool streaming_ = false;
    Cycles stream_end_;
    Cycles last_pop_, last_complete_, last_idle_change_;
    std::size_t pops_now_ = 0;      ///< at last_pop_
    std::size_t completes_now_ = 0; ///< at last_complete_
    std::size_t sets_now_ = 0;      ///< deferred sets that were executed at last_complete_
    std::uint64_t completed_ = 0;

    WaitReason head_reason_ = WaitReason::none;    ///< why the head of the queue can't issue
    WaitReason blocked_reason_ = WaitReason::none; ///< why the executing instruction stands still
    PipeActivity activity_ = PipeActivity::idle;
    WaitReason reason_ = WaitReason::none;

    sc_core::sc_event* space_waiter_ = nullptr;
    sc_core::sc_event* idle_waiter_ = nullptr;
    sc_core::sc_event issue_ev_{"issue"};
    sc_core::sc_event start_ev_{"start"};
    sc_core::sc_event stream_ev_{"stream"};
    sc_core::sc_event complete_ev_{"complete"};
};

} // namespace aicore
