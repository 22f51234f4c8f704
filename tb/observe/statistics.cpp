#include "tb/observe/statistics.h"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

namespace aicore::tb {

Cycles PipeCounts::waiting_total() const {
    return std::accumulate(waiting.begin(), waiting.end(), Cycles(0));
}

Statistics::Statistics(const ObserverHub& hub)
    : hub_(hub), pipes_(hub.pipes().size()), links_(hub.links().size()),
      ub_conflicts_(hub.cores().size()) {}

void Statistics::settle(PipeState& pipe, Cycles cycle) {
    if (cycle <= pipe.since) return;
    const Cycles length = cycle - pipe.since;
    switch (pipe.activity) {
    case PipeActivity::idle: pipe.counts.idle += length; break;
    case PipeActivity::waiting:
        pipe.counts.waiting[static_cast<std::size_t>(pipe.reason)] += length;
        break;
    case PipeActivity::executing: pipe.counts.busy += length; break;
    }
    const bool executing = pipe.activity == PipeActivity::executing;
    pipe.stalls.take(pipe.since, cycle, [&](WaitReason reason, Cycles lost) {
        if (!executing) return;
        pipe.counts.busy -= lost;
        pipe.counts.waiting[static_cast<std::size_t>(reason)] += lost;
    });
    pipe.since = cycle;
}

void Statistics::on_stage(Cycles cycle, const PipeInfo& info, const InstructionTag&,
                          InstructionStage stage) {
    cycle += base_;
    now_ = std::max(now_, cycle);
    if (stage != InstructionStage::done) return;
    PipeState& pipe = pipes_[static_cast<std::size_t>(info.index)];
    ++pipe.counts.instructions;
    // Keeps the list of stalls short while a pipe executes one instruction after the other.
    settle(pipe, cycle);
}

void Statistics::on_activity(Cycles cycle, const PipeInfo& info, PipeActivity activity,
                             WaitReason reason) {
    cycle += base_;
    now_ = std::max(now_, cycle);
    PipeState& pipe = pipes_[static_cast<std::size_t>(info.index)];
    settle(pipe, cycle);
    pipe.activity = activity;
    pipe.reason = reason;
}

void Statistics::on_stall(Cycles cycle, const PipeInfo& info, WaitReason reason, Cycles cycles) {
    cycle += base_;
    PipeState& pipe = pipes_[static_cast<std::size_t>(info.index)];
    // A burst may report its stalls when it is over, in part after that time was counted.
    if (cycle < pipe.since) {
        const Cycles late = std::min({cycles, pipe.since - cycle, pipe.counts.busy});
        pipe.counts.busy -= late;
        pipe.counts.waiting[static_cast<std::size_t>(reason)] += late;
    }
    pipe.stalls.add(std::max(cycle, pipe.since), cycle + cycles, reason);
}

void Statistics::on_transfer(const LinkInfo& info, Cycles from, Cycles until, Bytes bytes) {
    from += base_;
    until += base_;
    LinkState& link = links_[static_cast<std::size_t>(info.index)];
    link.counts.bytes += bytes;
    if (!link.used) link.first = from;
    link.used = true;
    if (!link.open.empty() && from <= link.open.back().until) {
        link.open.back().until = std::max(link.open.back().until, until);
        return;
    }
    // Spans that have passed can't be cut short by the end of the run any more.
    auto passed = link.open.begin();
    for (; passed != link.open.end() && passed->until <= now_; ++passed) {
        link.counts.busy += passed->until - passed->from;
    }
    link.open.erase(link.open.begin(), passed);
    link.open.push_back({from, until});
}

void Statistics::on_ub_conflict(Cycles, const PipeInfo& info, const char* loser,
                                const char* winner) {
    std::vector<UbConflict>& conflicts = ub_conflicts_[static_cast<std::size_t>(info.core->index)];
    for (UbConflict& known : conflicts) {
        if (known.loser != loser || known.winner != winner) continue;
        ++known.cycles;
        return;
    }
    conflicts.push_back({loser, winner, 1});
}

std::map<std::string, std::int64_t> Statistics::ub_conflicts() const {
    std::map<std::string, std::int64_t> cycles;
    for (const CoreInfo* core : hub_.cores()) {
        for (const UbConflict& conflict : ub_conflicts_[static_cast<std::size_t>(core->index)]) {
            cycles[core->name + ": " + conflict.loser + " waits for " + conflict.winner] +=
                conflict.cycles;
        }
    }
    return cycles;
}

void Statistics::on_reset(Cycles at) {
    base_ += at;
    cut(base_);
    for (PipeState& pipe : pipes_) {
        pipe.activity = PipeActivity::idle;
        pipe.reason = WaitReason::none;
        pipe.stalls.clear();
    }
}

void Statistics::finish(Cycles end) { cut(base_ + end); }

void Statistics::cut(Cycles end) {
    for (PipeState& pipe : pipes_) settle(pipe, end);
    for (LinkState& link : links_) {
        for (const Span& span : link.open) {
            const Cycles until = std::min(span.until, end);
            if (span.from < until) link.counts.busy += until - span.from;
        }
        if (!link.open.empty()) {
            const Cycles until = std::min(link.open.back().until, end);
            link.counts.span = std::max(Cycles(0), until - link.first);
        }
        link.open.clear();
    }
}

const PipeCounts& Statistics::pipe(int index) const {
    return pipes_.at(static_cast<std::size_t>(index)).counts;
}

const LinkCounts& Statistics::link(int index) const {
    return links_.at(static_cast<std::size_t>(index)).counts;
}

nlohmann::ordered_json Statistics::to_json(const RunSummary& run) const {
    nlohmann::ordered_json root;
    root["schema"] = "aicore-stats/1";
    root["cycles"] = run.cycles.count();
    if (run.launches.size() > 1) {
        for (const Cycles launch : run.launches) root["launches"].push_back(launch.count());
    }
    root["clock_mhz"] = run.clock_mhz;
    root["pipes"] = nlohmann::ordered_json::object();
    for (const PipeInfo* info : hub_.pipes()) {
        if (!info->core->in_use) continue;
        const PipeCounts& counts = pipe(info->index);
        nlohmann::ordered_json waiting = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < counts.waiting.size(); ++i) {
            if (counts.waiting[i].count() == 0) continue;
            waiting[std::string(to_string(static_cast<WaitReason>(i)))] = counts.waiting[i].count();
        }
        root["pipes"][info->path] = {{"busy_cycles", counts.busy.count()},
                                     {"instructions", counts.instructions},
                                     {"waiting_cycles", waiting}};
    }
    root["links"] = nlohmann::ordered_json::object();
    for (const LinkInfo* info : hub_.links()) {
        if (!info->core->in_use) continue;
        const LinkCounts& counts = link(info->index);
        root["links"][info->path] = {{"bytes", counts.bytes.count()},
                                     {"busy_cycles", counts.busy.count()}};
    }
    root["memory"] = {{"l2_read_hits", run.memory.l2_read_hits},
                      {"l2_read_misses", run.memory.l2_read_misses},
                      {"hbm_read_bytes", run.memory.hbm_read.count()},
                      {"hbm_written_bytes", run.memory.hbm_written.count()},
                      {"hccs_read_bytes", run.memory.hccs_read.count()},
                      {"hccs_written_bytes", run.memory.hccs_written.count()}};
    for (const auto& [names, cycles] : ub_conflicts()) root["ub_conflicts"][names] = cycles;
    root["result"] = {{"checked", run.checked},
                      {"mismatches", run.mismatches},
                      {"max_abs_error", run.max_abs_error}};
    return root;
}

} // namespace aicore::tb
