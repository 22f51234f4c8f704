// Arithmetic of one 16 x 16 output block of an Mmad: C[16,16] += A[16,k] x B[k,16].
//
// float16, bfloat16, float32, 8-bit float operands, float32 accumulator. The summation policy is
// `sequential` (summation.h; the others are in stepwise_mmad.h):
// for increasing k, acc = round(acc + round(a * b)), each rounding to float32, to nearest even,
// with denormals. The bits are the same on every machine, except those of a NaN: finish_block of
// convert.h gives the stored form.
// int8 and int4 operands, int32 accumulator: exact, sums wrap modulo 2^32.
#pragma once

#include "hw/numerics/data_type.h"
#include "hw/numerics/operand_panel.h"

namespace aicore {

/// C += A x B over the first `k_valid` elements of K and the first `rows` rows of A.
///
/// @param type    of A: float16, bfloat16, float32, int8, int4, fp8_e4m3, fp8_e5m2 or hifloat8;
///                another one throws std::invalid_argument. fp8 of both kinds may meet.
/// @param a       panel from decode_a, or from decode_a_vector with rows = 1
/// @param b       panel from decode_b
/// @param k_valid 0 .. elements in the panels; what lies beyond has no influence
/// @param rows    1..16; the rows of C beyond are neither read nor written
/// @param c       16 x 16 float32 or int32 words, row-major, rows of 64 bytes. All 16 columns are
///                computed: a caller with fewer valid columns ignores the others. 64-byte alignment
///                is fastest, 4-byte alignment is enough.
void multiply_accumulate(DataType type, const void* a, const void* b, int k_valid, int rows,
                         void* c);

} // namespace aicore
