#include "tb/run/hang_report.h"

#include "tb/run/wait_graph.h"

#include <sstream>

namespace aicore::tb {

namespace {

/// Ranges of blocks that are listed before the rest is only counted.
constexpr std::size_t kListedRanges = 8;

std::string name_of(const EventFlags::Name& flag) {
    std::ostringstream text;
    text << to_string(flag.src) << "->" << to_string(flag.dst) << " id " << flag.id;
    return text.str();
}

std::string ordinal(std::size_t position) {
    const std::size_t last = position % 10;
    const bool teen = position / 10 % 10 == 1;
    const char* ending = teen || last == 0 || last > 3 ? "th"
                         : last == 1                   ? "st"
                         : last == 2                   ? "nd"
                                                       : "rd";
    return std::to_string(position) + ending;
}

/// "3, 8-15, 20-31 and 5 more" for rising numbers.
std::string ranges(const std::vector<int>& numbers) {
    std::ostringstream text;
    std::size_t listed = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        if (listed++ == kListedRanges) {
            text << " and " << numbers.size() - i << " more";
            break;
        }
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text << (i == 0 ? "" : ", ") << numbers[i];
        if (end > i + 1) text << '-' << numbers[end - 1];
        i = end;
    }
    return text.str();
}

std::string reason_text(WaitReason reason) {
    switch (reason) {
    case WaitReason::queue_full: return "a place in a full queue";
    case WaitReason::event_flag: return "an event flag";
    case WaitReason::unit_flag: return "unit flags of L0C";
    case WaitReason::barrier: return "a barrier";
    case WaitReason::cross_core_flag: return "another core";
    case WaitReason::link_busy: return "a busy link";
    case WaitReason::arbitration: return "its turn at a shared port";
    case WaitReason::bank_conflict: return "a memory bank";
    case WaitReason::memory_latency: return "data from memory";
    case WaitReason::none: break;
    }
    return "nothing";
}

class Report {
public:
    Report(std::ostream& out, const Core& core, const PlaceText& place_text)
        : out_(out), core_(core), place_text_(place_text) {}

    void write(RunOutcome outcome, Cycles now, InstructionSource* rest) {
        graph_ = analyse_waits(core_, rest);
        out_ << "hang of " << core_.basename() << " in cycle " << now << ": "
             << (outcome == RunOutcome::stuck
                     ? "nothing is left to happen, and the program is not over"
                     : "no instruction completes any more")
             << '\n'
             << core_.scalar().dispatched() - (core_.scalar().current() != nullptr ? 1 : 0)
             << " instructions dispatched, "
             << (core_.scalar().current() != nullptr ? "the next one waits"
                                                     : "none is left in the program")
             << '\n';
        for (const BlockedPipe& blocked : graph_.pipes) write_pipe(blocked, outcome);
        write_circle();
        for (const std::string& line : leftovers()) out_ << line << '\n';
    }

    std::vector<std::string> leftovers() const {
        std::vector<std::string> lines;
        for (const EventFlags::Name& flag : core_.event_flags().set_flags()) {
            lines.push_back("event flag " + name_of(flag) +
                            " is left set: " + changed("set", core_.event_flags().last_set(flag)));
        }
        add_cross_core_leftovers(lines);
        if (core_.unit_flag_state() == nullptr) return lines;
        const L0cUnitFlags& flags = *core_.unit_flag_state();
        for (int block = 0; block < flags.blocks();) {
            if (!flags.read(block)) {
                ++block;
                continue;
            }
            const L0cUnitFlags::History& setter = flags.last_set(block);
            std::vector<int> blocks;
            while (block < flags.blocks() && flags.read(block) &&
                   flags.last_set(block).instruction == setter.instruction) {
                blocks.push_back(block++);
            }
            lines.push_back("unit flags of L0C blocks " + ranges(blocks) + " are left 1: set by " +
                            instruction_text(setter.instruction, setter.place));
        }
        return lines;
    }

private:
    void add_cross_core_leftovers(std::vector<std::string>& lines) const {
        const CrossCoreFlags& flags = core_.event_flags().cross_core();
        const int own = core_.event_flags().core();
        for (int id = 0; id < CrossCoreFlags::kIds; ++id) {
            const std::string name =
                std::string("cross-core flag ") + std::to_string(id) + " of " + core_.basename();
            if (flags.count(own, id) > 0) {
                lines.push_back(name + " is left at " + std::to_string(flags.count(own, id)));
            }
            if (flags.collected(own, id) > 0) {
                lines.push_back(name + " was set and the other participants have not set it");
            }
        }
    }

    static std::string_view pipe_name(const BlockedPipe& blocked) {
        return to_string(blocked.info->pipe);
    }

    void write_pipe(const BlockedPipe& blocked, RunOutcome outcome) {
        out_ << '\n' << pipe_name(blocked) << " (" << blocked.info->path << ") ";
        if (blocked.reason != WaitReason::none) {
            out_ << "waits for " << reason_text(blocked.reason);
        } else if (outcome == RunOutcome::no_progress) {
            out_ << "is at work";
        } else {
            out_ << "stands still without a reason: this is a fault of the model, please report it";
        }
        out_ << "\n  at    " << text_of(*blocked.instruction) << ", instruction " << blocked.number
             << '\n';
        if (const auto* flag = std::get_if<FlagWait>(&blocked.wait)) write_flag(*flag);
        if (const auto* unit = std::get_if<UnitFlagWait>(&blocked.wait)) write_unit_flags(*unit);
        if (const auto* wait = std::get_if<CrossCoreWaitFlag>(&blocked.instruction->operation)) {
            write_cross_core(*wait);
        }
        if (const auto* sync = std::get_if<SyncAll>(&blocked.instruction->operation)) {
            write_absent_cores(*sync);
        }
        if (std::holds_alternative<SoftSyncAll>(blocked.instruction->operation)) {
            out_ << "  slots of the cores that have not arrived: "
                 << ranges(core_.scalar().absent_slots()) << '\n';
        }
        if (blocked.reason == WaitReason::queue_full || blocked.reason == WaitReason::barrier) {
            for (const Pipe pipe : blocked.waits_for) {
                out_ << "  needs " << to_string(pipe) << ", which stands at " << standing_at(pipe)
                     << '\n';
            }
        }
        if (!std::holds_alternative<std::monostate>(blocked.wait)) write_remedies(blocked);
    }

    void write_flag(const FlagWait& wait) {
        const EventFlags& flags = core_.event_flags();
        out_ << "  flag  " << name_of(wait.flag)
             << " is 0: " << changed("set", flags.last_set(wait.flag)) << ", "
             << changed("consumed", flags.last_cleared(wait.flag)) << '\n';
        for (const EventFlags::Name& other : wait.mistaken) {
            out_ << "        " << name_of(other) << " is set and nobody waits for it\n";
        }
    }

    void write_cross_core(const CrossCoreWaitFlag& wait) {
        const CrossCoreFlags& flags = core_.event_flags().cross_core();
        const int own = core_.event_flags().core();
        const int id = wait.id % CrossCoreFlags::kIds;
        out_ << "  flag  cross-core counter " << id << " is 0";
        const CrossCoreFlags::History& last = flags.last_counted(own, id);
        if (last.core >= 0) {
            out_ << ", last counted in cycle " << last.at << " after "
                 << flags.cores()[static_cast<std::size_t>(last.core)].name;
        } else {
            out_ << ", it was never counted";
        }
        out_ << '\n';
        for (int core = 0; core < static_cast<int>(flags.cores().size()); ++core) {
            if (flags.collected(core, id) == 0) continue;
            out_ << "        " << flags.cores()[static_cast<std::size_t>(core)].name
                 << " has set id " << id << ", other participants have not\n";
        }
        for (int other = 0; other < CrossCoreFlags::kIds; ++other) {
            if (flags.count(own, other) == 0) continue;
            out_ << "        counter " << other << " is " << flags.count(own, other)
                 << " and nobody waits for it\n";
        }
    }

    void write_absent_cores(const SyncAll& sync) {
        const CrossCoreFlags& flags = core_.event_flags().cross_core();
        const std::vector<int> absent =
            flags.absent_from_sync_all(core_.event_flags().core(), sync.aiv_only);
        out_ << "  cores that have not come to it:";
        for (const int core : absent) {
            out_ << ' ' << flags.cores()[static_cast<std::size_t>(core)].name;
        }
        out_ << (absent.empty() ? " none; one of them waits for its own pipes\n" : "\n");
    }

    void write_unit_flags(const UnitFlagWait& wait) {
        const L0cUnitFlags& flags = *core_.unit_flag_state();
        out_ << "  flag  of block " << wait.block << " (L0C bytes "
             << wait.block * kUnitFlagBlockBytes << ".."
             << (wait.block + 1) * kUnitFlagBlockBytes - 1 << ", fractal row " << wait.fractal_row
             << ", panel " << wait.panel << ") is " << (wait.wanted ? 0 : 1) << ", must be "
             << (wait.wanted ? 1 : 0) << ": " << changed("set", flags.last_set(wait.block)) << ", "
             << changed("cleared", flags.last_cleared(wait.block)) << '\n';
        out_ << "        " << wait.missing.size() << " of the " << wait.ahead
             << " blocks from there on are " << (wait.wanted ? 0 : 1) << ": "
             << ranges(wait.missing) << '\n';
    }

    void write_remedies(const BlockedPipe& blocked) {
        for (const Remedy& remedy : blocked.remedies) {
            out_ << "  needs " << text_of(remedy.instruction) << ": " << whereabouts(remedy)
                 << '\n';
        }
        if (blocked.remedies.empty()) {
            out_ << "  needs " << remedy_text(blocked) << ": none is in a queue"
                 << (graph_.all_known ? ", and none is left in the program"
                                      : "; the rest of the program was not looked through")
                 << '\n';
        }
    }

    static std::string remedy_text(const BlockedPipe& blocked) {
        if (const auto* wait = std::get_if<FlagWait>(&blocked.wait)) {
            return "a set_flag " + name_of(wait->flag);
        }
        return std::get<UnitFlagWait>(blocked.wait).wanted
                   ? "an mmad with unit_flag 3 on this block"
                   : "a fixpipe with unit_flag 3 on this block, or clear_unit_flags";
    }

    std::string whereabouts(const Remedy& remedy) const {
        const std::string pipe(to_string(remedy.pipe));
        switch (remedy.where) {
        case Remedy::Where::in_flight: return pipe + " is at it";
        case Remedy::Where::deferred:
            return "executes on " + pipe + " when what is before it is complete; " + pipe +
                   " stands at " + standing_at(remedy.pipe);
        case Remedy::Where::queued:
            return ordinal(remedy.position) + " of " + std::to_string(remedy.queue_fill) +
                   " in the queue of " + pipe + ", which stands at " + standing_at(remedy.pipe);
        case Remedy::Where::not_dispatched:
            return "not dispatched, the scalar unit stands at " + standing_at(Pipe::S);
        }
        return {};
    }

    void write_circle() {
        const std::vector<Pipe>& circle = graph_.circle;
        if (!circle.empty()) out_ << '\n';
        for (std::size_t i = 0; i < circle.size(); ++i) {
            out_ << (i == 0 ? "" : ", ") << to_string(circle[i]) << " waits for "
                 << to_string(circle[(i + 1) % circle.size()]);
        }
        out_ << (circle.empty() ? "\n" : "\n\n");
    }

    std::string standing_at(Pipe pipe) const {
        for (const BlockedPipe& blocked : graph_.pipes) {
            if (blocked.info->pipe == pipe) return text_of(*blocked.instruction);
        }
        return "nothing";
    }

    std::string place_of(SourcePlace place) const {
        return place.line == 0 ? std::string() : " (" + place_text_(place) + ")";
    }
    std::string text_of(const Instruction& instruction) const {
        return disassemble(instruction.operation) + place_of(instruction.place);
    }
    std::string instruction_text(std::uint64_t number, SourcePlace place) const {
        return "instruction " + std::to_string(number) + place_of(place);
    }

    template <typename History>
    std::string changed(const std::string& verb, const History& history) const {
        if (history.at < Cycles(0)) return "never " + verb;
        std::ostringstream text;
        text << "last " << verb << " in cycle " << history.at << " by "
             << instruction_text(history.instruction, history.place);
        return text.str();
    }

    std::ostream& out_;
    const Core& core_;
    const PlaceText& place_text_;
    WaitGraph graph_;
};

} // namespace

void write_hang_report(std::ostream& out, const Core& core, RunOutcome outcome, Cycles now,
                       const PlaceText& place_text, InstructionSource* rest) {
    Report(out, core, place_text).write(outcome, now, rest);
}

std::vector<std::string> leftover_warnings(const Core& core, const PlaceText& place_text) {
    std::ostringstream unused;
    return Report(unused, core, place_text).leftovers();
}

} // namespace aicore::tb
