// FixPipe's quantisation written a second time, one element at a time in exact arithmetic, from the
// rules in the text: nothing here is vectorised or shared with the code under test, except the
// conversion to hifloat8, which has tests of its own.
#pragma once

#include "hw/numerics/hifloat8.h"
#include "hw/numerics/quantise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace aicore::reference {

using Real = long double; // holds the product of a float32 and a scale exactly

/// A parameter, one field per member, and its packing into the word.
struct Fields {
    std::uint32_t scale = 0; ///< float32 pattern
    std::uint32_t shift = 0; ///< 4 bits as stored
    bool narrow = false;
    std::uint32_t offset = 0; ///< bits as stored
    bool is_signed = false;

    std::uint64_t pre_word() const {
        return scale | std::uint64_t{shift} << 32 | std::uint64_t{narrow} << 36 |
               std::uint64_t{offset} << 37 | std::uint64_t{is_signed} << 46;
    }
    std::uint64_t post_word(bool wide_offset) const {
        const std::uint64_t low = offset & 0x1FFu, high = (offset >> 9) & 0xFFu;
        return (scale & 0xFFFFE000u) | low | std::uint64_t{is_signed} << 9 |
               (wide_offset ? high << 32 : 0);
    }
};

/// Value of a multiplier of 1 sign, 8 exponent and 10 mantissa bits; zero has exponent 0.
inline Real multiplier(std::uint32_t pattern) {
    const int exponent = static_cast<int>((pattern >> 23) & 0xFFu);
    if (exponent == 0) return (pattern >> 31) != 0 ? -0.0L : 0.0L;
    const Real fraction = static_cast<Real>((pattern >> 13) & 0x3FFu) / 1024;
    return std::ldexp((pattern >> 31) != 0 ? -1 - fraction : 1 + fraction, exponent - 127);
}

inline Real signed_field(std::uint32_t bits, int width) {
    const Real value = bits & ((1u << width) - 1);
    return ((bits >> (width - 1)) & 1u) != 0 ? value - std::ldexp(Real{1}, width) : value;
}

inline Real to_float32(Real value) { return static_cast<float>(value); }

/// Half to even without the floating-point environment: exact halves are found by their distance.
inline Real round_half_even(Real value) {
    const Real below = std::floor(value);
    const Real distance = value - below;
    if (distance != 0.5L) return distance < 0.5L ? below : below + 1;
    return std::fmod(below, 2) == 0 ? below : below + 1;
}

/// A binary format: `largest` is the code of the largest finite value.
struct Format {
    int bias, fraction_bits, bits;
    std::uint32_t largest, infinity, nan;
};
inline constexpr Format kFloat16{15, 10, 16, 0x7BFF, 0x7C00, 0x7E00};
inline constexpr Format kBfloat16{127, 7, 16, 0x7F7F, 0x7F80, 0x7FC0};
inline constexpr Format kFloat32{127, 23, 32, 0x7F7FFFFF, 0x7F800000, 0x7FC00000};
inline constexpr Format kE4m3{7, 3, 8, 0x7E, 0x7F, 0x7F};

inline std::uint32_t encode(Real value, const Format& format, bool saturate, bool keep_nan) {
    if (std::isnan(value)) return saturate && !keep_nan ? 0 : format.nan;
    const std::uint32_t sign = std::signbit(value) ? 1u << (format.bits - 1) : 0;
    const std::uint32_t beyond = saturate ? format.largest : format.infinity;
    const Real magnitude = std::fabs(value);
    if (std::isinf(magnitude))
        return format.infinity == format.nan && !saturate ? format.nan : sign | beyond;
    const int smallest = 1 - format.bias;
    const int exponent = magnitude == 0 ? smallest : std::max(std::ilogb(magnitude), smallest);
    const Real steps = round_half_even(std::ldexp(magnitude, format.fraction_bits - exponent));
    const Real code = std::ldexp(Real(exponent - smallest), format.fraction_bits) + steps;
    if (code > format.largest)
        return format.infinity == format.nan && !saturate ? format.nan : sign | beyond;
    return sign | static_cast<std::uint32_t>(code);
}

/// Integer result of `bits` bits from y.
struct IntegerRule {
    Real clip = 0; ///< y is clipped to [-clip, clip - 1]; infinity: not
    Real low = 0, high = 0;
};

inline std::int32_t to_integer(Real y, const IntegerRule& rule, Real offset, bool add_first) {
    if (std::isnan(y)) y = 0;
    Real result;
    if (add_first) {
        result = to_float32(y + offset);
        if (std::isfinite(result)) result = round_half_even(result);
    } else {
        const Real clipped = std::isinf(rule.clip) ? y : std::clamp(y, -rule.clip, rule.clip - 1);
        result = std::isfinite(clipped) ? round_half_even(clipped) + offset : clipped;
    }
    return static_cast<std::int32_t>(std::clamp(result, rule.low, rule.high));
}

/// y of the text: the multiplier depends on the sign of x.
inline Real multiply(Real x, Real scale, ReluMode relu, std::uint32_t slope) {
    if (relu == ReluMode::normal && x <= 0) return 0;
    const bool sloped = relu == ReluMode::leaky || relu == ReluMode::prelu;
    return to_float32(x * (x < 0 && sloped ? multiplier(slope) : scale));
}

inline IntegerRule integer_rule(const std::string& result, bool is_signed, Real clip) {
    if (result == "int16") return {clip, -32768, 32767};
    if (result == "int4") return {clip, -8, 7};
    return is_signed ? IntegerRule{clip, -128, 127} : IntegerRule{clip, 0, 255};
}

/// One element of the pre stage, as the bits of the result in the low end of a word.
inline std::uint32_t quantise(const QuantStage& stage, const std::string& mode,
                              const std::string& result, const Fields& fields, std::uint32_t slope,
                              std::uint32_t word) {
    const bool from_int = stage.source == DataType::int32;
    const auto integer = static_cast<std::int32_t>(word);
    const QuantSwitches& switches = stage.switches;
    const Real limit =
        stage.clip ? Real(f16_to_f32(stage.clip_max)) : std::numeric_limits<Real>::infinity();
    const int shift =
        static_cast<int>(fields.shift) + (switches.shift_code == ShiftCode::plus_one ? 1 : 0);
    const Real narrowed =
        std::clamp(std::floor(std::ldexp(Real(integer), -shift)), Real(-32768), Real(32767));
    if (mode == "SHIFTS322S16") {
        const Real kept = stage.relu == ReluMode::normal ? std::max(narrowed, Real(0)) : narrowed;
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(std::min(kept, std::floor(limit))));
    }
    if (mode == "none" && stage.relu == ReluMode::none) return word;
    if (mode == "none" && from_int) return integer > 0 ? word : 0;
    Real x = from_int ? to_float32(Real(integer)) : Real(f32_from_bits(word));
    if (mode == "none" && stage.relu == ReluMode::normal) return x <= 0 ? 0 : word;
    if (mode == "REQ8" && fields.narrow && stage.arch == 2201) x = narrowed;
    const bool scaled = mode != "none" && mode != "F322F16" && mode != "F322BF16";
    Real y = multiply(x, scaled ? multiplier(fields.scale) : 1, stage.relu, slope);
    if (result == "b8" || result == "int4" || result == "int16") {
        IntegerRule rule = integer_rule(result, fields.is_signed, result == "int16" ? 32768 : 256);
        rule.high = std::min(rule.high, std::floor(limit));
        Real offset = 0;
        if (result != "int16") {
            offset = switches.offset_code == OffsetCode::plain ? Real(fields.offset)
                                                               : signed_field(fields.offset, 9);
        }
        return static_cast<std::uint32_t>(
            to_integer(y, rule, offset, switches.offset_order == OffsetOrder::add_then_round));
    }
    bool saturate = stage.overflow == FloatOverflow::saturate;
    if (mode == "DEQF16") {
        saturate = true;
        if (switches.deqf16_rounds_first && std::isfinite(y)) {
            y = std::copysign(round_half_even(y), y);
        }
    }
    if (mode == "F322BF16" && switches.bf16_cast == Bf16Cast::saturate) saturate = true;
    if (y > limit) y = limit;
    if (result == "float16") return encode(y, kFloat16, saturate, false);
    if (result == "bfloat16") return encode(y, kBfloat16, saturate, false);
    if (result == "fp8_e4m3") {
        return encode(y, kE4m3, saturate, stage.fp8_nan == SaturatedNan::keep);
    }
    if (result == "hifloat8") {
        const bool hybrid = mode == "QF322HIF8_PRE_HYBRID";
        return f32_to_hif8(static_cast<float>(y),
                           hybrid ? Rounding::hybrid : Rounding::nearest_away, stage.overflow);
    }
    return encode(y, kFloat32, saturate, false);
}

/// One element of the post stage.
inline std::uint32_t requantise(const PostStage& stage, const std::string& mode,
                                const Fields& fields, std::uint32_t slope, std::uint16_t value) {
    const bool half = mode.find("QF16") != std::string::npos;
    const std::string result = mode.find("2B8") != std::string::npos   ? "b8"
                               : mode.find("2S4") != std::string::npos ? "int4"
                                                                       : "int16";
    const int bits = result == "b8" ? 9 : result == "int4" ? 5 : 17;
    const bool extended = stage.switches.post_range == PostRange::extended;
    IntegerRule rule = integer_rule(result, fields.is_signed,
                                    extended ? std::ldexp(Real(1), bits - 1)
                                             : std::numeric_limits<Real>::infinity());
    if (stage.clip) rule.high = std::min(rule.high, std::floor(Real(f16_to_f32(stage.clip_max))));
    const Real u = half ? Real(f16_to_f32(value)) : signed_field(value, 16);
    return static_cast<std::uint32_t>(
        to_integer(multiply(u, multiplier(fields.scale), stage.relu, slope), rule,
                   signed_field(fields.offset, bits),
                   stage.switches.offset_order == OffsetOrder::add_then_round));
}

/// The elements of a row, each in its size; int4 two to a byte, low half first.
inline std::vector<std::uint8_t> pack(const std::vector<std::uint32_t>& values, int bits) {
    std::vector<std::uint8_t> bytes((values.size() * static_cast<std::size_t>(bits) + 7) / 8, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (int bit = 0; bit < bits; ++bit) {
            const std::size_t place =
                i * static_cast<std::size_t>(bits) + static_cast<std::size_t>(bit);
            const auto value = static_cast<unsigned>((values[i] >> bit) & 1u);
            bytes[place / 8] = static_cast<std::uint8_t>(bytes[place / 8] | value << (place % 8));
        }
    }
    return bytes;
}

} // namespace aicore::reference
