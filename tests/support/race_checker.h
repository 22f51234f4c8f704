// Proves from the text of a program that its flags order every pair of conflicting accesses.
//
// For each pipe it keeps what the pipe may take for granted when it issues its next instruction:
// how many instructions of each pipe are complete (a vector clock). Only event flags and pipe
// barriers bring such knowledge; two instructions of one pipe are not ordered by themselves,
// because the second may start while the first still works. The proof holds for every timing of the
// pipes and, since each wait has its set earlier in the program, for every depth of the queues.
//
// Unit flags order an Mmad and a Fixpipe on a block of L0C when both use them; their hand-over (0
// for Mmad, 1 for Fixpipe) is checked block by block.
#pragma once

#include "tests/support/program_accesses.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace aicore::test {

class RaceChecker {
public:
    void feed(const Operation& operation) {
        const Pipe pipe = pipe_of(operation);
        if (pipe == Pipe::S) return;
        ++instruction_;
        const std::uint64_t index = issued_[at(pipe)]++;
        if (const auto* set = std::get_if<SetFlag>(&operation))
            on_set(*set, index);
        else if (const auto* wait = std::get_if<WaitFlag>(&operation))
            on_wait(*wait, index);
        else if (std::holds_alternative<PipeBarrier>(operation))
            known_[at(pipe)][at(pipe)] = index;
        else
            on_work(operation, pipe, index);
    }

    /// To be called after the last instruction.
    void finish() {
        for (const auto& [key, flag] : flags_)
            if (flag.pending) report("flag left set: " + name(key));
        for (const auto& [block, value] : unit_flags_)
            if (value) report("unit flag left set: block " + std::to_string(block));
    }

    /// What is wrong with the program, at most a few entries; empty when it is proved.
    const std::vector<std::string>& errors() const { return errors_; }

private:
    using Clock = std::array<std::uint64_t, kPipes>; ///< complete instructions of each pipe
    using FlagKey = std::tuple<Pipe, Pipe, int>;

    struct Flag {
        std::optional<Clock> pending;           ///< knowledge of a set that is not waited for yet
        std::optional<std::uint64_t> last_wait; ///< index in the destination pipe
    };
    /// An instruction that touched a granule.
    struct Access {
        Pipe pipe = Pipe::S;
        std::uint64_t index = 0;
        UnitFlagMode unit_flag = UnitFlagMode::off;
        std::int64_t l0c_fractals = 0; ///< of an Mmad
    };
    struct Granule {
        std::optional<Access> writer;
        std::array<std::optional<Access>, kPipes> readers; ///< last one of each pipe
    };

    static std::size_t at(Pipe pipe) { return static_cast<std::size_t>(pipe); }
    static std::string name(const FlagKey& key) {
        return std::to_string(static_cast<int>(std::get<0>(key))) + "->" +
               std::to_string(static_cast<int>(std::get<1>(key))) + " id " +
               std::to_string(std::get<2>(key));
    }
    void report(const std::string& text) {
        if (errors_.size() < 5)
            errors_.push_back("instruction " + std::to_string(instruction_) + ": " + text);
    }

    void on_set(const SetFlag& set, std::uint64_t index) {
        Flag& flag = flags_[{set.src, set.dst, set.id}];
        Clock& known = known_[at(set.src)];
        // A set runs after its predecessors are complete, but lets its successors issue before.
        Clock at_set = known;
        at_set[at(set.src)] = index;
        if (flag.pending) report("flag set twice: " + name({set.src, set.dst, set.id}));
        if (flag.last_wait && at_set[at(set.dst)] <= *flag.last_wait)
            report("flag may be set before its last wait: " + name({set.src, set.dst, set.id}));
        flag.pending = at_set;
    }

    void on_wait(const WaitFlag& wait, std::uint64_t index) {
        Flag& flag = flags_[{wait.src, wait.dst, wait.id}];
        if (!flag.pending) return report("wait without a set before it");
        Clock& known = known_[at(wait.dst)];
        for (std::size_t i = 0; i < known.size(); ++i)
            known[i] = std::max(known[i], (*flag.pending)[i]);
        flag.pending.reset();
        flag.last_wait = index;
    }

    bool ordered(const Access& before, const Access& now) const {
        if (known_[at(now.pipe)][at(before.pipe)] > before.index) return true;
        const bool both_flags =
            before.unit_flag != UnitFlagMode::off && now.unit_flag != UnitFlagMode::off;
        if (both_flags && before.pipe != now.pipe) return true;
        if (before.pipe != Pipe::M || now.pipe != Pipe::M) return false;
        // A handed-over block comes back through a Fixpipe. Between accumulating Mmads the cube's
        // own pipeline keeps the order from 10 fractals on.
        if (both_flags && before.unit_flag == UnitFlagMode::toggle) return true;
        return now.l0c_fractals >= 10 && before.l0c_fractals == now.l0c_fractals;
    }

    void on_work(const Operation& operation, Pipe pipe, std::uint64_t index) {
        Access now{pipe, index, UnitFlagMode::off, 0};
        if (const auto* mmad = std::get_if<Mmad>(&operation)) {
            now.unit_flag = mmad->unit_flag;
            now.l0c_fractals = ceil_div(mmad->m, 16) * ceil_div(mmad->n, 16);
        }
        if (const auto* out = std::get_if<Fixpipe>(&operation)) now.unit_flag = out->unit_flag;
        for_each_access(operation, [&](Buffer buffer, std::int64_t granule, bool writes) {
            Granule& state = granules_[{buffer, granule}];
            if (state.writer && !ordered(*state.writer, now))
                report(conflict(buffer, granule, "writer", *state.writer));
            if (writes) {
                for (const auto& reader : state.readers)
                    if (reader && !ordered(*reader, now))
                        report(conflict(buffer, granule, "reader", *reader));
                state = Granule{};
                state.writer = now;
            } else {
                state.readers[at(pipe)] = now;
            }
            if (buffer == Buffer::L0C && now.unit_flag != UnitFlagMode::off)
                hand_over(granule, now);
        });
    }

    void hand_over(std::int64_t block, const Access& now) {
        bool& flag = unit_flags_[block];
        if (flag != (now.pipe == Pipe::FIX))
            report("unit flag of block " + std::to_string(block) + " blocks for ever");
        if (now.unit_flag == UnitFlagMode::toggle) flag = !flag;
    }

    static std::string conflict(Buffer buffer, std::int64_t granule, const char* role,
                                const Access& before) {
        return std::string(to_string(buffer)) + " granule " + std::to_string(granule) +
               " not ordered after its " + role + " on pipe " + std::string(to_string(before.pipe));
    }

    std::array<std::uint64_t, kPipes> issued_{};
    std::array<Clock, kPipes> known_{};
    std::map<FlagKey, Flag> flags_;
    std::map<std::pair<Buffer, std::int64_t>, Granule> granules_;
    std::map<std::int64_t, bool> unit_flags_;
    std::vector<std::string> errors_;
    std::uint64_t instruction_ = 0;
};

} // namespace aicore::test
