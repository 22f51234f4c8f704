// Which instruction set the vectorised functions of this room run on.
//
// Left alone, the best one of the machine is taken at the first call. Results never depend on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aicore {

/// Names of the instruction sets that are compiled in and that this machine supports, best first.
std::vector<std::string> simd_targets();

/// From the next call on, the functions of this room run on the named instruction set; an empty
/// name returns to the best one. Not to be called while another thread runs one of them.
/// @throws std::invalid_argument when simd_targets() does not list the name
void use_simd_target(std::string_view name);

} // namespace aicore
