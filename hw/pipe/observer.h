// What engines publish and who may listen.
//
// Every change in the life of an instruction is published once. Engines do not know the observers
// (statistics, timeline, waveform, hang report); a core without observers pays one empty loop.
#pragma once

#include "hw/isa/instruction.h"
#include "tlm/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aicore {

/// Why a pipe does not advance. A closed list.
enum class WaitReason : std::uint8_t {
    none,
    queue_full,
    event_flag,
    unit_flag,
    barrier,
    cross_core_flag,
    link_busy,
    arbitration,
    bank_conflict,
    memory_latency
};
inline constexpr int kWaitReasons = 10;
std::string_view to_string(WaitReason reason);

/// What a pipe does in a cycle: nothing, waiting for a stated reason, or working.
enum class PipeActivity : std::uint8_t { idle, waiting, executing };
std::string_view to_string(PipeActivity activity);

/// Stations in the life of an instruction.
enum class InstructionStage : std::uint8_t { dispatched, issued, executing, done };

/// A core: "aic0".
struct CoreInfo {
    std::string name;
    int index = 0;      ///< position in the list of cores
    bool in_use = true; ///< it has a program; observers leave the others out
};

/// A pipe of a core: `path` is the SystemC name of its engine, "aic0.cube".
struct PipeInfo {
    std::string path;
    Pipe pipe = Pipe::S;
    int index = 0; ///< position in the list of pipes, dense over the whole simulation
    const CoreInfo* core = nullptr;
};

/// Identity of a dispatched instruction.
struct InstructionTag {
    std::uint64_t number = 0;                 ///< order of dispatch in its core, from 1
    const Instruction* instruction = nullptr; ///< valid during the call only
};

/// A link of a core: "aic0.l1_to_l0a".
struct LinkInfo {
    std::string path;
    int index = 0;
    const CoreInfo* core = nullptr;
};

/// Interface of everything that watches. All calls carry the cycle they belong to; calls for one
/// cycle come in no particular order. on_stall, on_transfer and on_l0c_access are told when they
/// are known: a transfer ahead of its time, by a memory latency or more; a beat of FixPipe and its
/// stall up to the length of a burst behind.
class Observer {
public:
    virtual ~Observer() = default;

    /// An instruction reached a stage. `executing` starts when the pipe belongs to it: at its
    /// issue, or when its predecessor is done.
    virtual void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) {}
    /// The pipe's activity changes at this cycle and stays until the next call.
    virtual void on_activity(Cycles, const PipeInfo&, PipeActivity, WaitReason) {}
    /// An executing pipe loses `cycles` from this cycle on for `reason`.
    virtual void on_stall(Cycles, const PipeInfo&, WaitReason, Cycles /*cycles*/) {}
    /// Instructions in the queue of the pipe.
    virtual void on_queue_fill(Cycles, const PipeInfo&, int /*fill*/) {}
    /// Bytes pass a link during [from, until).
    virtual void on_transfer(const LinkInfo&, Cycles /*from*/, Cycles /*until*/, Bytes) {}
    /// An event flag changes: visible from the next cycle on.
    virtual void on_event_flag(Cycles, const CoreInfo&, Pipe /*src*/, Pipe /*dst*/, int /*id*/,
                               bool /*value*/) {}
    /// A counter of flags from other cores changes: a count is visible from the next cycle on.
    virtual void on_cross_core_flag(Cycles, const CoreInfo&, int /*id*/, int /*count*/) {}
    /// The counter of `to` goes up: the set with number `set` of core `from` was the last one that
    /// it took. on_cross_core_flag tells the new count.
    virtual void on_cross_core_count(Cycles, const CoreInfo& /*to*/, int /*id*/,
                                     const CoreInfo& /*from*/, std::uint64_t /*set*/) {}
    /// A unit flag of L0C changes.
    virtual void on_unit_flag(Cycles, const CoreInfo&, int /*block*/, bool /*value*/) {}
    /// The chip is reset: cycles start at 0 again, everything is back in its power-on state.
    virtual void on_reset(Cycles /*at*/) {}
    /// A burst of UB port `loser` waits in this cycle for a bank that `winner` has; the pipe is the
    /// loser's. Ports: vector_dst, vector_src0, vector_src1, mte2, mte3, scalar.
    virtual void on_ub_conflict(Cycles, const PipeInfo&, const char* /*loser*/,
                                const char* /*winner*/) {}
    /// L0C banks serve a read or a write in this cycle (bit mask of banks).
    virtual void on_l0c_access(Cycles, const CoreInfo&, std::uint32_t /*banks*/, bool /*write*/) {}
};

/// The list of observers, shared by the modules of a chip. Names of pipes and links are registered
/// during elaboration, so that observers know all of them before the first cycle. The first name of
/// a path is the core.
class ObserverHub {
public:
    void add(Observer& observer) { observers_.push_back(&observer); }
    bool empty() const { return observers_.empty(); }

    /// A path that is known already keeps its registration: a core may fix the order of its pipes
    /// before it constructs them.
    const PipeInfo& register_pipe(const std::string& path, Pipe pipe);
    const LinkInfo& register_link(const std::string& path);
    /// A name that is known already keeps its registration.
    const CoreInfo& register_core(const std::string& name);
    /// Says which cores have a program; before observers are constructed.
    void set_in_use(const std::vector<std::string>& cores);
    const std::vector<const CoreInfo*>& cores() const { return cores_; }
    const std::vector<const PipeInfo*>& pipes() const { return pipes_; }
    const std::vector<const LinkInfo*>& links() const { return links_; }

    template <typename Method, typename... Args>
    void publish(Method method, const Args&... args) const {
        for (Observer* observer : observers_) (observer->*method)(args...);
    }

    ObserverHub() = default;
    ~ObserverHub();
    ObserverHub(const ObserverHub&) = delete;
    ObserverHub& operator=(const ObserverHub&) = delete;

private:
    const CoreInfo& core_of_path(const std::string& path);

    std::vector<Observer*> observers_;
    std::vector<std::unique_ptr<CoreInfo>> core_storage_;
    std::vector<const CoreInfo*> cores_;
    std::vector<const PipeInfo*> pipes_;
    std::vector<const LinkInfo*> links_;
};

} // namespace aicore
