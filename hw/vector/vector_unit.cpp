#include "hw/vector/vector_unit.h"

#include <algorithm>
#include <sstream>

namespace aicore {

namespace {

constexpr int kBurstBytes = 256; ///< of a port in a cycle

/// Piece `i` repeats the one before it (block stride 0): UB is read once for both.
bool repeats(const VectorStep& step, int i) {
    if (i == 0) return false;
    const VectorStep::Read& own = step.reads[static_cast<std::size_t>(i)];
    const VectorStep::Read& last = step.reads[static_cast<std::size_t>(i - 1)];
    return own.addr == last.addr && own.bytes == last.bytes && own.port == last.port;
}

/// Copies the pieces that were not read to where the operand has them.
void fill_in_repeats(const VectorStep& step, VectorData& data) {
    for (int i = 1; i < step.read_count; ++i) {
        if (!repeats(step, i)) continue;
        const VectorStep::Read& own = step.reads[static_cast<std::size_t>(i)];
        const VectorStep::Read& last = step.reads[static_cast<std::size_t>(i - 1)];
        std::copy_n(data.in.begin() + last.offset, own.bytes, data.in.begin() + own.offset);
    }
}

} // namespace

VectorUnit::VectorUnit(const sc_core::sc_module_name& name, const VectorConfig& config,
                       Bytes ub_bytes, MultiplyAdd multiply_add, PayloadPool& pool,
                       ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::V, config.pipe, hub, flags),
      dst_isock("dst_isock", pool,
                [this](void* result, const sc_core::sc_time& delay) {
                    on_written(*static_cast<Result*>(result), delay);
                }),
      src0_isock("src0_isock", pool, [this](void*, const sc_core::sc_time&) { on_read(); }),
      src1_isock("src1_isock", pool, [this](void*, const sc_core::sc_time&) { on_read(); }),
      config_(config), ub_bytes_(static_cast<std::uint32_t>(ub_bytes.count())),
      multiply_add_(multiply_add) {
    // A step is computed every cycle at most; one result is being filled, one being written.
    for (std::int64_t i = 0; i < config_.write_latency_cycles.count() + 2; ++i) {
        results_.push_back(std::make_unique<Result>());
        free_.push_back(results_.back().get());
    }
    SC_METHOD(on_results_due);
    sensitive << due_ev_;
    dont_initialize();
}

void VectorUnit::start(const Entry& entry) {
    instruction_ = entry.instruction;
    const Operation& operation = entry.instruction.operation;
    task_ = make_vector_task(operation, multiply_add_);
    pace_ = repeat_pace(config_, operation);
    starts_repeat_ = true;
    is_over_ = false;
    written_ = clk->now();
    if (prepare_step()) read_step();
}

/// Gets hold of the next step; false when there is none or when every result is under way.
bool VectorUnit::prepare_step() {
    if (free_.empty()) {
        is_waiting_ = true;
        return false;
    }
    filling_ = free_.back();
    if (!task_->next(filling_->step)) {
        filling_ = nullptr;
        is_over_ = true;
        finish_if_over();
        return false;
    }
    free_.pop_back();
    return true;
}

// ---- operands ----------------------------------------------------------------------------------

void VectorUnit::read_step() {
    requested_ = clk->now();
    if (starts_repeat_) repeat_end_ = requested_ + pace_.next();
    reads_ = start_reads();
    if (reads_ == 0) execute();
}

/// One burst for each run of bytes that are neighbours in UB and in the operand.
int VectorUnit::start_reads() {
    const VectorStep& step = filling_->step;
    int bursts = 0;
    for (int i = 0; i < step.read_count;) {
        if (repeats(step, i)) {
            ++i;
            continue;
        }
        const VectorStep::Read& first = step.reads[static_cast<std::size_t>(i)];
        int bytes = first.bytes;
        for (++i; i < step.read_count; ++i) {
            const VectorStep::Read& next = step.reads[static_cast<std::size_t>(i)];
            if (next.port != first.port || bytes + next.bytes > kBurstBytes ||
                next.addr != first.addr + static_cast<std::uint32_t>(bytes) ||
                next.offset != first.offset + bytes) {
                break;
            }
            bytes += next.bytes;
        }
        std::uint8_t* const in = filling_->data.in.data() + first.offset;
        if (!is_inside(first.addr, bytes, "reads")) {
            std::fill_n(in, bytes, std::uint8_t{0});
            continue;
        }
        Access access = Access::read(first.addr, in, static_cast<std::size_t>(bytes));
        (first.port == VectorPort::src0 ? src0_isock : src1_isock).start(access);
        ++bursts;
    }
    return bursts;
}

/// End of the step at hand when no bank is in the way.
Cycles VectorUnit::paced_end() const {
    const Cycles step_end = requested_ + Cycles(1);
    return filling_->step.ends_repeat ? std::max(repeat_end_, step_end) : step_end;
}

void VectorUnit::on_read() {
    if (--reads_ > 0) return;
    const Cycles lost = clk->now() - paced_end(); // what a slow repeat hides is not lost
    if (lost.count() > 0) {
        hub().publish(&Observer::on_stall, paced_end() - Cycles(1), info(),
                      WaitReason::bank_conflict, lost);
    }
    execute();
}

/// The operands are there, a cycle after they were read at the earliest.
void VectorUnit::execute() {
    const Cycles now = clk->now();
    next_step_ = std::max(now, paced_end());
    Result& result = *filling_;
    filling_ = nullptr;
    starts_repeat_ = result.step.ends_repeat;
    fill_in_repeats(result.step, result.data);
    task_->execute(result.step, result.data, state_);
    ++steps_;
    result.due = next_step_ - Cycles(1) + config_.write_latency_cycles;
    ready_.push_back(&result);
    if (ready_.size() == 1) due_ev_.notify(clk->until(result.due));
    if (!prepare_step()) return;
    next_step_ > now ? wake_at(next_step_) : read_step();
}

// ---- results -----------------------------------------------------------------------------------

void VectorUnit::on_results_due() {
    if (!rst_n.read()) return;
    const Cycles now = clk->now();
    while (!ready_.empty() && ready_.front()->due <= now) {
        Result& result = *ready_.front();
        ready_.erase(ready_.begin());
        ++under_way_;
        start_writes(result);
    }
    if (!ready_.empty()) due_ev_.notify(clk->until(ready_.front()->due));
}

void VectorUnit::start_writes(Result& result) {
    const VectorStep& step = result.step;
    result.writes = 1; // until all of them have been started
    for (int i = 0; i < step.write_count;) {
        const VectorStep::Write& first = step.writes[static_cast<std::size_t>(i)];
        int bytes = 0;
        bool all = true;
        for (; i < step.write_count; ++i) {
            const VectorStep::Write& next = step.writes[static_cast<std::size_t>(i)];
            if (bytes + next.bytes > kBurstBytes ||
                next.addr != first.addr + static_cast<std::uint32_t>(bytes) ||
                next.offset != first.offset + bytes) {
                break;
            }
            for (int b = 0; b < next.bytes; ++b) {
                const bool enabled = (next.enable >> b & 1u) != 0;
                all = all && enabled;
                result.enable[static_cast<std::size_t>(next.offset + b)] =
                    enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            }
            bytes += next.bytes;
        }
        if (!is_inside(first.addr, bytes, "writes")) continue;
        Access access = Access::write(first.addr, result.data.out.data() + first.offset,
                                      static_cast<std::size_t>(bytes));
        if (!all) {
            access.byte_enable = result.enable.data() + first.offset;
            access.byte_enable_length = static_cast<unsigned>(bytes);
        }
        access.tag = &result;
        ++result.writes;
        dst_isock.start(access);
    }
    on_written(result, sc_core::SC_ZERO_TIME);
}

void VectorUnit::on_written(Result& result, const sc_core::sc_time& delay) {
    written_ = std::max(written_, clk->edge_after(delay));
    if (--result.writes > 0) return;
    --under_way_;
    free_.push_back(&result);
    if (is_waiting_) {
        is_waiting_ = false;
        if (prepare_step()) wake_at(std::max(written_, next_step_));
    }
    finish_if_over();
}

void VectorUnit::finish_if_over() {
    if (is_over_ && ready_.empty() && under_way_ == 0 && task_ != nullptr) {
        task_.reset();
        end_stream(written_);
    }
}

bool VectorUnit::is_inside(std::uint32_t address, int bytes, const char* what) {
    if (address <= ub_bytes_ && static_cast<std::uint32_t>(bytes) <= ub_bytes_ - address) {
        return true;
    }
    if (on_error) {
        std::ostringstream text;
        text << info().path << " in cycle " << clk->now() << ": "
             << mnemonic(instruction_.operation) << " at line " << instruction_.place.line << ' '
             << what << " UB at 0x" << std::hex << address << ", it ends at 0x" << ub_bytes_;
        on_error(text.str());
    }
    return false;
}

void VectorUnit::reset() {
    task_.reset();
    state_ = {};
    reads_ = under_way_ = 0;
    is_waiting_ = false;
    is_over_ = true;
    filling_ = nullptr;
    ready_.clear();
    free_.clear();
    for (const auto& result : results_) free_.push_back(result.get());
    due_ev_.cancel();
    dst_isock.reset();
    src0_isock.reset();
    src1_isock.reset();
}

} // namespace aicore
