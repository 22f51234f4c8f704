// Scalar conversions between float32 and the two 16-bit formats, by bits.
//
// They define what the vectorised conversions of convert.h must return, bit for bit.
#pragma once

#include <cstdint>
#include <cstring>

namespace aicore {

/// What becomes of infinities and NaN in a floating-point result (bit 48 of the CTRL register).
enum class FloatOverflow : std::uint8_t {
    inf_nan,  ///< IEEE 754: infinities are kept, every NaN becomes the one canonical quiet NaN
    saturate, ///< infinities and overflow become the largest finite value, NaN becomes +0
};

// The NaN a machine makes differs in sign and payload (x86: negative, Arm: positive); results hold
// these only.
inline constexpr std::uint16_t kCanonicalNanF16 = 0x7E00;
inline constexpr std::uint16_t kCanonicalNanBf16 = 0x7FC0;
inline constexpr std::uint32_t kCanonicalNanF32 = 0x7FC00000;

inline std::uint32_t f32_to_bits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float f32_from_bits(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Exact; a NaN keeps its sign and payload.
inline float f16_to_f32(std::uint16_t bits) {
    const std::uint32_t magnitude = (bits & 0x7FFFu) << 13;
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    // Multiplying by 2^112 moves the exponent bias from 15 to 127 and normalises denormals.
    std::uint32_t scaled = f32_to_bits(f32_from_bits(magnitude) * 0x1p112f);
    if (magnitude >= 0x0F800000u) scaled |= 0x7F800000u;
    return f32_from_bits(scaled | sign);
}

/// Exact.
inline float bf16_to_f32(std::uint16_t bits) { return f32_from_bits(std::uint32_t{bits} << 16); }

/// Round to nearest, ties to even; denormals are produced, never flushed.
inline std::uint16_t f32_to_f16(float value, FloatOverflow overflow) {
    const std::uint32_t bits = f32_to_bits(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    if (magnitude > 0x7F800000u) return overflow == FloatOverflow::inf_nan ? kCanonicalNanF16 : 0;
    std::uint32_t half;
    if (magnitude >= 0x477FF000u) { // 65520, half-way between the largest float16 and 2^16
        half = overflow == FloatOverflow::inf_nan ? 0x7C00u : 0x7BFFu;
    } else if (magnitude < 0x38800000u) { // below 2^-14
        // The unit in the last place of 0.5 is 2^-24, as of a denormal: the addition rounds.
        half = f32_to_bits(f32_from_bits(magnitude) + 0.5f) - 0x3F000000u;
    } else {
        half = ((magnitude + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13) - (112u << 10);
    }
    return static_cast<std::uint16_t>(sign | half);
}

/// Round to nearest, ties to even; denormals are produced, never flushed.
inline std::uint16_t f32_to_bf16(float value, FloatOverflow overflow) {
    const std::uint32_t bits = f32_to_bits(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return overflow == FloatOverflow::inf_nan ? kCanonicalNanBf16 : 0;
    std::uint32_t rounded = (magnitude + 0x7FFFu + ((magnitude >> 16) & 1u)) >> 16;
    if (rounded > 0x7F7Fu && overflow == FloatOverflow::saturate) rounded = 0x7F7Fu;
    return static_cast<std::uint16_t>(((bits >> 16) & 0x8000u) | rounded);
}

/// The form in which a float32 result is stored.
inline float finish_f32(float value, FloatOverflow overflow) {
    const std::uint32_t bits = f32_to_bits(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) {
        return f32_from_bits(overflow == FloatOverflow::inf_nan ? kCanonicalNanF32 : 0u);
    }
    if (magnitude == 0x7F800000u && overflow == FloatOverflow::saturate) {
        return f32_from_bits(bits - 1u);
    }
    return value;
}

} // namespace aicore
