#include "tb/cli/platform_command.h"

#include "hw/config/platform_loader.h"
#include "tb/cli/exit_code.h"
#include "tb/cli/platform_options.h"

#include <iostream>
#include <memory>

namespace aicore::tb {

void add_platform_command(CLI::App& app, CommandAction& action) {
    CLI::App* const command = app.add_subcommand(
        "platform", "Print the platform with all overrides, as a file that --platform takes");
    const auto options = std::make_shared<PlatformOptions>();
    options->add_to(*command);
    command->callback([options, &action] {
        action = [options] {
            std::cout << dump_platform(options->load());
            return kExitGood;
        };
    });
}

} // namespace aicore::tb
