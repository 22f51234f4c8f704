#include "tb/run/hang_report.h"

#include "tb/run/leftover_flags.h"
#include "tb/run/wait_graph.h"

#include <algorithm>

namespace aicore::tb {

namespace {

/// Instructions that could end a wait and are listed; the others are only counted.
constexpr std::size_t kListedRemedies = 8;

std::string ordinal(std::size_t position) {
    const std::size_t last = position % 10;
    const bool teen = position / 10 % 10 == 1;
    const char* ending = teen || last == 0 || last > 3 ? "th"
                         : last == 1                   ? "st"
                         : last == 2                   ? "nd"
                                                       : "rd";
    return std::to_string(position) + ending;
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
    Report(std::ostream& out, const std::vector<RunCore>& cores, const FixpipeReadings& readings,
           const PlaceText& place_text)
        : out_(out), cores_(cores), place_text_(place_text),
          graph_(analyse_waits(cores, readings)) {}

    void write(RunOutcome outcome, Cycles now) {
        for (index_ = 0; index_ < cores_.size(); ++index_) {
            if (!core().scalar().is_done()) write_core(outcome, now);
        }
        for (const std::vector<PipeRef>& circle : graph_.circles) write_circle(circle);
    }

private:
    const Core& core() const { return *cores_[index_].core; }

    void write_core(RunOutcome outcome, Cycles now) {
        const bool waits = core().scalar().current() != nullptr;
        out_ << "hang of " << core().basename() << " in cycle " << now << ": "
             << (outcome == RunOutcome::stuck
                     ? "nothing is left to happen, and the program is not over"
                     : "no instruction makes progress any more")
             << '\n'
             << core().scalar().position_of(core().scalar().dispatched()) - (waits ? 1 : 0)
             << " instructions dispatched, "
             << (waits ? "the next one waits" : "none is left in the program") << '\n';
        for (const BlockedPipe& blocked : graph_.cores[index_].pipes) write_pipe(blocked, outcome);
        out_ << '\n';
        const std::vector<std::string> left = leftover_flags(core(), place_text_);
        for (const std::string& line : left) out_ << line << '\n';
        if (!left.empty()) out_ << '\n';
    }

    void write_pipe(const BlockedPipe& blocked, RunOutcome outcome) {
        out_ << '\n' << to_string(blocked.info->pipe) << " (" << blocked.info->path << ") ";
        if (blocked.reason != WaitReason::none) {
            out_ << "waits for " << reason_text(blocked.reason);
        } else if (outcome == RunOutcome::no_progress) {
            out_ << "is at work";
        } else {
            out_ << "stands still without a reason: this is a fault of the model, please report it";
        }
        out_ << "\n  at    " << text_of(*blocked.instruction) << ", instruction "
             << core().scalar().position_of(blocked.number) << '\n';
        if (const auto* flag = std::get_if<FlagWait>(&blocked.wait)) write_flag(*flag);
        if (const auto* other = std::get_if<CrossCoreWait>(&blocked.wait)) write_cross_core(*other);
        if (const auto* unit = std::get_if<UnitFlagWait>(&blocked.wait)) write_unit_flags(*unit);
        if (const auto* sync = std::get_if<SyncAll>(&blocked.instruction->operation)) {
            write_absent_cores(*sync);
        }
        if (!core().scalar().absent_slots().empty() &&
            std::holds_alternative<SoftSyncAll>(blocked.instruction->operation)) {
            out_ << "  slots of the cores that have not arrived: "
                 << ranges_text(core().scalar().absent_slots()) << '\n';
        }
        if (blocked.reason == WaitReason::queue_full || blocked.reason == WaitReason::barrier) {
            for (const PipeRef& pipe : blocked.waits_for) {
                out_ << "  needs " << to_string(pipe.pipe) << ", which stands at "
                     << standing_at(pipe) << '\n';
            }
        }
        if (!std::holds_alternative<std::monostate>(blocked.wait)) write_remedies(blocked);
    }

    void write_flag(const FlagWait& wait) {
        const EventFlags& flags = core().event_flags();
        out_ << "  flag  " << name_of(wait.flag)
             << " is 0: " << last_change(core(), "set", flags.last_set(wait.flag), place_text_)
             << ", " << last_change(core(), "consumed", flags.last_cleared(wait.flag), place_text_)
             << '\n';
        for (const EventFlags::Name& other : wait.mistaken) {
            out_ << "        " << name_of(other) << " is set and nobody waits for it\n";
        }
    }

    void write_cross_core(const CrossCoreWait& wait) {
        const CrossCoreFlags& flags = core().event_flags().cross_core();
        const int own = core().event_flags().core();
        const auto name = [&flags](int core) -> const std::string& {
            return flags.cores()[static_cast<std::size_t>(core)].name;
        };
        const CrossCoreFlags::History& last = flags.last_counted(own, wait.id);
        out_ << "  flag  cross-core counter " << wait.id << " is 0, ";
        if (last.core >= 0) {
            out_ << "last counted in cycle " << last.at << " after a set by " << name(last.core)
                 << place_suffix(last.place, place_text_);
        } else {
            out_ << "it was never counted";
        }
        out_ << '\n';
        for (const CrossCoreWait::Participant& participant : wait.participants) {
            out_ << "        " << name(participant.core) << " has "
                 << (participant.has_set ? "" : "not ") << "set id " << wait.id << '\n';
        }
        for (const int other : wait.mistaken) {
            out_ << "        counter " << other << " is " << flags.count(own, other)
                 << " and nobody waits for it\n";
        }
    }

    void write_absent_cores(const SyncAll& sync) {
        const CrossCoreFlags& flags = core().event_flags().cross_core();
        const std::vector<int> absent =
            flags.absent_from_sync_all(core().event_flags().core(), sync.aiv_only);
        out_ << "  cores that have not come to it:";
        for (const int core : absent) {
            out_ << ' ' << flags.cores()[static_cast<std::size_t>(core)].name;
        }
        out_ << (absent.empty()
                     ? " none; one waits for its own pipes, or in another kind of sync_all\n"
                     : "\n");
    }

    void write_unit_flags(const UnitFlagWait& wait) {
        const L0cUnitFlags& flags = *core().unit_flag_state();
        out_ << "  flag  of block " << wait.block << " (L0C bytes "
             << wait.block * kUnitFlagBlockBytes << ".."
             << (wait.block + 1) * kUnitFlagBlockBytes - 1 << ", fractal row " << wait.fractal_row
             << ", panel " << wait.panel << ") is " << (wait.wanted ? 0 : 1) << ", must be "
             << (wait.wanted ? 1 : 0) << ": "
             << last_change(core(), "set", flags.last_set(wait.block), place_text_) << ", "
             << last_change(core(), "cleared", flags.last_cleared(wait.block), place_text_) << '\n';
        out_ << "        " << wait.missing.size() << " of the " << wait.ahead
             << " blocks from there on are " << (wait.wanted ? 0 : 1) << ": "
             << ranges_text(wait.missing) << '\n';
    }

    void write_remedies(const BlockedPipe& blocked) {
        const std::size_t count = blocked.remedies.size();
        for (std::size_t i = 0; i < std::min(count, kListedRemedies); ++i) {
            const Remedy& remedy = blocked.remedies[i];
            out_ << "  needs " << text_of(remedy.instruction) << ": " << whereabouts(remedy)
                 << '\n';
        }
        if (count > kListedRemedies) {
            out_ << "  needs " << count - kListedRemedies << " more like these\n";
        }
        if (count > 0) return;
        out_ << "  needs " << remedy_text(blocked) << ": none is in a queue"
             << (graph_.all_known ? ", and none is left in the program"
                                  : "; the rest of the program was not looked through")
             << '\n';
    }

    static std::string remedy_text(const BlockedPipe& blocked) {
        if (const auto* wait = std::get_if<FlagWait>(&blocked.wait)) {
            return "a set_flag " + name_of(wait->flag);
        }
        if (const auto* wait = std::get_if<CrossCoreWait>(&blocked.wait)) {
            return "a cross_core_set_flag id " + std::to_string(wait->id) +
                   " that counts for this core";
        }
        return std::get<UnitFlagWait>(blocked.wait).wanted
                   ? "an mmad with unit_flag 3 on this block"
                   : "a fixpipe with unit_flag 3 on this block, or clear_unit_flags";
    }

    std::string whereabouts(const Remedy& remedy) const {
        const PipeRef at{remedy.core, remedy.pipe};
        const std::string of = remedy.core == index_ ? "" : " of " + core_name(remedy.core);
        const std::string pipe = std::string(to_string(remedy.pipe)) + of;
        switch (remedy.where) {
        case Remedy::Where::in_flight: return pipe + " is at it";
        case Remedy::Where::deferred:
            return "executes on " + pipe + " when what is before it is complete; " +
                   std::string(to_string(remedy.pipe)) + " stands at " + standing_at(at);
        case Remedy::Where::queued:
            return ordinal(remedy.position) + " of " + std::to_string(remedy.queue_fill) +
                   " in the queue of " + pipe + ", which stands at " + standing_at(at);
        case Remedy::Where::not_dispatched:
            return "not dispatched, the scalar unit" + of + " stands at " +
                   standing_at({remedy.core, Pipe::S});
        }
        return {};
    }

    void write_circle(const std::vector<PipeRef>& circle) {
        const auto name = [this](const PipeRef& pipe) {
            return std::string(to_string(pipe.pipe)) +
                   (cores_.size() == 1 ? "" : " of " + core_name(pipe.core));
        };
        for (std::size_t i = 0; i < circle.size(); ++i) {
            out_ << (i == 0 ? "" : ", ") << name(circle[i]) << " waits for "
                 << name(circle[(i + 1) % circle.size()]);
        }
        out_ << '\n';
    }

    std::string core_name(std::size_t core) const { return cores_[core].core->basename(); }

    std::string standing_at(const PipeRef& pipe) const {
        for (const BlockedPipe& blocked : graph_.cores[pipe.core].pipes) {
            if (blocked.info->pipe == pipe.pipe) return text_of(*blocked.instruction);
        }
        return "nothing";
    }

    std::string text_of(const Instruction& instruction) const {
        return disassemble(instruction.operation) + place_suffix(instruction.place, place_text_);
    }

    std::ostream& out_;
    const std::vector<RunCore>& cores_;
    const PlaceText& place_text_;
    WaitGraph graph_;
    std::size_t index_ = 0; ///< of the core that is written about
};

} // namespace

void write_hang_report(std::ostream& out, const std::vector<RunCore>& cores, RunOutcome outcome,
                       Cycles now, const FixpipeReadings& readings, const PlaceText& place_text) {
    Report(out, cores, readings, place_text).write(outcome, now);
}

} // namespace aicore::tb
