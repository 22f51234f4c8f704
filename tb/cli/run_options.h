// The options of commands that simulate: what to write, what to check, when to give up.
#pragma once

#include "tb/run/simulation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace aicore::tb {

struct RunOptions {
    std::string stats, timeline, vcd; ///< files to write, empty: none
    std::vector<std::string> vcd_scopes;
    std::int64_t vcd_from = 0;
    std::optional<std::int64_t> vcd_to;
    std::string clock = "quiet";
    bool check_protocol = false;
    std::int64_t no_progress_cycles = SimulationOptions{}.no_progress_limit.count();
    bool quiet = false;

    void add_to(CLI::App& command);
    SimulationOptions simulation() const;
    /// Name of the viewer's save file that belongs to the VCD.
    std::string gtkw() const;
};

} // namespace aicore::tb
