// Records what a core publishes: the cycle of each stage of each instruction, and a full text log.
#pragma once

#include "hw/pipe/observer.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aicore::test {

class EventLog final : public Observer {
public:
    void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) override;
    void on_activity(Cycles, const PipeInfo&, PipeActivity, WaitReason) override;
    void on_stall(Cycles, const PipeInfo&, WaitReason, Cycles) override;
    void on_queue_fill(Cycles, const PipeInfo&, int fill) override;
    void on_transfer(const LinkInfo&, Cycles from, Cycles until, Bytes) override;
    void on_event_flag(Cycles, const CoreInfo&, Pipe src, Pipe dst, int id, bool value) override;
    void on_unit_flag(Cycles, const CoreInfo&, int block, bool value) override;
    void on_l0c_access(Cycles, const CoreInfo&, std::uint32_t banks, bool write) override;

    void clear();

    bool reached(std::uint64_t number, InstructionStage stage) const {
        return stages_.count({number, stage}) != 0;
    }
    /// Cycle in which an instruction reached a stage; throws std::out_of_range when it did not.
    Cycles at(std::uint64_t number, InstructionStage stage) const {
        return stages_.at({number, stage});
    }
    /// Cycles in which a unit flag changed, in order.
    const std::vector<std::pair<Cycles, bool>>& unit_flag(int block) { return unit_flags_[block]; }
    /// Total of the announced stalls of the pipe "aic0.<name>" for `reason`.
    Cycles stalled(const std::string& path, WaitReason reason) { return stalls_[{path, reason}]; }
    /// Whether the pipe ever waited for `reason`.
    bool waited(const std::string& path, WaitReason reason) const {
        return waits_.count({path, reason}) != 0;
    }

    /// Everything, one line an event, sorted by cycle. What holds a value (activity, queue fill,
    /// flags) is reduced to the value at the end of its cycle: processes of one edge may come in
    /// any order.
    std::string text() const;

private:
    void event(Cycles cycle, const std::string& text) { events_.insert({cycle.count(), text}); }
    void value(Cycles cycle, const std::string& name, const std::string& value) {
        values_[name][cycle.count()] = value;
    }

    std::map<std::pair<std::uint64_t, InstructionStage>, Cycles> stages_;
    std::map<int, std::vector<std::pair<Cycles, bool>>> unit_flags_;
    std::map<std::pair<std::string, WaitReason>, Cycles> stalls_;
    std::map<std::pair<std::string, WaitReason>, int> waits_;
    std::multimap<std::int64_t, std::string> events_;
    std::map<std::string, std::map<std::int64_t, std::string>> values_;
};

} // namespace aicore::test
