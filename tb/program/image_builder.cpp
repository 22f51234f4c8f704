#include "tb/program/image_builder.h"

#include "tb/program/program_source.h"

#include <algorithm>

namespace aicore::tb {

ProgramImage make_image(const Program& program, const ChipConfig& chip, int arch) {
    ProgramImage image;
    image.arch = arch;
    for (const CoreInstance& instance : core_instances(program, chip)) {
        const bool is_cube = instance.program->kind() == CoreKind::aic;
        const std::int64_t per_ai_core = is_cube ? 1 : chip.vector_cores_per_ai_core;
        ProgramImage::Section section;
        section.block = static_cast<std::uint32_t>(instance.index / per_ai_core);
        section.core = is_cube ? 0 : static_cast<std::uint32_t>(1 + instance.index % per_ai_core);
        ProgramSource source(program, instance);
        Instruction instruction;
        while (source.next(instruction)) section.instructions.push_back(instruction);
        image.block_count = std::max(image.block_count, section.block + 1);
        image.sections.push_back(std::move(section));
    }
    return image;
}

} // namespace aicore::tb
