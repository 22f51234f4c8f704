// Timeline of all pipes as Chrome trace events: opens in Perfetto and in the vendor's viewer.
#pragma once

#include "hw/pipe/observer.h"
#include "tb/observe/output_file.h"
#include "tb/observe/stall_book.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace aicore::tb {

/// Observer that draws one lane for each pipe (pid = core, tid = lane, times in microseconds):
///   - each instruction from `executing` to `done`, with its operands, place in the program, cycles
///     and stall cycles by reason; one that takes no time (or is done without executing, as flags
///     and barriers are) is drawn one cycle wide, up to its end;
///   - each wait of the pipe as "wait: <reason>";
///   - an arrow from each set_flag to the wait_flag that takes its flag, and from each
///     cross_core_set_flag that completes a count to the waits that take it.
/// Written while the simulation goes, in bounded memory. The text does not depend on the order in
/// which pipes publish what they do in one cycle. Slices of a lane nest and never overlap, a longer
/// slice stands before a shorter one that starts with it: viewers drop slices otherwise.
class Timeline : public Observer {
public:
    /// Writes the head of the file. `hub`: all pipes registered by now. `out` and `hub` must
    /// outlive this object.
    Timeline(OutputFile& out, const ObserverHub& hub, int clock_mhz);

    void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) override;
    void on_activity(Cycles, const PipeInfo&, PipeActivity, WaitReason) override;
    void on_stall(Cycles, const PipeInfo&, WaitReason, Cycles) override;
    void on_cross_core_count(Cycles, const CoreInfo& to, int id, const CoreInfo& from,
                             std::uint64_t set) override;

    /// The core is reset in cycle `at`: what was under way ends there, cycles count from 0 again
    /// and the drawing goes on behind it.
    void on_reset(Cycles at) override;
    /// Draws what is still open up to `end`, marked as unfinished, and completes the JSON. The file
    /// stays open.
    void finish(Cycles end);

private:
    enum class Kind : std::uint8_t { executing, done, activity, count };
    struct Event {
        Cycles cycle;
        int pipe = 0;
        Kind kind = Kind::activity;
        std::uint64_t number = 0;
        Instruction instruction;
        PipeActivity activity = PipeActivity::idle;
        WaitReason reason = WaitReason::none;
        std::string from, to; ///< of a count: cores, the set is `number`
        int id = 0;
    };
    struct Running {
        Cycles start;
        std::uint64_t number = 0;
        Instruction instruction;
    };
    struct Wait {
        Cycles start;
        WaitReason reason = WaitReason::none;
    };
    /// A finished piece of the lane that can't be written yet, or is about to be.
    struct Slice {
        Cycles start, length;
        std::uint64_t number = 0; ///< of the instruction; waits come last
        std::string text;
    };
    struct Lane {
        std::string core, name;
        std::string place; ///< the "pid" and "tid" members of its events
        std::optional<Running> running;
        std::optional<Wait> wait;
        StallBook stalls;
        std::vector<Slice> slices;
    };
    using FlagKey = std::tuple<std::string, Pipe, Pipe, int>;
    /// A cross_core_set_flag as it was drawn.
    struct DrawnSet {
        std::uint64_t number = 0;
        std::size_t lane = 0;
        Cycles start, length;
    };
    using CounterKey = std::pair<std::string, int>; ///< core and id

    void collect(Event event);
    void process_collected();
    void handle(const Event& event);
    void cut_wait(Lane& lane, Cycles cycle);
    void cut(Cycles end);
    void end_instruction(Lane& lane, Cycles cycle, bool finished);
    void draw(Lane& lane, const Running& running, Cycles cycle, bool finished);
    std::string flow_text(const Lane& lane, const Operation& operation, Cycles start,
                          Cycles length);
    std::string arrow_text(const Lane& lane, std::string_view category, std::string_view phase,
                           std::uint64_t id, Cycles cycle) const;
    void start_cross_core_arrow(const Event& count);
    void write_slices(Lane& lane);
    void write_event(std::string_view text);
    std::string times(Cycles start, Cycles length) const;

    OutputFile& out_;
    int clock_mhz_;
    std::vector<Lane> lanes_; ///< by PipeInfo::index
    std::vector<Event> collected_;
    std::map<FlagKey, std::deque<std::uint64_t>> open_flows_; ///< sets that no wait has taken yet
    /// Sets that a count may still come from, and counts that no wait has taken yet.
    std::map<CounterKey, std::deque<DrawnSet>> drawn_sets_;
    std::map<CounterKey, std::deque<std::uint64_t>> open_counts_;
    std::uint64_t flows_ = 0;
    Cycles base_; ///< cycles before the last reset; all times inside count them
    bool first_event_ = true;
    bool finished_ = false;
};

} // namespace aicore::tb
