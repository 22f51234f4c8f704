// The operands of vector instructions as text, for disassemble().
#pragma once

#include "hw/isa/vector_instruction.h"

#include <iosfwd>

namespace aicore {

// Each writes what follows the mnemonic, with a leading blank.

void write_operands(std::ostream& out, const VectorOp& op);
void write_operands(std::ostream& out, const VectorGather& op);
void write_operands(std::ostream& out, const GatherMask& op);
void write_operands(std::ostream& out, const Sort32& op);
void write_operands(std::ostream& out, const MrgSort& op);
void write_operands(std::ostream& out, const NchwConv& op);
void write_operands(std::ostream& out, const SetVectorMask& op);
void write_operands(std::ostream& out, const SetMaskMode& op);
void write_operands(std::ostream& out, const SetDeqScale& op);

} // namespace aicore
