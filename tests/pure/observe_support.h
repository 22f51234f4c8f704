// Shared by the observers' tests: a small core, files that vanish, events in any order.
#pragma once

#include "hw/pipe/observer.h"
#include "tb/observe/output_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace aicore::tb::test {

/// A path in a directory of its own, removed with everything in it.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& name) {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "aicore_observe_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        path_ = (directory_ / name).string();
    }
    ~TemporaryFile() { std::filesystem::remove_all(directory_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }
    std::string content() const {
        std::ifstream in(path_, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }

private:
    std::filesystem::path directory_;
    std::string path_;
};

/// A core with three pipes and two links.
struct SmallCore {
    ObserverHub hub;
    const PipeInfo& mte1 = hub.register_pipe("aic0.mte1", Pipe::MTE1);
    const PipeInfo& cube = hub.register_pipe("aic0.cube", Pipe::M);
    const PipeInfo& fixpipe = hub.register_pipe("aic0.fixpipe", Pipe::FIX);
    const LinkInfo& to_l0a = hub.register_link("aic0.l1_to_l0a");
    const LinkInfo& to_l0b = hub.register_link("aic0.l1_to_l0b");
};

inline Instruction mmad(std::int64_t m, std::int64_t n, std::int64_t k, int line = 0) {
    Mmad operation;
    operation.m = m;
    operation.n = n;
    operation.k = k;
    return {operation, {line, 1}};
}

inline Instruction load2d(std::int64_t repeat) {
    Load2d operation;
    operation.repeat = repeat;
    return {operation, {}};
}

/// One call of an observer.
using Call = std::function<void(Observer&)>;

inline Call stage(int cycle, const PipeInfo& pipe, std::uint64_t number, Instruction instruction,
                  InstructionStage value) {
    return [=, &pipe](Observer& observer) {
        observer.on_stage(Cycles(cycle), pipe, {number, &instruction}, value);
    };
}
inline Call executing(int cycle, const PipeInfo& pipe, std::uint64_t number,
                      const Instruction& instruction) {
    return stage(cycle, pipe, number, instruction, InstructionStage::executing);
}
inline Call done(int cycle, const PipeInfo& pipe, std::uint64_t number,
                 const Instruction& instruction) {
    return stage(cycle, pipe, number, instruction, InstructionStage::done);
}
inline Call activity(int cycle, const PipeInfo& pipe, PipeActivity value,
                     WaitReason reason = WaitReason::none) {
    return [=, &pipe](Observer& observer) {
        observer.on_activity(Cycles(cycle), pipe, value, reason);
    };
}
inline Call stall(int cycle, const PipeInfo& pipe, WaitReason reason, int cycles) {
    return [=, &pipe](Observer& observer) {
        observer.on_stall(Cycles(cycle), pipe, reason, Cycles(cycles));
    };
}
inline Call transfer(const LinkInfo& link, int from, int until, int bytes) {
    return [=, &link](Observer& observer) {
        observer.on_transfer(link, Cycles(from), Cycles(until), Bytes(bytes));
    };
}

inline void play(Observer& observer, const std::vector<Call>& calls) {
    for (const Call& call : calls) call(observer);
}

/// What the pipes do in one cycle, a list for each pipe: the pipes may publish in any order.
using CycleOfPipes = std::vector<std::vector<Call>>;

/// All calls with the pipes of each cycle in order, or in reverse order.
inline std::vector<Call> in_order(const std::vector<CycleOfPipes>& cycles, bool reversed) {
    std::vector<Call> calls;
    for (const CycleOfPipes& cycle : cycles) {
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            const auto& pipe = cycle[reversed ? cycle.size() - 1 - i : i];
            calls.insert(calls.end(), pipe.begin(), pipe.end());
        }
    }
    return calls;
}

} // namespace aicore::tb::test
