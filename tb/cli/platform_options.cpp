#include "tb/cli/platform_options.h"

#include "hw/config/data_files.h"
#include "hw/config/platform_loader.h"

namespace aicore::tb {

void PlatformOptions::add_to(CLI::App& command) {
    const std::string group = "Platform";
    command
        .add_option("--platform", file,
                    "Platform file, or 2201 or 3510 for the one that comes with the program "
                    "(default: 2201)")
        ->type_name("FILE")
        ->group(group);
    command
        .add_option("--set", overrides,
                    "Override a number of the platform, as links.l1_to_l0a.bytes_per_cycle=128; "
                    "may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false)
        ->group(group);
}

std::string PlatformOptions::path() const { return find_platform_file(file); }

Platform PlatformOptions::load() const { return load_platform(path(), overrides); }

} // namespace aicore::tb
