// The types that an Mmad multiplies: the one table for both architectures.
#pragma once

#include "hw/isa/instruction.h"

#include <optional>
#include <string>

namespace aicore {

/// Type of B.
constexpr DataType b_type_of(const Mmad& mmad) { return mmad.b_type.value_or(mmad.ab_type); }

/// float32 operands that are rounded to HF32 (bit 46 of CTRL).
constexpr bool uses_hf32(const Mmad& mmad) {
    return mmad.ctrl.hf32 && mmad.ab_type == DataType::float32;
}

/// Type of the sums in L0C: int32 for integer operands, else float32.
constexpr DataType sum_type_of(DataType operand) {
    return is_integer(operand) ? DataType::int32 : DataType::float32;
}

/// Whether the cube of the architecture multiplies these types.
bool is_mmad_pair(int arch, DataType a, DataType b);

/// "float16, bfloat16, ... or int4": the types that A and B may share, for messages.
std::string mmad_types_text(int arch);

/// Whether a product of these operands may start from the bias table: all but int4.
constexpr bool allows_bias(DataType operand) { return operand != DataType::int4; }

} // namespace aicore
