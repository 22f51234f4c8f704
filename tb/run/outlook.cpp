#include "tb/run/outlook.h"

#include "tb/run/flag_fractals.h"

#include <utility>

namespace aicore::tb {

Outlook::Outlook(const Core& core, InstructionSource* rest, std::size_t limit,
                 const FixpipeReadings& readings)
    : core_(core), readings_(readings) {
    if (const Instruction* current = core.scalar().current()) rest_.push_back(*current);
    Instruction instruction;
    while (rest != nullptr && rest->next(instruction)) {
        if (rest_.size() >= limit) {
            all_known_ = false;
            break;
        }
        rest_.push_back(instruction);
    }
    if (rest == nullptr && core.scalar().current() != nullptr) all_known_ = false;
}

std::vector<Remedy> Outlook::find(const Predicate& wanted) const {
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

std::optional<Remedy> Outlook::find_in(const Engine& engine, const Predicate& wanted) const {
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
std::size_t Outlook::passed_fractals(const Engine& engine) const {
    if (engine.waiting_for() != WaitReason::unit_flag) return 0;
    const auto awaited = core_.unit_flag_state()->awaited(engine.info().pipe == Pipe::FIX);
    if (!awaited) return 0;
    const auto fractals =
        flag_fractals(engine.in_flight().front().instruction.operation, readings_);
    const std::size_t at = find_block(fractals, 0, *awaited);
    return at == fractals.size() ? 0 : at;
}

} // namespace aicore::tb
