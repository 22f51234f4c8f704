// What every opcode of the repeat-based vector instructions has in common: its name, its operands
// and the element types that it takes.
#pragma once

#include "hw/isa/vector_instruction.h"

#include <cstdint>
#include <string_view>

namespace aicore {

/// Operands and results of an opcode.
enum class VectorForm : std::uint8_t {
    unary,             ///< dst, src0
    scalar,            ///< dst, src0, scalar
    binary,            ///< dst, src0, src1
    accumulate,        ///< dst (read, too), src0, src1
    accumulate_scalar, ///< dst (read, too), src0, scalar
    convert,           ///< dst of another type, src0
    convert_half,      ///< half of each block of dst, src0
    fill,              ///< dst, scalar
    compare_register,  ///< CMPMASK, src0, src1
    compare,           ///< bits at dst, src0, src1
    compare_scalar,    ///< bits at dst, src0, scalar
    select,            ///< dst, src0, src1 or scalar, bits
    reduce_repeat,     ///< one result at dst for each repeat, src0
    reduce_block,      ///< one for each block
    reduce_pair,       ///< one for each two elements
    broadcast,         ///< 8 blocks of dst, 8 elements of src0
    transpose,         ///< 16 blocks of dst, 16 of src0
    set_register,      ///< CMPMASK, 16 bytes of src0
    get_register,      ///< 16 bytes at dst, CMPMASK
};

std::string_view to_string(VectorOpcode opcode);
VectorForm form_of(VectorOpcode opcode);

/// Whether the instruction exists on arch 2201 for these source and destination types; forms
/// without dst_type ignore it. Rounding modes of conversions: see allows_rounding.
bool allows_types(const VectorOp& op);

/// Whether a vconv between its types may round this way. Conversions that lose nothing, and those
/// of int32 to int16, float16 and int64 to int32, only know nearest_even, which stands for the
/// vendor's CAST_NONE as well.
bool allows_rounding(const VectorOp& op);

/// The forms whose destination has a type of its own: vconv, vmla, vaxpy.
bool has_dst_type(VectorOpcode opcode);
/// Type of the destination's elements.
DataType dst_type_of(const VectorOp& op);

/// Whether the MASK register, or the element count in counter mode, has a meaning.
bool obeys_mask(VectorForm form);

bool reads_src0(VectorForm form);
bool reads_src1(const VectorOp& op);
/// Whether UB is written.
bool writes_dst(VectorForm form);
bool uses_scalar(const VectorOp& op);
/// vsel with bits from UB.
bool reads_select_bits(const VectorOp& op);

} // namespace aicore
