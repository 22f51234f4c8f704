// Checks a whole program before its first cycle.
#pragma once

#include "hw/isa/legality.h"
#include "tb/program/program.h"

#include <cstdint>
#include <optional>

namespace aicore::tb {

/// GM bytes [begin, end) from the first to behind the last one that an instruction touches; bytes
/// in between that its strides skip belong to the range.
struct GmRange {
    std::uint64_t begin = 0, end = 0;
};

/// Nothing for an instruction that does not touch GM or does nothing. The instruction must be
/// legal on a platform with these `readings`.
std::optional<GmRange> gm_range(const Operation& operation, const FixpipeReadings& readings);

/// Walks the program of every core that `chip` gives it to its end: each instruction must keep the
/// legality rules, and an access to a named tensor must stay inside it. Throws InputError
/// "file:line:column: op: field = value: rule (k=3, i=1)" for the first mistake. Returns the number
/// of instructions.
std::uint64_t check_program(const Program& program, const IsaLimits& limits,
                            const ChipConfig& chip = {1, 2});

} // namespace aicore::tb
