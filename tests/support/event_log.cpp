#include "tests/support/event_log.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace aicore::test {

namespace {

std::string_view name_of(InstructionStage stage) {
    switch (stage) {
    case InstructionStage::dispatched: return "dispatched";
    case InstructionStage::issued: return "issued";
    case InstructionStage::executing: return "executing";
    case InstructionStage::done: return "done";
    }
    return "?";
}

template <typename... Parts>
std::string join(const Parts&... parts) {
    std::ostringstream out;
    const char* gap = "";
    ((out << gap << parts, gap = " "), ...);
    return out.str();
}

} // namespace

void EventLog::on_stage(Cycles now, const PipeInfo& pipe, const InstructionTag& tag,
                        InstructionStage stage) {
    stages_[{tag.number, stage}] = now;
    event(now, join(pipe.path, tag.number, name_of(stage)));
}

void EventLog::on_activity(Cycles now, const PipeInfo& pipe, PipeActivity activity,
                           WaitReason reason) {
    if (activity == PipeActivity::waiting) ++waits_[{pipe.path, reason}];
    value(now, pipe.path + " activity", join(to_string(activity), to_string(reason)));
}

void EventLog::on_stall(Cycles from, const PipeInfo& pipe, WaitReason reason, Cycles cycles) {
    stalls_[{pipe.path, reason}] += cycles;
    event(from, join(pipe.path, "stall", to_string(reason), cycles));
}

void EventLog::on_queue_fill(Cycles now, const PipeInfo& pipe, int fill) {
    value(now, pipe.path + " queue", std::to_string(fill));
}

void EventLog::on_transfer(const LinkInfo& link, Cycles from, Cycles until, Bytes bytes) {
    event(from, join(link.path, "transfer until", until, bytes));
}

void EventLog::on_event_flag(Cycles now, const CoreInfo&, Pipe src, Pipe dst, int id, bool set) {
    value(now, join("event flag", to_string(src), to_string(dst), id), set ? "1" : "0");
}

void EventLog::on_unit_flag(Cycles now, const CoreInfo&, int block, bool set) {
    unit_flags_[block].push_back({now, set});
    value(now, join("unit flag", block), set ? "1" : "0");
}

void EventLog::on_l0c_access(Cycles now, const CoreInfo&, std::uint32_t banks, bool write) {
    event(now, join("l0c", write ? "write" : "read", banks));
}

void EventLog::clear() {
    stages_.clear();
    unit_flags_.clear();
    stalls_.clear();
    waits_.clear();
    events_.clear();
    values_.clear();
}

std::string EventLog::text() const {
    std::vector<std::pair<std::int64_t, std::string>> lines(events_.begin(), events_.end());
    for (const auto& [name, changes] : values_) {
        std::string before;
        for (const auto& [cycle, now] : changes) {
            if (now != before) lines.push_back({cycle, name + " = " + now});
            before = now;
        }
    }
    std::sort(lines.begin(), lines.end());
    std::ostringstream out;
    for (const auto& [cycle, line] : lines) out << cycle << ' ' << line << '\n';
    return out.str();
}

} // namespace aicore::test
