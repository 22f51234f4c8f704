// The options that choose a platform: --platform and --set.
#pragma once

#include "hw/config/platform.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace aicore::tb {

struct PlatformOptions {
    std::string file; ///< empty: the platform that comes with the program
    std::vector<std::string> overrides;

    void add_to(CLI::App& command);
    /// The file that is chosen. Throws InputError when the default one is not there.
    std::string path() const;
    /// Throws InputError.
    Platform load() const;
};

} // namespace aicore::tb
