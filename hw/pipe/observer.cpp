#include "hw/pipe/observer.h"

#include <algorithm>
#include <stdexcept>

namespace aicore {

std::string_view to_string(WaitReason reason) {
    switch (reason) {
    case WaitReason::none: return "none";
    case WaitReason::queue_full: return "queue_full";
    case WaitReason::event_flag: return "event_flag";
    case WaitReason::unit_flag: return "unit_flag";
    case WaitReason::barrier: return "barrier";
    case WaitReason::cross_core_flag: return "cross_core_flag";
    case WaitReason::link_busy: return "link_busy";
    case WaitReason::arbitration: return "arbitration";
    case WaitReason::bank_conflict: return "bank_conflict";
    case WaitReason::memory_latency: return "memory_latency";
    }
    return "?";
}

std::string_view to_string(PipeActivity activity) {
    switch (activity) {
    case PipeActivity::idle: return "idle";
    case PipeActivity::waiting: return "waiting";
    case PipeActivity::executing: return "executing";
    }
    return "?";
}

const PipeInfo& ObserverHub::register_pipe(const std::string& path, Pipe pipe) {
    for (const PipeInfo* known : pipes_) {
        if (known->path == path) return *known;
    }
    pipes_.push_back(
        new PipeInfo{path, pipe, static_cast<int>(pipes_.size()), &core_of_path(path)});
    return *pipes_.back();
}

const LinkInfo& ObserverHub::register_link(const std::string& path) {
    for (const LinkInfo* known : links_) {
        if (known->path == path) throw std::logic_error("link '" + path + "' is registered twice");
    }
    links_.push_back(new LinkInfo{path, static_cast<int>(links_.size()), &core_of_path(path)});
    return *links_.back();
}

const CoreInfo& ObserverHub::register_core(const std::string& name) {
    for (const CoreInfo* known : cores_) {
        if (known->name == name) return *known;
    }
    core_storage_.push_back(std::make_unique<CoreInfo>());
    core_storage_.back()->name = name;
    core_storage_.back()->index = static_cast<int>(cores_.size());
    cores_.push_back(core_storage_.back().get());
    return *cores_.back();
}

const CoreInfo& ObserverHub::core_of_path(const std::string& path) {
    return register_core(path.substr(0, path.find('.')));
}

void ObserverHub::set_in_use(const std::vector<std::string>& cores) {
    for (const auto& core : core_storage_) {
        core->in_use = std::find(cores.begin(), cores.end(), core->name) != cores.end();
    }
}

ObserverHub::~ObserverHub() {
    for (const PipeInfo* pipe : pipes_) delete pipe;
    for (const LinkInfo* link : links_) delete link;
}

} // namespace aicore
