// Parameters of FixPipe's quantisation: what the bits of the 64-bit words mean, and the readings
// of the public texts that a platform can choose between.
#pragma once

#include "hw/numerics/quant_mode.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aicore {

/// How the 9-bit offset of the pre stage is read. The texts say "9-bit integer"; the offset of the
/// post stage is documented as two's complement, the vendor's scripts take 0..511.
enum class OffsetCode : std::uint8_t { twos_complement, plain };

/// How the 4-bit shift N is read. The parameter table says 0 means 1 and 15 means 16; the vendor's
/// script shifts by the field itself.
enum class ShiftCode : std::uint8_t { plus_one, plain };

/// Rounding and offset of integer results. The vendor's script clips, rounds and then adds the
/// integer offset; another public model adds in float32, without clipping, and then rounds.
enum class OffsetOrder : std::uint8_t { round_then_add, add_then_round };

/// Values before the rounding of the post stage. The texts name no limit. `extended`: clipped to
/// one bit more than the result has, as the pre stage clips 8-bit results to [-256, 255].
enum class PostRange : std::uint8_t { unlimited, extended };

/// Overflow of F322BF16. The instruction pages say that its result does not support infinities and
/// NaN, the page of the library call that CTRL[48] decides for every floating-point result.
enum class Bf16Cast : std::uint8_t { saturate, by_ctrl };

/// Readings of the texts where they are silent or disagree; the defaults are the recommended ones.
struct QuantSwitches {
    OffsetCode offset_code = OffsetCode::twos_complement;
    ShiftCode shift_code = ShiftCode::plus_one;
    OffsetOrder offset_order = OffsetOrder::round_then_add;
    /// DEQF16 rounds to an integer before it converts, as the vendor's script does.
    bool deqf16_rounds_first = false;
    PostRange post_range = PostRange::unlimited;
    Bf16Cast bf16_cast = Bf16Cast::saturate;
};

/// Parameter of the pre stage: [31:13] scale, [35:32] shift, [36] narrow, [45:37] offset, [46] sign
/// of the result; the other bits mean nothing. 3510 has neither shift nor narrow.
struct QuantParameter {
    float scale = 0.0f;     ///< 1 sign, 8 exponent, 10 mantissa bits; the bits below are dropped
    int shift = 0;          ///< N
    bool narrow = false;    ///< MCB: shift int32 right by N and saturate to int16 first
    int offset = 0;         ///< added to integer results
    bool is_signed = false; ///< an 8-bit result is int8, not uint8
};

/// Parameter of the post stage (QUANT_POST): [31:13] scale, [9] sign of an 8-bit result, offset in
/// two's complement: [8:0] for 8 bits, [4:0] for 4 bits, [39:32] above [8:0] for 16 bits. An entry
/// of the vector table is taken to have the same form [inferred].
struct PostParameter {
    float scale = 0.0f;
    int offset = 0;
    bool is_signed = false;
};

/// @throws std::invalid_argument when arch is neither 2201 nor 3510
QuantParameter decode_quant_parameter(std::uint64_t word, int arch, const QuantSwitches& switches);

/// @param result b8, int4 or int16; another one throws std::invalid_argument
PostParameter decode_post_parameter(std::uint64_t word, QuantType result);

/// Scale or ReLU slope in bits 31:13 of a word, in the layout of a float32. The RELU_ALPHA register
/// holds the slope of the pre stage in its low word and that of the post stage in its high word.
float decode_multiplier(std::uint32_t word);

/// A scale or slope must be zero or a normal number: no infinity, NaN or denormal.
bool is_legal_multiplier(float multiplier);

/// Bit of the parameter that says that an 8-bit result is int8.
inline constexpr int kPreSignBit = 46, kPostSignBit = 9;

/// What is wrong with a parameter of `mode`, as "the scale must be ..."; nothing when it is legal.
/// @param sign_bit kPreSignBit or kPostSignBit
/// @param result   type that the instruction writes: the sign bit must go with int8 and uint8
std::optional<std::string> wrong_parameter(const QuantModeInfo& mode, std::uint64_t word,
                                           int sign_bit, DataType result);

/// The same for the slope of a leaky or parametric ReLU.
std::optional<std::string> wrong_slope(std::uint32_t word);

/// The limit of the clipping ReLU, a float16 in bits 15:0, must be above zero and finite.
bool is_legal_clip(std::uint16_t limit);

} // namespace aicore
