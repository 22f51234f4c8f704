#include "tb/observe/vcd_observer.h"

#include "hw/isa/cross_core_ids.h"
#include "tb/observe/core_names.h"

#include <algorithm>
#include <utility>

namespace aicore::tb {
namespace {

constexpr int kQueueFillBits = 13; ///< a queue has up to 4096 places
constexpr std::string_view kNoOpcode = "none";

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

} // namespace

VcdObserver::VcdObserver(const ObserverHub& hub, const VcdOptions& options, const VcdLayout& layout)
    : writer_(options), pipes_(hub.pipes().size()), links_(hub.links().size(), VcdWriter::kNone),
      cores_(hub.cores().size()) {
    for (const CoreInfo* core : hub.cores()) {
        if (core->in_use) add_core(*core, hub, layout);
    }
    writer_.set_clock("chip.clk");
}

void VcdObserver::add_core(const CoreInfo& core, const ObserverHub& hub, const VcdLayout& layout) {
    CoreVariables& own = of(core);
    own.name = core.name;
    for (auto& row : own.event_flags) row.fill(VcdWriter::kNone);
    std::vector<Pipe> pipes;
    for (const PipeInfo* info : hub.pipes()) {
        if (info->core != &core) continue;
        PipeVariables& pipe = pipes_[static_cast<std::size_t>(info->index)];
        pipe.state = writer_.add_text(info->path + ".state", to_string(PipeActivity::idle));
        pipe.reason = writer_.add_text(info->path + ".reason", to_string(WaitReason::none));
        pipe.opcode = writer_.add_text(info->path + ".opcode", kNoOpcode);
        pipe.instruction = writer_.add_integer(info->path + ".instruction");
        pipe.queue_fill = writer_.add_wire(info->path + ".queue_fill", kQueueFillBits);
        pipes.push_back(info->pipe);
    }
    for (const LinkInfo* info : hub.links()) {
        if (info->core != &core) continue;
        links_[static_cast<std::size_t>(info->index)] =
            writer_.add_wire(core.name + ".links." + last_name(info->path) + ".busy", 1);
    }
    for (const Pipe src : pipes) {
        for (const Pipe dst : pipes) {
            if (src == dst && src != Pipe::V) continue;
            own.event_flags[static_cast<std::size_t>(src)][static_cast<std::size_t>(dst)] =
                writer_.add_wire(core.name + ".events." + std::string(to_string(src)) + "_to_" +
                                     std::string(to_string(dst)),
                                 layout.event_ids);
        }
    }
    for (int id = 0; id < layout.cross_core_ids; ++id) {
        own.cross_core_flags.push_back(writer_.add_wire(
            core.name + ".cross_core.flag_" + std::to_string(id), kCrossCoreCountBits));
    }
    const auto has = [&pipes](Pipe pipe) {
        return std::find(pipes.begin(), pipes.end(), pipe) != pipes.end();
    };
    if (has(Pipe::M)) {
        const std::string l0c = core.name + ".l0c.";
        own.unit_flags = writer_.add_wire(l0c + "unit_flags", layout.unit_flags);
        for (int i = 0; i < layout.unit_flags; ++i) {
            own.unit_flag.push_back(writer_.add_wire(l0c + "unit_flag_" + std::to_string(i), 1));
        }
        own.bank_read = writer_.add_wire(l0c + "bank_read", layout.l0c_banks);
        own.bank_write = writer_.add_wire(l0c + "bank_write", layout.l0c_banks);
    }
    if (has(Pipe::V)) {
        for (const std::string& port : layout.ub_ports) {
            own.ub_waits.emplace_back(port,
                                      writer_.add_wire(core.name + ".ub." + port + "_waits", 1));
        }
    }
}

std::vector<std::string> VcdObserver::cores() const {
    std::vector<std::string> names;
    for (const CoreVariables& core : cores_) {
        if (!core.name.empty()) names.push_back(core.name);
    }
    return names;
}

std::vector<WaveGroup> VcdObserver::groups() const {
    const std::vector<std::string> names = cores();
    std::vector<WaveGroup> filled;
    for (const std::string& core : names) {
        std::vector<WaveGroup> all{
            {"Pipes", {}},      {"Links", {}},     {"Event flags", {}}, {"Cross-core flags", {}},
            {"Unit flags", {}}, {"L0C banks", {}}, {"UB banks", {}}};
        for (const VcdVariable& variable : writer_.variables()) {
            if (!starts_with(variable.path, core + ".")) continue;
            std::size_t group = 0;
            if (starts_with(variable.path, core + ".links.")) group = 1;
            if (starts_with(variable.path, core + ".events.")) group = 2;
            if (starts_with(variable.path, core + ".cross_core.")) group = 3;
            if (starts_with(variable.path, core + ".l0c.unit_flag")) group = 4;
            if (starts_with(variable.path, core + ".l0c.bank_")) group = 5;
            if (starts_with(variable.path, core + ".ub.")) group = 6;
            all[group].variables.push_back(variable);
        }
        for (WaveGroup& group : all) {
            if (group.variables.empty()) continue;
            if (names.size() > 1) group.title = core + " " + group.title;
            filled.push_back(std::move(group));
        }
    }
    return filled;
}

void VcdObserver::on_stage(Cycles cycle, const PipeInfo& info, const InstructionTag& tag,
                           InstructionStage stage) {
    cycle += base_;
    writer_.advance(cycle);
    PipeVariables& pipe = pipes_[static_cast<std::size_t>(info.index)];
    if (stage == InstructionStage::executing) {
        pipe.current = tag.number;
        writer_.set_value(cycle, pipe.instruction, tag.number);
        writer_.set_text(cycle, pipe.opcode, mnemonic(tag.instruction->operation));
    } else if (stage == InstructionStage::done && tag.number == pipe.current) {
        pipe.current = 0;
        writer_.set_value(cycle, pipe.instruction, 0);
        writer_.set_text(cycle, pipe.opcode, kNoOpcode);
    }
}

void VcdObserver::on_activity(Cycles cycle, const PipeInfo& info, PipeActivity activity,
                              WaitReason reason) {
    cycle += base_;
    writer_.advance(cycle);
    const PipeVariables& pipe = pipes_[static_cast<std::size_t>(info.index)];
    writer_.set_text(cycle, pipe.state, to_string(activity));
    writer_.set_text(cycle, pipe.reason, to_string(reason));
}

void VcdObserver::on_stall(Cycles cycle, const PipeInfo& info, WaitReason reason, Cycles cycles) {
    cycle += base_;
    const PipeVariables& pipe = pipes_[static_cast<std::size_t>(info.index)];
    writer_.cover_text(cycle, cycle + cycles, pipe.state, to_string(PipeActivity::waiting));
    writer_.cover_text(cycle, cycle + cycles, pipe.reason, to_string(reason));
}

void VcdObserver::on_reset(Cycles at) {
    base_ += at;
    writer_.restore(base_);
    for (PipeVariables& pipe : pipes_) pipe.current = 0;
}

void VcdObserver::on_queue_fill(Cycles cycle, const PipeInfo& info, int fill) {
    cycle += base_;
    writer_.advance(cycle);
    writer_.set_value(cycle, pipes_[static_cast<std::size_t>(info.index)].queue_fill,
                      static_cast<std::uint64_t>(fill));
}

void VcdObserver::on_transfer(const LinkInfo& info, Cycles from, Cycles until, Bytes) {
    writer_.set_span(base_ + from, base_ + until, links_[static_cast<std::size_t>(info.index)], 1);
}

void VcdObserver::on_event_flag(Cycles cycle, const CoreInfo& core, Pipe src, Pipe dst, int id,
                                bool value) {
    cycle += base_;
    writer_.advance(cycle);
    writer_.set_bit(
        cycle, of(core).event_flags[static_cast<std::size_t>(src)][static_cast<std::size_t>(dst)],
        id, value);
}

void VcdObserver::on_cross_core_flag(Cycles cycle, const CoreInfo& core, int id, int count) {
    cycle += base_;
    writer_.advance(cycle);
    const CoreVariables& own = of(core);
    if (own.cross_core_flags.empty()) return; // a core without a program, or alone
    writer_.set_value(cycle, own.cross_core_flags.at(static_cast<std::size_t>(id)),
                      static_cast<std::uint64_t>(count));
}

void VcdObserver::on_unit_flag(Cycles cycle, const CoreInfo& core, int block, bool value) {
    cycle += base_;
    CoreVariables& own = of(core);
    writer_.set_bit(cycle, own.unit_flags, block, value);
    writer_.set_value(cycle, own.unit_flag.at(static_cast<std::size_t>(block)), value ? 1 : 0);
}

void VcdObserver::on_l0c_access(Cycles cycle, const CoreInfo& core, std::uint32_t banks,
                                bool write) {
    cycle += base_;
    writer_.set_span(cycle, cycle + Cycles(1), write ? of(core).bank_write : of(core).bank_read,
                     banks);
}

void VcdObserver::on_ub_conflict(Cycles cycle, const PipeInfo& info, const char* loser,
                                 const char*) {
    cycle += base_;
    for (const auto& [port, variable] : of(*info.core).ub_waits) {
        if (port == loser) writer_.set_span(cycle, cycle + Cycles(1), variable, 1);
    }
}

} // namespace aicore::tb
