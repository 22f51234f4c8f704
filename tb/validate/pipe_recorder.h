// When the instructions of each pipe were issued and complete.
#pragma once

#include "hw/pipe/observer.h"
#include "tb/validate/validation.h"

#include <cstddef>
#include <vector>

namespace aicore::tb {

/// Observer that notes issue and completion of the instructions that move data or calculate; flags,
/// barriers and settings are left out.
class PipeRecorder : public Observer {
public:
    void on_stage(Cycles cycle, const PipeInfo& pipe, const InstructionTag& tag,
                  InstructionStage stage) override;

    /// The figure that `measure` asks for [cycles]; not for Figure::total. When several cores have
    /// such a pipe, a span is from the first of them to the last, other figures are means over
    /// them. Throws std::runtime_error when a pipe had too few instructions, or more than one for
    /// `lone`.
    double figure(const Measurement& measure) const;
    void clear();

private:
    /// Instructions of a pipe complete in order: the n-th completion belongs to the n-th issue.
    struct Record {
        Pipe pipe = Pipe::S;
        std::vector<Cycles> issued, done;
    };

    static double figure(const Record& record, const Measurement& measure, std::size_t last);

    std::vector<Record> records_; ///< by the index of the pipe
};

} // namespace aicore::tb
