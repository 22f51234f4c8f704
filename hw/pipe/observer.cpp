#include "hw/pipe/observer.h"

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
    pipes_.push_back(new PipeInfo{path, pipe, static_cast<int>(pipes_.size())});
    return *pipes_.back();
}

const LinkInfo& ObserverHub::register_link(const std::string& name) {
    for (const LinkInfo* known : links_) {
        if (known->name == name) throw std::logic_error("link '" + name + "' is registered twice");
    }
    links_.push_back(new LinkInfo{name, static_cast<int>(links_.size())});
    return *links_.back();
}

ObserverHub::~ObserverHub() {
    for (const PipeInfo* pipe : pipes_) delete pipe;
    for (const LinkInfo* link : links_) delete link;
}

} // namespace aicore
