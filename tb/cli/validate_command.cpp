#include "tb/cli/validate_command.h"

#include "hw/config/data_files.h"
#include "tb/cli/platform_options.h"
#include "tb/validate/validate_command.h"

#include <iostream>
#include <memory>

namespace aicore::tb {
namespace {

struct CliOptions {
    ValidateOptions validate;
    PlatformOptions platform;
};

int run(const CliOptions& options) {
    ValidateOptions validate = options.validate;
    if (validate.rows_file.empty()) validate.rows_file = find_data_file(kValidationRows);
    validate.platform_file = options.platform.path();
    validate.overrides = options.platform.overrides;
    return validate_command(validate, std::cout);
}

} // namespace

void add_validate_command(CLI::App& app, CommandAction& action) {
    CLI::App* const command = app.add_subcommand(
        "validate", "Simulate what has published figures and print both, with the error");
    const auto options = std::make_shared<CliOptions>();
    ValidateOptions& validate = options->validate;
    command->add_flag("--json", validate.json,
                      "JSON (schema aicore-validate/1) instead of a table");
    command->add_flag("--list", validate.list, "List the rows, simulate nothing");
    command->add_option("--row", validate.ids, "Only this row; may be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    command
        ->add_option("--rows", validate.rows_file,
                     "File of rows (default: the one that comes with the program)")
        ->type_name("FILE");
    options->platform.add_to(*command);
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

} // namespace aicore::tb
