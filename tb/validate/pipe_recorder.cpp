#include "tb/validate/pipe_recorder.h"

#include <algorithm>
#include <numeric>
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
                              SetDeqScale>;
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
    const auto index = static_cast<std::size_t>(pipe.index);
    if (records_.size() <= index) records_.resize(index + 1);
    Record& record = records_[index];
    record.pipe = pipe.pipe;
    (stage == InstructionStage::issued ? record.issued : record.done).push_back(cycle);
}

double PipeRecorder::figure(const Measurement& measure) const {
    const std::string pipe(to_string(measure.pipe));
    std::vector<double> figures;
    Cycles first_issue, last_done;
    for (const Record& record : records_) {
        if (record.pipe != measure.pipe || record.done.empty()) continue;
        const std::size_t count = record.done.size();
        const std::size_t last = measure.last.value_or(count - 1);
        const std::size_t least =
            measure.figure == Figure::interval ? measure.first + 1 : measure.first;
        if (last >= count || last < least) {
            throw std::runtime_error(pipe + " had only " + std::to_string(count) + " instructions");
        }
        if (measure.figure == Figure::lone && count != 1) {
            throw std::runtime_error(pipe + " had " + std::to_string(count) +
                                     " instructions, expected one");
        }
        const Cycles issued = record.issued[measure.first];
        first_issue = figures.empty() ? issued : std::min(first_issue, issued);
        last_done = std::max(last_done, record.done[last]);
        figures.push_back(figure(record, measure, last));
    }
    if (figures.empty()) throw std::runtime_error(pipe + " had only 0 instructions");
    if (measure.figure == Figure::span) return cycles_between(first_issue, last_done);
    return std::accumulate(figures.begin(), figures.end(), 0.0) /
           static_cast<double>(figures.size());
}

double PipeRecorder::figure(const Record& record, const Measurement& measure, std::size_t last) {
    switch (measure.figure) {
    case Figure::lone:
    case Figure::span: return cycles_between(record.issued[measure.first], record.done[last]);
    case Figure::interval:
        return cycles_between(record.done[measure.first], record.done[last]) /
               static_cast<double>(last - measure.first);
    case Figure::busy: {
        Cycles busy;
        Cycles until = record.issued[measure.first];
        for (std::size_t i = measure.first; i <= last; ++i) {
            busy += record.done[i] - std::max(until, record.issued[i]);
            until = record.done[i];
        }
        return static_cast<double>(busy.count());
    }
    case Figure::total: break;
    }
    throw std::invalid_argument("the length of a run is no figure of a pipe");
}

void PipeRecorder::clear() { records_.clear(); }

} // namespace aicore::tb
