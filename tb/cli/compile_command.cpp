#include "tb/cli/compile_command.h"

#include "hw/config/platform_loader.h"
#include "tb/cli/exit_code.h"
#include "tb/cli/output_set.h"
#include "tb/cli/platform_options.h"
#include "tb/program/image_builder.h"
#include "tb/program/program_check.h"
#include "tb/report/text_table.h"

#include <iostream>
#include <memory>
#include <string_view>

namespace aicore::tb {
namespace {

constexpr const char* kImage = "image";

struct CompileOptions {
    std::string program, image;
    PlatformOptions platform;
};

/// What a host has to know to run the image.
void print_summary(const Program& program, const ProgramImage& image, std::size_t bytes) {
    std::cout << "program " << program.name << ", " << bytes << " bytes, block count "
              << image.block_count << "\n\n";
    TextTable table(false);
    table.add({"instructions of", "block", "core", ""});
    for (const ProgramImage::Section& section : image.sections) {
        table.add({"", std::to_string(section.block), std::to_string(section.core),
                   grouped(static_cast<std::int64_t>(section.instructions.size()))});
    }
    table.add({"tensor", "address", "bytes", "memory"});
    for (const Tensor& tensor : program.tensors) {
        table.add({tensor.name, std::to_string(tensor.address), std::to_string(tensor.bytes()),
                   std::string(to_string(tensor.memory))});
    }
    table.print(std::cout);
}

int compile(const CompileOptions& options) {
    const Platform platform = options.platform.load();
    const IsaLimits limits = isa_limits(platform);
    const Program program = load_program(options.program, limits);
    for (const std::string& warning : check_program(program, limits, platform.chip).warnings)
        std::cerr << "aicore: warning: " << warning << '\n';
    if (program.launches.size() > 1) {
        throw InputError(program.file + ": launches: an image holds one launch, found " +
                         std::to_string(program.launches.size()));
    }
    const ProgramImage image = make_image(program, platform.chip, platform.arch);
    if (image.sections.empty()) throw InputError(program.file + ": cores: no program for any core");
    const std::vector<std::uint8_t> bytes = encode(image);
    OutputSet files({{kImage, options.image}});
    files.find(kImage)->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    files.close();
    print_summary(program, image, bytes.size());
    return kExitGood;
}

} // namespace

void add_compile_command(CLI::App& app, CommandAction& action) {
    CLI::App* const command = app.add_subcommand(
        "compile", "Write the image of a program file that an AI Core in another design loads");
    const auto options = std::make_shared<CompileOptions>();
    command->add_option("program", options->program, "Program (YAML or JSON)")
        ->type_name("FILE")
        ->required();
    command->add_option("--image", options->image, "Image to write")->type_name("FILE")->required();
    options->platform.add_to(*command);
    command->callback([options, &action] { action = [options] { return compile(*options); }; });
}

} // namespace aicore::tb
