// Hands the instructions of one core's program to the scalar unit, loop by loop.
#pragma once

#include "hw/scalar/instruction_source.h"
#include "tb/program/program.h"

#include <cstddef>
#include <string>
#include <vector>

namespace aicore::tb {

/// Walks the tree of a core lazily: an instruction exists only when it is asked for. The program
/// must outlive the source; any number of sources may walk it.
class ProgramSource : public InstructionSource {
public:
    /// `core` is one of program.cores; `index` and `count` are its variables core and cores.
    ProgramSource(const Program& program, const CoreProgram& core, std::int64_t index = 0,
                  std::int64_t count = 1);
    explicit ProgramSource(const Program& program, const CoreInstance& instance)
        : ProgramSource(program, *instance.program, instance.index, instance.count) {}

    /// Throws InputError with the place when a field can't be evaluated, which check_program()
    /// finds before a run.
    bool next(Instruction& instruction) override;
    void rewind() override;

    /// The instruction that next() gave last.
    const OperationTemplate& current() const { return *current_; }
    /// "file:line:column: op: field = value: rule (k=3, i=1)" about the current instruction, at the
    /// place of the field where the file has it.
    std::string describe_error(const std::string& field, const std::string& value,
                               const std::string& rule) const;
    /// The same without the loop variables.
    std::string describe_place(const std::string& field, const std::string& value,
                               const std::string& rule) const;

private:
    /// A body that is being walked: the core's or a loop's.
    struct Frame {
        const std::vector<Statement>* body;
        const Loop* loop; ///< null for the core's body
        std::int64_t count;
        std::size_t position = 0;
    };

    void enter(const Loop& loop);
    void end_of_body();
    std::string at(SourcePlace place) const;
    std::string loop_text() const;

    const Program& program_;
    const CoreProgram& core_;
    LoopValues core_values_; ///< of core and cores
    std::vector<Frame> frames_;
    LoopValues loop_values_; ///< those, then one for each loop
    const OperationTemplate* current_ = nullptr;
};

} // namespace aicore::tb
