#include "hw/core/control_registers.h"

namespace aicore {

std::string_view to_string(LaunchStatus status) {
    switch (status) {
    case LaunchStatus::idle: return "idle";
    case LaunchStatus::running: return "running";
    case LaunchStatus::done: return "done";
    case LaunchStatus::error: return "error";
    }
    return "";
}

std::string_view to_string(LaunchError error) {
    switch (error) {
    case LaunchError::none: return "none";
    case LaunchError::no_program: return "no program";
    case LaunchError::bad_image: return "bad image";
    case LaunchError::wrong_arch: return "wrong architecture";
    case LaunchError::wrong_block: return "wrong block";
    case LaunchError::illegal_instruction: return "illegal instruction";
    case LaunchError::program_error: return "program error";
    case LaunchError::bus_error: return "bus error";
    }
    return "";
}

} // namespace aicore
