// Turns a program file into the binary form that an AI Core loads.
#pragma once

#include "hw/isa/program_image.h"
#include "tb/program/program.h"

namespace aicore::tb {

/// The image of a checked program: expressions are evaluated, loops unrolled. The instructions of
/// AI Core i of `chip` become block i; there are as many blocks as the highest AI Core that has
/// any needs. Data of tensors is not part of an image, their addresses are.
ProgramImage make_image(const Program& program, const ChipConfig& chip, int arch);

} // namespace aicore::tb
