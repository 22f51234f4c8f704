// Runs a program with queues and flags but without time: whenever several pipes could go on, a
// seeded random choice decides. What the program computes must not depend on that choice.
#pragma once

#include "hw/scalar/instruction_source.h"
#include "tests/support/program_accesses.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

namespace aicore::test {

class RandomScheduler {
public:
    /// `depth`: instructions that wait in each queue.
    RandomScheduler(std::size_t depth, std::uint64_t seed) : depth_(depth), random_(seed) {}

    /// Runs the source to its end; execute(operation) is called for each instruction in the order
    /// of execution. Returns what went wrong, or an empty string.
    template <typename Execute>
    std::string run(InstructionSource& source, Execute execute) {
        Instruction next;
        bool more = source.next(next);
        for (;;) {
            // Candidate kPipes is the scalar unit, which fills the queues.
            std::array<int, kPipes + 1> ready{};
            std::size_t count = 0;
            if (more && can_dispatch(next.operation)) ready[count++] = kPipes;
            for (int pipe = 0; pipe < kPipes; ++pipe)
                if (!queue(pipe).empty() && can_run(queue(pipe).front())) ready[count++] = pipe;
            if (count == 0) break;
            const int chosen = ready[random_() % count];
            if (chosen == kPipes) {
                stamp_ctrl(next.operation, ctrl_);
                if (const auto* write = std::get_if<SetCtrl>(&next.operation))
                    ctrl_ = aicore::apply(*write, ctrl_);
                if (pipe_of(next.operation) != Pipe::S)
                    queue(static_cast<int>(pipe_of(next.operation))).push_back(next.operation);
                more = source.next(next);
                continue;
            }
            const Operation operation = queue(chosen).front();
            queue(chosen).pop_front();
            apply(operation);
            if (!error_.empty()) return error_;
            execute(operation);
        }
        for (int pipe = 0; pipe < kPipes; ++pipe)
            if (!queue(pipe).empty()) return "deadlock: " + disassembled(queue(pipe).front());
        if (more) return "deadlock of the scalar unit: " + disassembled(next.operation);
        if (!flags_.empty()) return "event flag left set";
        if (!unit_flags_.empty()) return "unit flag left set";
        return {};
    }

private:
    std::deque<Operation>& queue(int pipe) { return queues_[static_cast<std::size_t>(pipe)]; }
    static std::string disassembled(const Operation& operation) {
        return "pipe " + std::string(to_string(pipe_of(operation))) + " stands at an instruction " +
               "of kind " + std::to_string(operation.index());
    }

    bool can_dispatch(const Operation& operation) {
        const Pipe pipe = pipe_of(operation);
        return pipe == Pipe::S || queue(static_cast<int>(pipe)).size() < depth_;
    }

    bool can_run(const Operation& operation) const {
        if (const auto* wait = std::get_if<WaitFlag>(&operation))
            return flags_.count({wait->src, wait->dst, wait->id}) != 0;
        const bool fixpipe = std::holds_alternative<Fixpipe>(operation);
        if (unit_flag_of(operation) == UnitFlagMode::off) return true;
        bool free = true;
        for_each_access(operation, [&](Buffer buffer, std::int64_t block, bool) {
            if (buffer == Buffer::L0C && (unit_flags_.count(block) != 0) != fixpipe) free = false;
        });
        return free;
    }

    void apply(const Operation& operation) {
        if (const auto* set = std::get_if<SetFlag>(&operation)) {
            if (!flags_.insert({set->src, set->dst, set->id}).second) error_ = "flag set twice";
        } else if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
            flags_.erase({wait->src, wait->dst, wait->id});
        } else if (unit_flag_of(operation) == UnitFlagMode::toggle) {
            for_each_access(operation, [&](Buffer buffer, std::int64_t block, bool writes) {
                if (buffer != Buffer::L0C) return;
                if (writes)
                    unit_flags_.insert(block);
                else
                    unit_flags_.erase(block);
            });
        }
    }

    static UnitFlagMode unit_flag_of(const Operation& operation) {
        if (const auto* mmad = std::get_if<Mmad>(&operation)) return mmad->unit_flag;
        if (const auto* out = std::get_if<Fixpipe>(&operation)) return out->unit_flag;
        return UnitFlagMode::off;
    }

    std::size_t depth_;
    CtrlState ctrl_;
    std::mt19937_64 random_;
    std::array<std::deque<Operation>, kPipes> queues_;
    std::set<std::tuple<Pipe, Pipe, int>> flags_;
    std::set<std::int64_t> unit_flags_;
    std::string error_;
};

} // namespace aicore::test
