// Arithmetic of the elementwise vector instructions on one repeat.
//
// Floating results are rounded once to the type of the destination, to nearest even, and stored as
// CTRL[48] says. vexp, vln and vrsqrt are correctly rounded results of float64 functions [inferred:
// the accuracy of the silicon is not public]; vdiv, vsqrt and vrec are those of IEEE 754.
// Integer results wrap or saturate as CTRL[53] says; a ReLU comes after that.
#pragma once

#include "hw/isa/vector_instruction.h"
#include "hw/vector/vector_math.h"

#include <cstdint>

namespace aicore {

/// Operands of a repeat, as bytes of elements one after another.
struct VectorLanes {
    const std::uint8_t* src0;
    const std::uint8_t* src1;
    const std::uint8_t* dst; ///< old content of the destination
    std::uint8_t* out;
    int count; ///< elements
    std::uint32_t scalar;
    bool round_shift;
    FloatOverflow float_overflow;
    IntegerOverflow integer_overflow;
    MultiplyAdd multiply_add;
};

/// Computes every element of a repeat, enabled or not.
using LaneKernel = void (*)(const VectorLanes& lanes);

/// The kernel of an opcode of the forms unary, scalar, binary, accumulate, accumulate_scalar and
/// fill. Throws std::invalid_argument for other opcodes and types.
LaneKernel lane_kernel(const VectorOp& op);

} // namespace aicore
