#include "tb/observe/timeline.h"

#include "hw/isa/cross_core_ids.h"
#include "tb/observe/core_names.h"
#include "tb/observe/event_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace aicore::tb {
namespace {

constexpr std::uint64_t kNoNumber = std::numeric_limits<std::uint64_t>::max();

/// Sets of a core and id that are remembered: those of participants that were not the last one are
/// never asked for.
constexpr std::size_t kDrawnSets = 64;

constexpr std::string_view kArrowStart = R"("ph":"s")";
constexpr std::string_view kArrowEnd = R"("ph":"f","bp":"e")";

int lane_order(Pipe pipe) {
    switch (pipe) {
    case Pipe::S: return 0;
    case Pipe::MTE1: return 1;
    case Pipe::MTE2: return 2;
    case Pipe::MTE3: return 3;
    case Pipe::M: return 4;
    case Pipe::FIX: return 5;
    case Pipe::V: return 4;
    default: return 6;
    }
}

/// What takes no time is drawn in the cycle before its end. A set_flag that follows an instruction
/// is then the last piece of it, and can be written before the next one is over: viewers that round
/// times want an arrow's tail before its head in the file.
Cycles drawn_from(Cycles start, Cycles end) {
    return start < end ? start : std::max(Cycles(0), end - Cycles(1));
}

} // namespace

Timeline::Timeline(OutputFile& out, const ObserverHub& hub, int clock_mhz)
    : out_(out), clock_mhz_(clock_mhz) {
    out_.write("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"schema\":\"aicore-timeline/1\","
               "\"clock_mhz\":" +
               std::to_string(clock_mhz) + "},\"traceEvents\":[\n");
    std::vector<std::string> cores;
    for (const PipeInfo* info : hub.pipes()) {
        Lane lane;
        lane.core = core_of(info->path);
        lane.name = lane_name(info->pipe);
        const std::string pid = "\"pid\":" + json_string(lane.core);
        lane.place = pid + ",\"tid\":" + json_string(lane.name);
        if (!info->core->in_use) {
            lanes_.push_back(std::move(lane));
            continue;
        }
        if (std::find(cores.begin(), cores.end(), lane.core) == cores.end()) {
            write_event(R"({"name":"process_name","ph":"M",)" + pid +
                        ",\"args\":{\"name\":" + json_string(lane.core) + "}}");
            write_event(R"({"name":"process_sort_index","ph":"M",)" + pid +
                        ",\"args\":{\"sort_index\":" + std::to_string(cores.size()) + "}}");
            cores.push_back(lane.core);
        }
        write_event(R"({"name":"thread_name","ph":"M",)" + lane.place +
                    ",\"args\":{\"name\":" + json_string(lane.name) + "}}");
        write_event(R"({"name":"thread_sort_index","ph":"M",)" + lane.place +
                    ",\"args\":{\"sort_index\":" + std::to_string(lane_order(info->pipe)) + "}}");
        lanes_.push_back(std::move(lane));
    }
}

void Timeline::on_stage(Cycles cycle, const PipeInfo& info, const InstructionTag& tag,
                        InstructionStage stage) {
    if (stage != InstructionStage::executing && stage != InstructionStage::done) return;
    Event event;
    event.cycle = base_ + cycle;
    event.pipe = info.index;
    event.number = tag.number;
    event.kind = stage == InstructionStage::done ? Kind::done : Kind::executing;
    event.instruction = *tag.instruction;
    collect(std::move(event));
}

void Timeline::on_activity(Cycles cycle, const PipeInfo& info, PipeActivity activity,
                           WaitReason reason) {
    Event event;
    event.cycle = base_ + cycle;
    event.pipe = info.index;
    event.activity = activity;
    event.reason = reason;
    collect(std::move(event));
}

void Timeline::on_stall(Cycles cycle, const PipeInfo& info, WaitReason reason, Cycles cycles) {
    cycle += base_;
    lanes_[static_cast<std::size_t>(info.index)].stalls.add(cycle, cycle + cycles, reason);
}

void Timeline::on_cross_core_count(Cycles cycle, const CoreInfo& to, int id, const CoreInfo& from,
                                   std::uint64_t set) {
    Event event;
    event.cycle = base_ + cycle;
    event.pipe = std::numeric_limits<int>::max(); // behind the set, which may be of this cycle
    event.kind = Kind::count;
    event.number = set;
    event.from = from.name;
    event.to = to.name;
    event.id = id;
    collect(std::move(event));
}

void Timeline::collect(Event event) {
    if (finished_) return;
    if (!collected_.empty() && event.cycle > collected_.front().cycle) process_collected();
    collected_.push_back(std::move(event));
}

void Timeline::process_collected() {
    // Of one instruction, executing comes before done; of one pipe, earlier instructions first.
    const auto key = [](const Event& event) {
        return std::make_tuple(event.cycle, event.pipe, event.kind == Kind::activity, event.number,
                               event.kind);
    };
    std::stable_sort(collected_.begin(), collected_.end(),
                     [&](const Event& a, const Event& b) { return key(a) < key(b); });
    for (const Event& event : collected_) {
        event.kind == Kind::count ? start_cross_core_arrow(event) : handle(event);
    }
    for (Lane& lane : lanes_) {
        if (!lane.slices.empty()) write_slices(lane);
    }
    collected_.clear();
}

/// The arrow is written with the set, or behind it when that is in the file already.
void Timeline::start_cross_core_arrow(const Event& count) {
    std::deque<DrawnSet>& sets = drawn_sets_[{count.from, count.id}];
    const auto set = std::find_if(sets.begin(), sets.end(), [&count](const DrawnSet& drawn) {
        return drawn.number == count.number;
    });
    if (set == sets.end()) return;
    open_counts_[{count.to, count.id}].push_back(++flows_);
    Lane& lane = lanes_[set->lane];
    lane.slices.push_back({set->start, set->length, set->number,
                           arrow_text(lane, "CrossCore", kArrowStart, flows_, set->start)});
}

void Timeline::handle(const Event& event) {
    Lane& lane = lanes_[static_cast<std::size_t>(event.pipe)];
    // Instructions cut waits, so that a wait lies inside of one instruction or between two.
    const Running instruction{event.cycle, event.number, event.instruction};
    switch (event.kind) {
    case Kind::executing:
        cut_wait(lane, event.cycle);
        if (lane.running) end_instruction(lane, event.cycle, false);
        lane.running = instruction;
        break;
    case Kind::done:
        if (lane.running && lane.running->number == event.number) {
            cut_wait(lane, event.cycle);
            end_instruction(lane, event.cycle, true);
        } else {
            draw(lane, instruction, event.cycle, true);
        }
        break;
    case Kind::count: break;
    case Kind::activity:
        cut_wait(lane, event.cycle);
        lane.wait.reset();
        if (event.activity == PipeActivity::waiting) lane.wait = Wait{event.cycle, event.reason};
        break;
    }
}

void Timeline::cut_wait(Lane& lane, Cycles cycle) {
    if (!lane.wait || lane.wait->start >= cycle) return;
    const Cycles start = lane.wait->start;
    const Cycles length = cycle - start;
    lane.slices.push_back({start, length, kNoNumber,
                           "{\"name\":\"wait: " + std::string(to_string(lane.wait->reason)) +
                               "\",\"cname\":\"terrible\",\"ph\":\"X\"," + lane.place +
                               times(start, length) +
                               ",\"args\":{\"cycle\":" + std::to_string(start.count()) +
                               ",\"cycles\":" + std::to_string(length.count()) + "}}"});
    lane.wait->start = cycle;
}

void Timeline::end_instruction(Lane& lane, Cycles cycle, bool finished) {
    draw(lane, *lane.running, cycle, finished);
    lane.running.reset();
}

void Timeline::draw(Lane& lane, const Running& running, Cycles cycle, bool finished) {
    const Cycles start = drawn_from(running.start, cycle);
    const Cycles length = std::max(Cycles(1), cycle - start);
    std::string text =
        "{\"name\":" + json_string(short_name(running.instruction.operation)) + ",\"ph\":\"X\"," +
        lane.place + times(start, length) +
        ",\"args\":{\"detail\":" + json_string(disassemble(running.instruction.operation));
    if (running.instruction.place.line > 0) {
        text += ",\"line\":" + std::to_string(running.instruction.place.line);
    }
    text += ",\"number\":" + std::to_string(running.number) +
            ",\"cycle\":" + std::to_string(running.start.count()) +
            ",\"cycles\":" + std::to_string((cycle - running.start).count());

    std::array<Cycles, kWaitReasons> stalls{};
    // A flag takes no time: the stalls known so far are those of the instruction around it.
    if (running.start < cycle) {
        lane.stalls.take(running.start, cycle, [&](WaitReason reason, Cycles lost) {
            stalls[static_cast<std::size_t>(reason)] += lost;
        });
    }
    std::string stall_text;
    for (std::size_t i = 0; i < stalls.size(); ++i) {
        if (stalls[i].count() == 0) continue;
        if (!stall_text.empty()) stall_text += ',';
        stall_text += json_string(to_string(static_cast<WaitReason>(i))) + ":" +
                      std::to_string(stalls[i].count());
    }
    if (!stall_text.empty()) text += ",\"stall_cycles\":{" + stall_text + "}";
    if (!finished) text += ",\"unfinished\":true";
    text += "}}";
    // An arrow holds on to the slice before it in the file, so the two stay together.
    if (finished) text += flow_text(lane, running.instruction.operation, start, length);
    if (const auto* set = std::get_if<CrossCoreSetFlag>(&running.instruction.operation)) {
        std::deque<DrawnSet>& sets = drawn_sets_[{lane.core, cross_core_counter(set->id)}];
        if (sets.size() == kDrawnSets) sets.pop_front();
        sets.push_back(
            {running.number, static_cast<std::size_t>(&lane - lanes_.data()), start, length});
    }
    lane.slices.push_back({start, length, running.number, std::move(text)});
}

std::string Timeline::flow_text(const Lane& lane, const Operation& operation, Cycles start,
                                Cycles length) {
    const auto arrow = [&](Pipe src, Pipe dst, std::string_view phase, std::uint64_t id,
                           Cycles cycle) {
        const std::string pipes = std::string(to_string(src)) + "To" + std::string(to_string(dst));
        return ",\n" + arrow_text(lane, pipes, phase, id, cycle);
    };
    if (const auto* set = std::get_if<SetFlag>(&operation)) {
        open_flows_[{lane.core, set->src, set->dst, set->id}].push_back(++flows_);
        return arrow(set->src, set->dst, kArrowStart, flows_, start);
    }
    if (const auto* across = std::get_if<CrossCoreWaitFlag>(&operation)) {
        const auto open = open_counts_.find({lane.core, cross_core_counter(across->id)});
        if (open == open_counts_.end() || open->second.empty()) return "";
        const std::uint64_t id = open->second.front();
        open->second.pop_front();
        return ",\n" + arrow_text(lane, "CrossCore", kArrowEnd, id, start + length - Cycles(1));
    }
    if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
        // The oldest set: one of the same cycle is not visible to this wait yet.
        const auto open = open_flows_.find({lane.core, wait->src, wait->dst, wait->id});
        if (open == open_flows_.end() || open->second.empty()) return "";
        const std::uint64_t id = open->second.front();
        open->second.pop_front();
        return arrow(wait->src, wait->dst, kArrowEnd, id, start + length - Cycles(1));
    }
    return "";
}

std::string Timeline::arrow_text(const Lane& lane, std::string_view category,
                                 std::string_view phase, std::uint64_t id, Cycles cycle) const {
    return "{\"name\":\"flow\",\"cat\":\"" + std::string(category) + "\"," + std::string(phase) +
           ",\"id\":" + std::to_string(id) + "," + lane.place +
           ",\"ts\":" + microseconds(picoseconds_at(cycle, clock_mhz_)) + "}";
}

void Timeline::write_slices(Lane& lane) {
    std::stable_sort(lane.slices.begin(), lane.slices.end(), [](const Slice& a, const Slice& b) {
        return std::make_tuple(a.start, b.length, a.number) <
               std::make_tuple(b.start, a.length, b.number);
    });
    // Something still open started together with a slice: it will be longer and must precede it.
    const auto blocked = [&](const Slice& slice) {
        return (lane.running && lane.running->start == slice.start) ||
               (lane.wait && lane.wait->start == slice.start);
    };
    std::vector<Slice> kept;
    for (Slice& slice : lane.slices) {
        if (blocked(slice)) {
            kept.push_back(std::move(slice));
        } else {
            write_event(slice.text);
        }
    }
    lane.slices = std::move(kept);
}

void Timeline::write_event(std::string_view text) {
    if (!first_event_) out_.write(",\n");
    first_event_ = false;
    out_.write(text);
}

std::string Timeline::times(Cycles start, Cycles length) const {
    const std::int64_t from = picoseconds_at(start, clock_mhz_);
    const std::int64_t until = picoseconds_at(start + length, clock_mhz_);
    return ",\"ts\":" + microseconds(from) + ",\"dur\":" + microseconds(until - from);
}

void Timeline::on_reset(Cycles at) {
    base_ += at;
    cut(base_);
    open_flows_.clear();
    drawn_sets_.clear();
    open_counts_.clear();
}

void Timeline::finish(Cycles end) {
    if (finished_) return;
    cut(base_ + end);
    out_.write("\n]}\n");
    finished_ = true;
}

void Timeline::cut(Cycles end) {
    process_collected();
    for (Lane& lane : lanes_) {
        cut_wait(lane, end);
        lane.wait.reset();
        if (lane.running) end_instruction(lane, end, false);
        lane.stalls.clear();
        write_slices(lane);
    }
}

} // namespace aicore::tb
