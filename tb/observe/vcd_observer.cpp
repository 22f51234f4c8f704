#include "tb/observe/vcd_observer.h"

#include "tb/observe/core_names.h"

#include <stdexcept>

namespace aicore::tb {
namespace {

constexpr int kQueueFillBits = 8;
constexpr std::string_view kNoOpcode = "none";

std::string core_of_hub(const ObserverHub& hub) {
    if (hub.pipes().empty()) throw std::logic_error("VCD: no pipe is registered");
    return core_of(hub.pipes().front()->path);
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

} // namespace

VcdObserver::VcdObserver(const ObserverHub& hub, const VcdOptions& options, const VcdLayout& layout)
    : core_(core_of_hub(hub)), writer_(options) {
    for (const PipeInfo* info : hub.pipes()) {
        PipeVariables pipe;
        pipe.state = writer_.add_text(info->path + ".state", to_string(PipeActivity::idle));
        pipe.reason = writer_.add_text(info->path + ".reason", to_string(WaitReason::none));
        pipe.opcode = writer_.add_text(info->path + ".opcode", kNoOpcode);
        pipe.instruction = writer_.add_integer(info->path + ".instruction");
        pipe.queue_fill = writer_.add_wire(info->path + ".queue_fill", kQueueFillBits);
        pipes_.push_back(pipe);
    }
    for (const LinkInfo* info : hub.links()) {
        links_.push_back(writer_.add_wire(core_ + ".links." + last_name(info->name) + ".busy", 1));
    }
    for (auto& row : event_flags_) row.fill(VcdWriter::kNone);
    for (const PipeInfo* src : hub.pipes()) {
        for (const PipeInfo* dst : hub.pipes()) {
            if (src == dst) continue;
            pair(src->pipe, dst->pipe) =
                writer_.add_wire(core_ + ".events." + std::string(to_string(src->pipe)) + "_to_" +
                                     std::string(to_string(dst->pipe)),
                                 layout.event_ids);
        }
    }
    unit_flags_ = writer_.add_wire(core_ + ".l0c.unit_flags", layout.unit_flags);
    for (int i = 0; i < layout.unit_flags; ++i) {
        unit_flag_.push_back(writer_.add_wire(core_ + ".l0c.unit_flag_" + std::to_string(i), 1));
    }
    bank_read_ = writer_.add_wire(core_ + ".l0c.bank_read", layout.l0c_banks);
    bank_write_ = writer_.add_wire(core_ + ".l0c.bank_write", layout.l0c_banks);
    writer_.set_clock(core_ + ".clk");
}

std::vector<WaveGroup> VcdObserver::groups() const {
    std::vector<WaveGroup> all{
        {"Pipes", {}}, {"Links", {}}, {"Event flags", {}}, {"Unit flags", {}}, {"L0C banks", {}}};
    for (const VcdVariable& variable : writer_.variables()) {
        std::size_t group = 0;
        if (starts_with(variable.path, core_ + ".links.")) group = 1;
        if (starts_with(variable.path, core_ + ".events.")) group = 2;
        if (starts_with(variable.path, core_ + ".l0c.unit_flag")) group = 3;
        if (starts_with(variable.path, core_ + ".l0c.bank_")) group = 4;
        all[group].variables.push_back(variable);
    }
    std::vector<WaveGroup> filled;
    for (WaveGroup& group : all) {
        if (!group.variables.empty()) filled.push_back(std::move(group));
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

void VcdObserver::on_event_flag(Cycles cycle, Pipe src, Pipe dst, int id, bool value) {
    cycle += base_;
    writer_.advance(cycle);
    writer_.set_bit(cycle, pair(src, dst), id, value);
}

void VcdObserver::on_unit_flag(Cycles cycle, int block, bool value) {
    cycle += base_;
    writer_.set_bit(cycle, unit_flags_, block, value);
    writer_.set_value(cycle, unit_flag_.at(static_cast<std::size_t>(block)), value ? 1 : 0);
}

void VcdObserver::on_l0c_access(Cycles cycle, std::uint32_t banks, bool write) {
    cycle += base_;
    writer_.set_span(cycle, cycle + Cycles(1), write ? bank_write_ : bank_read_, banks);
}

} // namespace aicore::tb
