// Waveform of all cores in use: states of the pipes, links, flags, banks of L0C and UB.
#pragma once

#include "hw/pipe/observer.h"
#include "tb/observe/vcd_writer.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aicore::tb {

/// Sizes of what a core has and the hub does not know.
struct VcdLayout {
    int event_ids = 8; ///< per ordered pair of pipes
    int cross_core_ids = 0;
    int unit_flags = 256; ///< one for each 512 B block of L0C
    int l0c_banks = 16;
    std::vector<std::string> ub_ports; ///< names
};

/// Variables that a viewer shows together.
struct WaveGroup {
    std::string title;
    std::vector<VcdVariable> variables;
};

/// Observer that writes a VCD of the cores that are in use. Scopes for a cube core "aic0" and a
/// vector core "aiv0":
///   aic0.<pipe>.{state, reason, opcode}   text; a stalled pipe shows as waiting, with its reason
///   aic0.<pipe>.{instruction, queue_fill} number of the executing instruction (0: none), queue
///   aic0.links.<link>.busy                1 while bytes pass
///   aic0.events.<src>_to_<dst>            event flags of the pair, bit = id
///   aic0.cross_core.flag_<id>             counter of flags from other cores
///   aic0.l0c.{unit_flags, unit_flag_<i>}  the unit flags as one vector and one by one
///   aic0.l0c.{bank_read, bank_write}      banks that serve an access in the cycle, bit = bank
///   aiv0.ub.<port>_waits                  1 while a burst of the port waits for a bank of UB
///   chip.clk                              generated clock
/// A value that a cycle changes shows from the start of that cycle, as a register's after its edge.
class VcdObserver : public Observer {
public:
    /// Declares the variables; writes nothing yet. `hub`: all pipes and links registered by now.
    VcdObserver(const ObserverHub& hub, const VcdOptions& options, const VcdLayout& layout);

    /// The declared variables: `unmatched_scopes()` tells of scopes that hold none.
    const VcdWriter& writer() const { return writer_; }
    /// The declared variables in groups, for a viewer's save file; empty groups are left out.
    std::vector<WaveGroup> groups() const;
    /// Scopes of the cores: "aic0".
    std::vector<std::string> cores() const;

    /// Writes the header. Events before this call are lost. `out` must outlive this object's use.
    void start(OutputFile& out) { writer_.start(out); }
    /// The core is reset in cycle `at`: everything takes its first value again, cycles count from 0
    /// again and time goes on.
    void on_reset(Cycles at) override;
    /// Writes the rest, up to and including cycle `end`. The file stays open.
    void finish(Cycles end) { writer_.finish(base_ + end); }

    void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) override;
    void on_activity(Cycles, const PipeInfo&, PipeActivity, WaitReason) override;
    void on_stall(Cycles, const PipeInfo&, WaitReason, Cycles) override;
    void on_queue_fill(Cycles, const PipeInfo&, int) override;
    void on_transfer(const LinkInfo&, Cycles from, Cycles until, Bytes) override;
    void on_event_flag(Cycles, const CoreInfo&, Pipe src, Pipe dst, int id, bool) override;
    void on_cross_core_flag(Cycles, const CoreInfo&, int id, int count) override;
    void on_unit_flag(Cycles, const CoreInfo&, int block, bool) override;
    void on_l0c_access(Cycles, const CoreInfo&, std::uint32_t banks, bool write) override;
    void on_ub_conflict(Cycles, const PipeInfo&, const char* loser, const char* winner) override;

private:
    using Variable = VcdWriter::Variable;
    struct PipeVariables {
        Variable state, reason, opcode, instruction, queue_fill;
        std::uint64_t current = 0; ///< number of the executing instruction
    };

    struct CoreVariables {
        std::string name;
        std::array<std::array<Variable, kPipes>, kPipes> event_flags;
        std::vector<Variable> cross_core_flags; ///< by id
        Variable unit_flags = VcdWriter::kNone;
        std::vector<Variable> unit_flag;
        Variable bank_read = VcdWriter::kNone, bank_write = VcdWriter::kNone;
        std::vector<std::pair<std::string, Variable>> ub_waits; ///< of the ports of UB
    };

    void add_core(const CoreInfo& core, const ObserverHub& hub, const VcdLayout& layout);
    CoreVariables& of(const CoreInfo& core) { return cores_[static_cast<std::size_t>(core.index)]; }

    VcdWriter writer_;
    std::vector<PipeVariables> pipes_; ///< by PipeInfo::index
    std::vector<Variable> links_;      ///< by LinkInfo::index
    std::vector<CoreVariables> cores_; ///< by CoreInfo::index; no name: not in use
    Cycles base_; ///< cycles before the last reset; times given to the writer count them
};

} // namespace aicore::tb
