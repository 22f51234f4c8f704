// The Vector unit: executes vector instructions, one repeat after another, on operands in UB.
//
// A repeat reads its operands in one cycle when no bank is in the way, and the next one follows
// `cycles_per_repeat` later, however many steps it takes (fractions: see RepeatPace). Its result is
// written `write_latency_cycles` after the last of those cycles, whatever happens to later repeats:
// results come before operands at the banks of UB. An instruction is complete when its last result
// has been written.
#pragma once

#include "hw/isa/vector_step.h"
#include "hw/pipe/engine.h"
#include "hw/vector/vector_math.h"
#include "hw/vector/vector_timing.h"
#include "tlm/initiator_port.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aicore {

class VectorUnit : public Engine {
public:
    /// Told when data lead an instruction out of UB, as offsets of vgather do. What it would have
    /// read counts as 0, what it would have written is dropped.
    std::function<void(const std::string& message)> on_error;

    SC_HAS_PROCESS(VectorUnit);
    VectorUnit(const sc_core::sc_module_name& name, const VectorConfig& config, Bytes ub_bytes,
               MultiplyAdd multiply_add, PayloadPool& pool, ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> dst_isock;  ///< results
    InitiatorPort<2048> src0_isock; ///< first operand
    InitiatorPort<2048> src1_isock; ///< second operand, select bits, offsets, a destination as read

    std::uint64_t steps() const override { return steps_; }

private:
    /// What a step has computed, until UB has taken it.
    struct Result {
        Cycles due;
        VectorStep step;
        VectorData data;
        std::array<std::uint8_t, VectorStep::kOutBytes> enable; ///< TLM byte enables of data.out
        int writes = 0;                                         ///< bursts under way
    };

    Cycles startup(const Operation&) const override { return config_.startup_cycles; }
    void start(const Entry& entry) override;
    void resume() override { read_step(); }
    void reset() override;

    bool prepare_step();
    void read_step();
    int start_reads();
    void on_read();
    Cycles paced_end() const;
    void execute();
    void on_results_due();
    void start_writes(Result& result);
    void on_written(Result& result, const sc_core::sc_time& delay);
    void finish_if_over();
    bool is_inside(std::uint32_t address, int bytes, const char* what);

    VectorConfig config_;
    std::uint32_t ub_bytes_;
    Instruction instruction_; ///< at hand
    MultiplyAdd multiply_add_;
    std::unique_ptr<VectorTask> task_; ///< of the instruction at hand
    VectorState state_;
    RepeatPace pace_;           ///< of the instruction
    Cycles repeat_end_;         ///< of the repeat at hand when no bank is in the way
    bool starts_repeat_ = true; ///< the next step is the first of its repeat
    Cycles next_step_;          ///< edge at which it may begin
    Cycles requested_;          ///< edge at which the operands of the step were asked for
    std::uint64_t steps_ = 0;   ///< computed since the start
    int reads_ = 0;             ///< bursts of the step that have not been answered
    bool is_waiting_ = false;   ///< for a free result
    bool is_over_ = true;       ///< no step is left
    Cycles written_;            ///< edge at which everything so far has been written

    std::vector<std::unique_ptr<Result>> results_; ///< as many as the pipeline is deep
    std::vector<Result*> free_;
    Result* filling_ = nullptr;  ///< the step whose operands are being read
    std::vector<Result*> ready_; ///< computed, in order; the first is due first
    int under_way_ = 0;          ///< results whose writes have begun
    sc_core::sc_event due_ev_{"due"};
};

} // namespace aicore
