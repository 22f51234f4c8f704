#include "tb/run/wait_graph.h"

#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/l0c2ub.h"
#include "hw/isa/mmad_walk.h"

#include <algorithm>
#include <functional>

namespace aicore::tb {

namespace {

/// Instructions of the rest of a program that are looked at.
constexpr int kRestLimit = 200'000;

bool same(const EventFlags::Name& a, const EventFlags::Name& b) {
    return a.src == b.src && a.dst == b.dst && a.id == b.id;
}

template <typename FlagOperation>
bool names(const Operation& operation, const EventFlags::Name& flag) {
    const auto* found = std::get_if<FlagOperation>(&operation);
    return found != nullptr && same({found->src, found->dst, found->id}, flag);
}

/// A fractal of L0C as a unit-flag instruction meets it: blocks [first, last].
struct FlagFractal {
    int first = 0, last = 0;
    int row = 0, panel = 0;
};

/// The fractals of an Mmad or a Fixpipe with unit flags, in its order.
std::vector<FlagFractal> flag_fractals(const Operation& operation) {
    std::vector<FlagFractal> fractals;
    const auto add = [&](std::uint32_t address, const FractalIndex& at) {
        const auto byte = static_cast<int>(address);
        fractals.push_back({byte / kUnitFlagBlockBytes,
                            (byte + kL0cFractalBytes - 1) / kUnitFlagBlockBytes, at.mi, at.ni});
    };
    if (const auto* mmad = std::get_if<Mmad>(&operation)) {
        if (mmad->unit_flag == UnitFlagMode::off || mmad->k == 0) return fractals;
        const MmadShape shape = mmad_shape(*mmad);
        for (int step = 0; step < shape.m1 * shape.n1; ++step) {
            const FractalIndex at = fractal_at(mmad->ctrl.mm_direction, shape.m1, shape.n1, step);
            add(c_fractal_addr(*mmad, at.mi, at.ni), at);
        }
    } else if (const auto fixpipe = as_fixpipe(operation, {})) {
        if (fixpipe->unit_flag == UnitFlagMode::off) return fractals;
        std::vector<Fixpipe> parts{*fixpipe}; // with two destinations their fractals alternate
        if (fixpipe->dual_dst != DualDst::none)
            parts = {fixpipe_half(*fixpipe, 0), fixpipe_half(*fixpipe, 1)};
        const FixpipeShape shape = fixpipe_shape(parts.front());
        const Traversal order = fixpipe_traversal(parts.front());
        for (int matrix = 0; matrix < shape.matrices; ++matrix) {
            for (int step = 0; step < shape.m1 * shape.n1; ++step) {
                const FractalIndex at = fractal_at(order, shape.m1, shape.n1, step);
                for (const Fixpipe& part : parts) add(fixpipe_src(part, matrix, at.mi, at.ni), at);
            }
        }
    }
    return fractals;
}

bool covers(const FlagFractal& fractal, int block) {
    return fractal.first <= block && block <= fractal.last;
}

/// Fractal that covers `block`; fractals.end() when none does.
std::vector<FlagFractal>::const_iterator find_block(const std::vector<FlagFractal>& fractals,
                                                    std::size_t from, int block) {
    return std::find_if(fractals.begin() + static_cast<std::ptrdiff_t>(from), fractals.end(),
                        [block](const FlagFractal& fractal) { return covers(fractal, block); });
}

/// The instruction will leave the unit flag of `block` at `value`; it has passed the first `passed`
/// of its fractals.
bool turns_to(const Operation& operation, std::size_t passed, int block, bool value) {
    if (std::holds_alternative<ClearUnitFlags>(operation)) return !value;
    const auto* mmad = std::get_if<Mmad>(&operation);
    const auto fixpipe = as_fixpipe(operation, {});
    const bool toggles = value ? mmad != nullptr && mmad->unit_flag == UnitFlagMode::toggle
                               : fixpipe && fixpipe->unit_flag == UnitFlagMode::toggle;
    if (!toggles) return false;
    const std::vector<FlagFractal> fractals = flag_fractals(operation);
    return find_block(fractals, passed, block) != fractals.end();
}

/// `passed`: fractals that an instruction in flight has behind it.
using Predicate = std::function<bool(const Operation&, std::size_t passed)>;

/// Looks for instructions that are dispatched and not complete, or not dispatched.
class Outlook {
public:
    Outlook(const Core& core, InstructionSource* rest) : core_(core) {
        if (const Instruction* current = core.scalar().current()) rest_.push_back(*current);
        Instruction instruction;
        while (rest != nullptr && rest->next(instruction)) {
            if (static_cast<int>(rest_.size()) == kRestLimit) {
                all_known_ = false;
                break;
            }
            rest_.push_back(instruction);
        }
        if (rest == nullptr && core.scalar().current() != nullptr) all_known_ = false;
    }

    bool all_known() const { return all_known_; }

    /// The first one of each pipe, and the first one of those that are not dispatched.
    std::vector<Remedy> find(const Predicate& wanted) const {
        std::vector<Remedy> found;
        for (const Engine* engine : core_.engines()) {
            if (auto remedy = find_in(*engine, wanted)) found.push_back(std::move(*remedy));
        }
        for (const Instruction& instruction : rest_) {
            if (!wanted(instruction.operation, 0)) continue;
            found.push_back(
                {Remedy::Where::not_dispatched, pipe_of(instruction.operation), instruction, 0, 0});
            break;
        }
        return found;
    }

private:
    std::optional<Remedy> find_in(const Engine& engine, const Predicate& wanted) const {
        const Pipe pipe = engine.info().pipe;
        const auto& in_flight = engine.in_flight();
        for (std::size_t i = 0; i < in_flight.size(); ++i) {
            const Instruction& instruction = in_flight[i].instruction;
            const std::size_t passed = i == 0 ? passed_fractals(engine) : 0;
            if (!wanted(instruction.operation, passed)) continue;
            return Remedy{Remedy::Where::in_flight, pipe, instruction, 0, 0};
        }
        const auto& deferred = engine.deferred_sets();
        for (std::size_t i = 0; i < deferred.size(); ++i) {
            const Instruction& instruction = deferred[i].instruction;
            if (!wanted(instruction.operation, 0)) continue;
            return Remedy{Remedy::Where::deferred, pipe, instruction, 0, 0};
        }
        const auto& queue = engine.queue();
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const Instruction& instruction = queue[i].instruction;
            if (!wanted(instruction.operation, 0)) continue;
            return Remedy{Remedy::Where::queued, pipe, instruction, i + 1, queue.size()};
        }
        return std::nullopt;
    }

    /// Of the instruction in flight that waits for unit flags; 0 when none does.
    std::size_t passed_fractals(const Engine& engine) const {
        if (engine.waiting_for() != WaitReason::unit_flag) return 0;
        const auto awaited = core_.unit_flag_state()->awaited(engine.info().pipe == Pipe::FIX);
        if (!awaited) return 0;
        const auto fractals = flag_fractals(engine.in_flight().front().instruction.operation);
        const auto at = find_block(fractals, 0, *awaited);
        return at == fractals.end() ? 0 : static_cast<std::size_t>(at - fractals.begin());
    }

    const Core& core_;
    std::vector<Instruction> rest_;
    bool all_known_ = true;
};

bool idle(const Engine& engine) { return engine.queue().empty() && engine.in_flight().empty(); }

void add_once(std::vector<Pipe>& pipes, Pipe pipe) {
    if (std::find(pipes.begin(), pipes.end(), pipe) == pipes.end()) pipes.push_back(pipe);
}

class Analysis {
public:
    Analysis(const Core& core, InstructionSource* rest) : core_(core), outlook_(core, rest) {}

    WaitGraph run() {
        for (const EventFlags::Name& flag : core_.event_flags().set_flags()) {
            const auto claims = [&](const Operation& op, std::size_t) {
                return names<WaitFlag>(op, flag);
            };
            if (outlook_.find(claims).empty()) graph_.unclaimed.push_back(flag);
        }
        add_scalar();
        for (const Engine* engine : core_.engines()) {
            if (!idle(*engine)) add_engine(*engine);
        }
        graph_.all_known = outlook_.all_known();
        find_circle();
        return std::move(graph_);
    }

private:
    void add_scalar() {
        const ScalarUnit& scalar = core_.scalar();
        if (scalar.current() == nullptr) return;
        BlockedPipe blocked;
        blocked.info = &scalar.info();
        blocked.reason = scalar.waiting_for();
        blocked.instruction = *scalar.current();
        blocked.number = scalar.dispatched();
        if (blocked.reason == WaitReason::queue_full) {
            blocked.waits_for.push_back(pipe_of(blocked.instruction->operation));
        } else if (blocked.reason == WaitReason::barrier) {
            for (const Engine* engine : core_.engines()) {
                if (!idle(*engine)) blocked.waits_for.push_back(engine->info().pipe);
            }
        } else if (blocked.reason == WaitReason::event_flag) {
            add_flag_wait(blocked);
        }
        graph_.pipes.push_back(std::move(blocked));
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
        graph_.pipes.push_back(std::move(blocked));
    }

    void add_flag_wait(BlockedPipe& blocked) {
        const auto& operation = std::get<WaitFlag>(blocked.instruction->operation);
        FlagWait wait;
        wait.flag = {operation.src, operation.dst, operation.id};
        for (const EventFlags::Name& other : graph_.unclaimed) {
            if (other.id == wait.flag.id) wait.mistaken.push_back(other);
        }
        find_remedies(blocked, [flag = wait.flag](const Operation& op, std::size_t) {
            return names<SetFlag>(op, flag);
        });
        blocked.wait = std::move(wait);
    }

    void add_unit_flag_wait(BlockedPipe& blocked) {
        UnitFlagWait wait;
        wait.wanted = blocked.info->pipe == Pipe::FIX;
        const std::optional<int> awaited = core_.unit_flag_state()->awaited(wait.wanted);
        if (!awaited) return; // it has just been woken
        wait.block = *awaited;
        const std::vector<FlagFractal> fractals = flag_fractals(blocked.instruction->operation);
        auto at = find_block(fractals, 0, wait.block);
        if (at != fractals.end()) {
            wait.fractal_row = at->row;
            wait.panel = at->panel;
        }
        for (; at != fractals.end(); ++at) {
            const int end = std::min(at->last + 1, core_.unit_flag_state()->blocks());
            for (int block = at->first; block < end; ++block) {
                ++wait.ahead;
                if (core_.unit_flag_state()->read(block) != wait.wanted)
                    wait.missing.push_back(block);
            }
        }
        find_remedies(blocked, [block = wait.block, wanted = wait.wanted](const Operation& op,
                                                                          std::size_t passed) {
            return turns_to(op, passed, block, wanted);
        });
        blocked.wait = std::move(wait);
    }

    void find_remedies(BlockedPipe& blocked, const Predicate& wanted) {
        blocked.remedies = outlook_.find(wanted);
        for (const Remedy& remedy : blocked.remedies) {
            const bool waiting = remedy.where == Remedy::Where::not_dispatched;
            add_once(blocked.waits_for, waiting ? Pipe::S : remedy.pipe);
        }
    }

    const BlockedPipe* find(Pipe pipe) const {
        for (const BlockedPipe& blocked : graph_.pipes) {
            if (blocked.info->pipe == pipe) return &blocked;
        }
        return nullptr;
    }

    /// Depth first along "waits for"; `path` is the way to `pipe`.
    bool follow(Pipe pipe, std::vector<Pipe>& path) {
        const auto seen = std::find(path.begin(), path.end(), pipe);
        if (seen != path.end()) {
            graph_.circle.assign(seen, path.end());
            return true;
        }
        const BlockedPipe* blocked = find(pipe);
        if (blocked == nullptr) return false;
        path.push_back(pipe);
        for (const Pipe next : blocked->waits_for) {
            if (follow(next, path)) return true;
        }
        path.pop_back();
        return false;
    }

    void find_circle() {
        for (const BlockedPipe& blocked : graph_.pipes) {
            std::vector<Pipe> path;
            if (follow(blocked.info->pipe, path)) return;
        }
    }

    const Core& core_;
    Outlook outlook_;
    WaitGraph graph_;
};

} // namespace

WaitGraph analyse_waits(const Core& core, InstructionSource* rest) {
    return Analysis(core, rest).run();
}

} // namespace aicore::tb
