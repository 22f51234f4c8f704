// asc_copy_l0c2ub in terms of the Fixpipe record, which FixPipe executes.
#pragma once

#include "hw/isa/instruction.h"

#include <optional>

namespace aicore {

/// The Fixpipe that does what `copy` says; its strides count in the units of `readings`. Values
/// that are illegal (legality of the copy) have no meaning here.
Fixpipe to_fixpipe(const AscCopyL0c2ub& copy, const FixpipeReadings& readings);

/// The copy when `operation` is one, in either form; null for others.
const AscCopyL0c2ub* as_l0c2ub(const Operation& operation);

/// The Fixpipe that `operation` is, or stands for, with the sizes that are written
/// (fixpipe_as_executed); nothing for other instructions.
std::optional<Fixpipe> as_fixpipe(const Operation& operation, const FixpipeReadings& readings);

} // namespace aicore
