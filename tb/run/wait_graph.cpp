#include "tb/run/wait_graph.h"

#include "tb/run/flag_fractals.h"

#include <algorithm>
#include <utility>

namespace aicore::tb {

namespace {

/// Instructions of the rest of all programs that are looked at.
constexpr std::size_t kRestLimit = 200'000;

bool same(const EventFlags::Name& a, const EventFlags::Name& b) {
    return a.src == b.src && a.dst == b.dst && a.id == b.id;
}

template <typename FlagOperation>
bool names(const Operation& operation, const EventFlags::Name& flag) {
    const auto* found = std::get_if<FlagOperation>(&operation);
    return found != nullptr && same({found->src, found->dst, found->id}, flag);
}

bool idle(const Engine& engine) { return engine.queue().empty() && engine.in_flight().empty(); }

bool contains(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

void add_once(std::vector<PipeRef>& pipes, const PipeRef& pipe) {
    if (std::find(pipes.begin(), pipes.end(), pipe) == pipes.end()) pipes.push_back(pipe);
}

/// What the analysis knows of every core.
struct Scene {
    std::vector<RunCore> cores;
    std::vector<Outlook> outlooks;
    const FixpipeReadings& readings;
};

/// The waits of one core.
class CoreAnalysis {
public:
    CoreAnalysis(const Scene& scene, std::size_t index)
        : scene_(scene), index_(index), core_(*scene.cores[index].core),
          outlook_(scene.outlooks[index]) {}

    CoreWaits run() {
        for (const EventFlags::Name& flag : core_.event_flags().set_flags()) {
            const bool is_claimed = is_left(
                [&](const Operation& op, std::size_t) { return names<WaitFlag>(op, flag); });
            if (!is_claimed) waits_.unclaimed.push_back(flag);
        }
        add_scalar();
        for (const Engine* engine : core_.engines()) {
            if (!idle(*engine)) add_engine(*engine);
        }
        return std::move(waits_);
    }

private:
    /// Such an instruction may still come in this core.
    bool is_left(const Outlook::Predicate& wanted) const {
        return !outlook_.all_known() || !outlook_.find(wanted).empty();
    }

    void add_scalar() {
        const ScalarUnit& scalar = core_.scalar();
        if (scalar.current() == nullptr) return;
        BlockedPipe blocked;
        blocked.info = &scalar.info();
        blocked.reason = scalar.waiting_for();
        blocked.instruction = *scalar.current();
        blocked.number = scalar.dispatched();
        if (blocked.reason == WaitReason::queue_full) {
            blocked.waits_for.push_back({index_, pipe_of(blocked.instruction->operation)});
        } else if (blocked.reason == WaitReason::barrier) {
            for (const Engine* engine : core_.engines()) {
                if (!idle(*engine)) blocked.waits_for.push_back({index_, engine->info().pipe});
            }
        } else if (blocked.reason == WaitReason::event_flag) {
            add_flag_wait(blocked);
        } else if (std::holds_alternative<CrossCoreWaitFlag>(blocked.instruction->operation)) {
            add_cross_core_wait(blocked);
        } else if (const auto* sync = std::get_if<SyncAll>(&blocked.instruction->operation)) {
            add_absent_cores(*sync, blocked);
        }
        waits_.pipes.push_back(std::move(blocked));
    }

    void add_engine(const Engine& engine) {
        BlockedPipe blocked;
        blocked.info = &engine.info();
        blocked.reason = engine.waiting_for();
        const Engine::Entry& entry =
            engine.in_flight().empty() ? engine.queue().front() : engine.in_flight().front();
        blocked.instruction = entry.instruction;
        blocked.number = entry.number;
        if (blocked.reason == WaitReason::event_flag) add_flag_wait(blocked);
        if (blocked.reason == WaitReason::unit_flag) add_unit_flag_wait(blocked);
        waits_.pipes.push_back(std::move(blocked));
    }

    void add_flag_wait(BlockedPipe& blocked) {
        const auto& operation = std::get<WaitFlag>(blocked.instruction->operation);
        FlagWait wait;
        wait.flag = {operation.src, operation.dst, operation.id};
        for (const EventFlags::Name& other : waits_.unclaimed) {
            if (other.id == wait.flag.id) wait.mistaken.push_back(other);
        }
        find_remedies(blocked, index_, [flag = wait.flag](const Operation& op, std::size_t) {
            return names<SetFlag>(op, flag);
        });
        blocked.wait = std::move(wait);
    }

    void add_cross_core_wait(BlockedPipe& blocked) {
        const CrossCoreFlags& flags = core_.event_flags().cross_core();
        const int own = core_.event_flags().core();
        CrossCoreWait wait;
        wait.id =
            cross_core_counter(std::get<CrossCoreWaitFlag>(blocked.instruction->operation).id);
        add_participants(flags, own, wait);
        for (int other = 0; other < kCrossCoreIds; ++other) {
            if (flags.count(own, other) == 0) continue;
            const bool is_claimed = is_left([other](const Operation& op, std::size_t) {
                const auto* claim = std::get_if<CrossCoreWaitFlag>(&op);
                return claim != nullptr && cross_core_counter(claim->id) == other;
            });
            if (!is_claimed) wait.mistaken.push_back(other);
        }
        for (std::size_t i = 0; i < scene_.cores.size(); ++i) {
            const int setter = scene_.cores[i].core->event_flags().core();
            find_remedies(blocked, i, [&](const Operation& op, std::size_t) {
                const auto* set = std::get_if<CrossCoreSetFlag>(&op);
                return set != nullptr && cross_core_counter(set->id) == wait.id &&
                       flags.collected(setter, wait.id, set->mode) == 0 &&
                       contains(flags.recipients(setter, set->mode), own);
            });
        }
        blocked.wait = std::move(wait);
    }

    void add_absent_cores(const SyncAll& sync, BlockedPipe& blocked) const {
        const EventFlags& own = core_.event_flags();
        const std::vector<int> absent =
            own.cross_core().absent_from_sync_all(own.core(), sync.aiv_only);
        for (std::size_t i = 0; i < scene_.cores.size(); ++i) {
            if (contains(absent, scene_.cores[i].core->event_flags().core()))
                blocked.waits_for.push_back({i, Pipe::S});
        }
    }

    static void add_participants(const CrossCoreFlags& flags, int own, CrossCoreWait& wait) {
        for (int mode = 0; mode < CrossCoreFlags::kModes; ++mode) {
            for (int core = 0; core < static_cast<int>(flags.cores().size()); ++core) {
                if (flags.collected(core, wait.id, mode) == 0) continue;
                if (!contains(flags.recipients(core, mode), own)) continue;
                for (const int other : flags.participants(core, mode)) {
                    wait.participants.push_back({other, flags.collected(other, wait.id, mode) > 0});
                }
                break; // the other participants would tell the same
            }
        }
    }

    void add_unit_flag_wait(BlockedPipe& blocked) {
        const L0cUnitFlags& flags = *core_.unit_flag_state();
        UnitFlagWait wait;
        wait.wanted = blocked.info->pipe == Pipe::FIX;
        const std::optional<int> awaited = flags.awaited(wait.wanted);
        if (!awaited) return; // it has just been woken
        wait.block = *awaited;
        const std::vector<FlagFractal> fractals =
            flag_fractals(blocked.instruction->operation, scene_.readings);
        std::size_t at = find_block(fractals, 0, wait.block);
        if (at < fractals.size()) {
            wait.fractal_row = fractals[at].row;
            wait.panel = fractals[at].panel;
        }
        for (; at < fractals.size(); ++at) {
            const int end = std::min(fractals[at].last + 1, flags.blocks());
            for (int block = fractals[at].first; block < end; ++block) {
                ++wait.ahead;
                if (flags.read(block) != wait.wanted) wait.missing.push_back(block);
            }
        }
        find_remedies(blocked, index_, [&](const Operation& op, std::size_t passed) {
            return turns_to(op, scene_.readings, passed, wait.block, wait.wanted);
        });
        blocked.wait = std::move(wait);
    }

    void find_remedies(BlockedPipe& blocked, std::size_t core, const Outlook::Predicate& wanted) {
        for (Remedy& remedy : scene_.outlooks[core].find(wanted)) {
            const bool waiting = remedy.where == Remedy::Where::not_dispatched;
            add_once(blocked.waits_for, {core, waiting ? Pipe::S : remedy.pipe});
            remedy.core = core;
            blocked.remedies.push_back(std::move(remedy));
        }
    }

    const Scene& scene_;
    std::size_t index_;
    const Core& core_;
    const Outlook& outlook_;
    CoreWaits waits_;
};

/// Finds circles, no pipe in two of them.
class CircleSearch {
public:
    explicit CircleSearch(const std::vector<CoreWaits>& cores)
        : cores_(cores), is_visited_(cores.size() * kPipes, false) {}

    std::vector<std::vector<PipeRef>> run() {
        for (std::size_t core = 0; core < cores_.size(); ++core) {
            for (const BlockedPipe& blocked : cores_[core].pipes) {
                path_.clear();
                follow({core, blocked.info->pipe});
            }
        }
        return std::move(circles_);
    }

private:
    /// Goes on from `at`; true when the path has come to itself.
    bool follow(const PipeRef& at) {
        const auto seen = std::find(path_.begin(), path_.end(), at);
        if (seen != path_.end()) {
            circles_.emplace_back(seen, path_.end());
            return true;
        }
        const std::size_t index = at.core * kPipes + static_cast<std::size_t>(at.pipe);
        const BlockedPipe* blocked = find(at);
        if (blocked == nullptr || is_visited_[index]) return false;
        is_visited_[index] = true;
        path_.push_back(at);
        for (const PipeRef& next : blocked->waits_for) {
            if (follow(next)) return true;
        }
        path_.pop_back();
        return false;
    }

    const BlockedPipe* find(const PipeRef& at) const {
        for (const BlockedPipe& blocked : cores_[at.core].pipes) {
            if (blocked.info->pipe == at.pipe) return &blocked;
        }
        return nullptr;
    }

    const std::vector<CoreWaits>& cores_;
    std::vector<bool> is_visited_; ///< by core and pipe
    std::vector<PipeRef> path_;
    std::vector<std::vector<PipeRef>> circles_;
};

} // namespace

WaitGraph analyse_waits(const std::vector<RunCore>& cores, const FixpipeReadings& readings) {
    Scene scene{cores, {}, readings};
    WaitGraph graph;
    for (const RunCore& core : cores) {
        scene.outlooks.emplace_back(*core.core, core.rest, kRestLimit / cores.size(), readings);
        graph.all_known = graph.all_known && scene.outlooks.back().all_known();
    }
    for (std::size_t i = 0; i < cores.size(); ++i) {
        graph.cores.push_back(CoreAnalysis(scene, i).run());
    }
    graph.circles = CircleSearch(graph.cores).run();
    return graph;
}

} // namespace aicore::tb
