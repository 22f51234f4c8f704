// Names that reports and waveforms derive from the names of pipes and links.
#pragma once

#include "hw/pipe/observer.h"

#include <string>

namespace aicore::tb {

/// Core of a pipe: its path without the last name, "aic0" for "aic0.cube".
std::string core_of(const std::string& pipe_path);

/// Last name of a path: "cube" for "aic0.cube", "l1_to_l0a" for "aic0.l1_to_l0a".
std::string last_name(const std::string& path);

/// Lane of a pipe as the vendor's simulator names it: SCALAR, VECTOR, CUBE, MTE1, MTE2, MTE3, FIXP.
std::string_view lane_name(Pipe pipe);

} // namespace aicore::tb
