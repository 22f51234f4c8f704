#include "tb/observe/core_names.h"

namespace aicore::tb {

std::string core_of(const std::string& pipe_path) {
    const std::size_t dot = pipe_path.rfind('.');
    return dot == std::string::npos ? std::string() : pipe_path.substr(0, dot);
}

std::string last_name(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::string_view lane_name(Pipe pipe) {
    switch (pipe) {
    case Pipe::S: return "SCALAR";
    case Pipe::V: return "VECTOR";
    case Pipe::M: return "CUBE";
    case Pipe::FIX: return "FIXP";
    default: return to_string(pipe);
    }
}

} // namespace aicore::tb
