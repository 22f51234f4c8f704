#include "tb/validate/pipe_recorder.h"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace aicore::tb {
namespace {

template <typename T, typename... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

bool moves_or_calculates(const Operation& operation) {
    return std::visit(
        [](const auto& record) {
            using Record = std::decay_t<decltype(record)>;
            return !is_one_of<Record, ClearUnitFlags, SetCtrl, SetFlag, WaitFlag, PipeBarrier,
                              CrossCoreSetFlag, CrossCoreWaitFlag, SetVectorMask, SetMaskMode,
                              SetDeqScale, SetAtomic, SyncAll, SoftSyncAll>;
        },
        operation);
}

double cycles_between(Cycles from, Cycles until) {
    return static_cast<double>((until - from).count());
}

} // namespace

void PipeRecorder::on_stage(Cycles cycle, const PipeInfo& pipe, const InstructionTag& tag,
                            InstructionStage stage) {
    if (stage != InstructionStage::issued && stage != InstructionStage::done) return;
    if (!moves_or_calculates(tag.instruction->operation)) return;
    Record& record = pipes_[static_cast<std::size_t>(pipe.pipe)];
    (stage == InstructionStage::issued ? record.issued : record.done).push_back(cycle);
}

double PipeRecorder::figure(const Measurement& measure) const {
    const Record& record = pipes_[static_cast<std::size_t>(measure.pipe)];
    const std::size_t count = record.done.size();
    const std::size_t last = measure.last.value_or(count == 0 ? 0 : count - 1);
    const std::size_t least =
        measure.figure == Figure::interval ? measure.first + 1 : measure.first;
    if (last >= count || last < least) {
        throw std::runtime_error(std::string(to_string(measure.pipe)) + " had only " +
                                 std::to_string(count) + " instructions");
    }
    switch (measure.figure) {
    case Figure::lone:
        if (count != 1) {
            throw std::runtime_error(std::string(to_string(measure.pipe)) + " had " +
                                     std::to_string(count) + " instructions, expected one");
        }
        [[fallthrough]];
    case Figure::span: return cycles_between(record.issued[measure.first], record.done[last]);
    case Figure::interval:
        return cycles_between(record.done[measure.first], record.done[last]) /
               static_cast<double>(last - measure.first);
    case Figure::total: break;
    }
    throw std::invalid_argument("the length of a run is no figure of a pipe");
}

void PipeRecorder::clear() { pipes_ = {}; }

} // namespace aicore::tb
