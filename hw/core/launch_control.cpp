#include "hw/core/launch_control.h"

#include "hw/config/platform_loader.h"
#include "hw/isa/stream_check.h"

#include <algorithm>
#include <sstream>

namespace aicore {

LaunchControl::LaunchControl(const sc_core::sc_module_name& name, const Platform& platform,
                             const ProgramWindow& window, std::vector<Core*> cores,
                             CrossCoreFlags& flags, bool is_grid)
    : sc_module(name), window_(window), cores_(std::move(cores)), flags_(flags), is_grid_(is_grid) {
    for (const Core* core : cores_) limits_.push_back(isa_limits(platform, core->core_kind()));
    SC_METHOD(on_request);
    sensitive << request_ev_;
    dont_initialize();
}

void LaunchControl::end_of_elaboration() {
    SC_METHOD(on_step); // resets as well: the pins have one driver
    sensitive << start_ev_ << step_ev_ << flags_.drained() << rst_n.negedge_event();
    for (const Core* core : cores_) sensitive << core->done.value_changed_event();
    dont_initialize();
}

bool LaunchControl::request(std::uint32_t index, std::uint32_t count) {
    if (!rst_n.read() || status_ == LaunchStatus::running || status_ == LaunchStatus::error) {
        return false;
    }
    block_index_ = index;
    block_count_ = count;
    status_ = LaunchStatus::running;
    phase_ = Phase::requested;
    is_settled_ = false;
    request_ev_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

void LaunchControl::set_sources(std::vector<InstructionSource*> sources) {
    if (!sources.empty() && sources.size() != cores_.size()) {
        SC_REPORT_FATAL(name(), "one source for each core is needed, null for none");
    }
    sources_ = std::move(sources);
}

void LaunchControl::on_request() {
    if (!is_requested()) return;
    if (is_settled_) {
        start_ev_.notify(clk->until(clk->next_edge()));
        return;
    }
    is_settled_ = true; // rst_n may have risen just now: the clock sees it in this delta cycle
    request_ev_.notify(sc_core::SC_ZERO_TIME);
}

void LaunchControl::on_step() {
    if (!rst_n.read()) return on_reset();
    if (is_requested() && start_ev_.triggered()) {
        start();
    } else if (phase_ == Phase::starting && step_ev_.triggered()) {
        phase_ = Phase::under_way;
    }
    if (status_ == LaunchStatus::running && phase_ == Phase::under_way) check_done();
    done.write(status_ == LaunchStatus::done || (is_requested() && done.read()));
    error.write(status_ == LaunchStatus::error);
}

void LaunchControl::start() {
    phase_ = Phase::starting;
    started_at_ = ended_at_ = clk->now();
    ++launches_;
    const std::vector<InstructionSource*> sources = sources_.empty() ? load_image() : sources_;
    if (status_ == LaunchStatus::error) return;
    if (is_grid_) {
        std::vector<bool> in_grid;
        for (const InstructionSource* source : sources) in_grid.push_back(source != nullptr);
        flags_.set_grid(in_grid);
    }
    for (std::size_t i = 0; i < cores_.size(); ++i) cores_[i]->scalar().start(sources[i]);
    // Looks at the cores again when they have acted: one without a program may change no signal.
    step_ev_.notify(sc_core::SC_ZERO_TIME);
}

void LaunchControl::check_done() {
    const bool all_done = std::all_of(cores_.begin(), cores_.end(),
                                      [](const Core* core) { return core->done.read(); });
    if (!all_done || !flags_.is_drained()) return; // a count on its way may be one too many
    for (const Core* core : cores_) ended_at_ = std::max(ended_at_, core->scalar().done_at());
    status_ = LaunchStatus::done;
}

Cycles LaunchControl::cycles() const {
    if (is_requested()) return Cycles(0);
    return (status_ == LaunchStatus::running ? clk->now() : ended_at_) - started_at_;
}

void LaunchControl::fail(LaunchError code, std::size_t core, const std::string& message) {
    const sc_dt::uint64 delta = sc_core::sc_delta_count();
    const bool is_first = status_ != LaunchStatus::error;
    if (!is_first && (failed_delta_ != delta || failed_core_ <= core)) return;
    code_ = code;
    message_ = message;
    failed_core_ = core;
    failed_delta_ = delta;
    if (!is_first) return;
    status_ = LaunchStatus::error;
    ended_at_ = clk->now();
    for (Core* one : cores_) one->scalar().halt();
    step_ev_.notify(sc_core::SC_ZERO_TIME);
}

void LaunchControl::on_reset() {
    request_ev_.cancel();
    start_ev_.cancel();
    step_ev_.cancel();
    status_ = LaunchStatus::idle;
    code_ = LaunchError::none;
    message_.clear();
    launches_ = 0;
    started_at_ = ended_at_ = Cycles(0);
    done.write(false);
    error.write(false);
}

// ---- the image ---------------------------------------------------------------------------------

std::vector<InstructionSource*> LaunchControl::load_image() {
    if (window_.bytes().empty()) {
        fail(LaunchError::no_program, 0, "the program window is empty");
        return {};
    }
    try {
        image_ = decode_image(window_.bytes().data(), window_.bytes().size());
    } catch (const ImageError& bad) {
        fail(LaunchError::bad_image, 0, std::string("program image: ") + bad.what());
        return {};
    }
    if (!check_image()) return {};
    lists_.clear();
    std::vector<InstructionSource*> sources(cores_.size(), nullptr);
    lists_.reserve(cores_.size()); // the sources point into it
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        const ProgramImage::Section* section =
            image_.find(block_index_, static_cast<std::uint32_t>(i));
        if (section == nullptr) continue;
        lists_.emplace_back(section->instructions);
        sources[i] = &lists_.back();
    }
    return sources;
}

bool LaunchControl::check_image() {
    const int arch = limits_.front().arch;
    if (image_.arch != arch) {
        fail(LaunchError::wrong_arch, 0,
             "the program image is for arch " + std::to_string(image_.arch) +
                 ", the platform is arch " + std::to_string(arch));
        return false;
    }
    if (block_count_ != image_.block_count || block_index_ >= block_count_) {
        fail(LaunchError::wrong_block, 0,
             "block " + std::to_string(block_index_) + " of " + std::to_string(block_count_) +
                 ", the program image has " + std::to_string(image_.block_count) + " blocks");
        return false;
    }
    for (const ProgramImage::Section& section : image_.sections) {
        if (section.block != block_index_) continue;
        if (section.core >= cores_.size()) {
            fail(LaunchError::wrong_block, 0,
                 "the program image has instructions for core " + std::to_string(section.core) +
                     ", the AI Core has " + std::to_string(cores_.size()) + " cores");
            return false;
        }
        const Core& core = *cores_[section.core];
        StreamCheck check(limits_[section.core], core.scalar().state());
        for (const Instruction& instruction : section.instructions) {
            const auto violation = check.next(instruction.operation);
            if (!violation) continue;
            std::ostringstream text;
            text << core.basename() << ", line " << instruction.place.line << ": "
                 << mnemonic(instruction.operation) << ": " << violation->field << " = "
                 << violation->value << ": " << violation->rule;
            fail(LaunchError::illegal_instruction, section.core, text.str());
            return false;
        }
    }
    return true;
}

} // namespace aicore
