#include "hw/vector/convert_math.h"

#include "hw/numerics/cast.h"
#include "hw/numerics/float_format.h"
#include "hw/numerics/int4.h"
#include "hw/numerics/quant_parameter.h"
#include "hw/vector/element_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace aicore {
namespace {

constexpr IntegerOverflow kSaturate = IntegerOverflow::saturate;

constexpr int pair_of(DataType from, DataType to) {
    return static_cast<int>(from) * kDataTypes + static_cast<int>(to);
}

ExactValue exact_integer(std::int64_t value) {
    const bool negative = value < 0;
    const auto bits = static_cast<std::uint64_t>(value);
    return {negative ? 0 - bits : bits, 0, negative};
}

std::int64_t to_s64(float value, Rounding rounding) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    if (std::isnan(value)) return 0;
    if (value >= 0x1p63f) return kLargest;
    if (value < -0x1p63f) return kLeast;
    const ExactValue exact = exact_value(value);
    const std::uint64_t magnitude =
        exact.exponent >= 0
            ? exact.significand << exact.exponent
            : round_off(exact.significand, -exact.exponent, exact.negative, rounding);
    return static_cast<std::int64_t>(exact.negative ? 0 - magnitude : magnitude);
}

/// A float32 without a fraction; the sign of a zero stays.
float to_integral(float value, Rounding rounding) {
    if (!std::isfinite(value) || std::fabs(value) >= 0x1p23f) return value;
    const ExactValue exact = exact_value(value);
    const std::uint64_t magnitude =
        round_off(exact.significand, -exact.exponent, exact.negative, rounding);
    const auto result = static_cast<float>(magnitude);
    return std::copysign(result, value);
}

template <typename From, typename To, typename Fn>
void each(const std::uint8_t* in, int count, std::uint8_t* out, Fn convert) {
    for (int i = 0; i < count; ++i) {
        store_raw<To>(out, i, static_cast<To>(convert(load_raw<From>(in, i))));
    }
}

std::int64_t saturate(std::int64_t value, std::int64_t least, std::int64_t largest) {
    return std::clamp(value, least, largest);
}

void from_int4(const std::uint8_t* in, int count, std::uint8_t* out) {
    for (int i = 0; i < count; ++i) {
        const std::int8_t value = i % 2 == 0 ? int4_low(in[i / 2]) : int4_high(in[i / 2]);
        store_raw(out, i, f32_to_f16(static_cast<float>(value), FloatOverflow::inf_nan));
    }
}

void to_int4(const std::uint8_t* in, int count, std::uint8_t* out, Rounding rounding) {
    for (int i = 0; i < count; i += 2) {
        out[i / 2] = pack_int4(cast_f32_to_s4(HalfElement::load(in, i), rounding, kSaturate),
                               cast_f32_to_s4(HalfElement::load(in, i + 1), rounding, kSaturate));
    }
}

/// DEQSCALE has the layout of a parameter of FixPipe's pre stage and a text of its own, by which
/// the offset is signed: what a platform reads into FixPipe's texts does not concern it.
void dequantise_s16(const VectorOp& op, const std::uint8_t* in, int count, std::uint8_t* out) {
    QuantSwitches reading;
    reading.offset_code = OffsetCode::twos_complement;
    const QuantParameter parameter = decode_quant_parameter(op.control.deq_scale, 2201, reading);
    const std::int64_t low = parameter.is_signed ? -128 : 0;
    for (int i = 0; i < count; ++i) {
        const float scaled = static_cast<float>(load_raw<std::int16_t>(in, i)) * parameter.scale;
        const std::int64_t rounded =
            cast_f32_to_s32(std::clamp(scaled, -256.0f, 255.0f), Rounding::nearest_even, kSaturate);
        out[i] = static_cast<std::uint8_t>(saturate(rounded + parameter.offset, low, low + 255));
    }
}

} // namespace

void convert_lanes(const VectorOp& op, const std::uint8_t* in, int count, std::uint8_t* out) {
    using T = DataType;
    const Rounding rounding = op.rounding;
    const FloatOverflow overflow = op.ctrl.float_overflow;
    const auto half = [](std::uint16_t bits) { return f16_to_f32(bits); };
    const auto small = [](auto value) {
        return f32_to_f16(static_cast<float>(value), FloatOverflow::inf_nan);
    };
    using S8 = std::int8_t;
    using U8 = std::uint8_t;
    using S16 = std::int16_t;
    using U16 = std::uint16_t;
    using S32 = std::int32_t;
    using U32 = std::uint32_t;
    using S64 = std::int64_t;
    if (op.opcode != VectorOpcode::vconv) return dequantise_s16(op, in, count, out);
    switch (pair_of(op.type, op.dst_type)) {
    case pair_of(T::int4, T::float16): return from_int4(in, count, out);
    case pair_of(T::int8, T::float16): return each<S8, U16>(in, count, out, small);
    case pair_of(T::uint8, T::float16): return each<U8, U16>(in, count, out, small);
    case pair_of(T::int16, T::float16):
        return each<S16, U16>(in, count, out,
                              [=](S16 x) { return cast_s32_to_f16(x, rounding, overflow); });
    case pair_of(T::int16, T::float32):
        return each<S16, float>(in, count, out, [](S16 x) { return static_cast<float>(x); });
    case pair_of(T::float16, T::int4): return to_int4(in, count, out, rounding);
    case pair_of(T::float16, T::int8):
        return each<U16, S8>(in, count, out,
                             [=](U16 x) { return cast_f32_to_s8(half(x), rounding, kSaturate); });
    case pair_of(T::float16, T::uint8):
        return each<U16, U8>(in, count, out,
                             [=](U16 x) { return cast_f32_to_u8(half(x), rounding, kSaturate); });
    case pair_of(T::float16, T::int16):
        return each<U16, S16>(in, count, out,
                              [=](U16 x) { return cast_f32_to_s16(half(x), rounding, kSaturate); });
    case pair_of(T::float16, T::int32):
        return each<U16, S32>(in, count, out,
                              [=](U16 x) { return cast_f32_to_s32(half(x), rounding, kSaturate); });
    case pair_of(T::float16, T::float32):
        return each<U16, float>(in, count, out,
                                [=](U16 x) { return finish_f32(half(x), overflow); });
    case pair_of(T::bfloat16, T::int32):
        return each<U16, S32>(in, count, out, [=](U16 x) {
            return cast_f32_to_s32(bf16_to_f32(x), rounding, kSaturate);
        });
    case pair_of(T::bfloat16, T::float32):
        return each<U16, float>(in, count, out,
                                [=](U16 x) { return finish_f32(bf16_to_f32(x), overflow); });
    case pair_of(T::int32, T::int16):
        return each<S32, S16>(in, count, out, [](S32 x) { return saturate(x, -32768, 32767); });
    case pair_of(T::int32, T::float16): {
        const double scale =
            static_cast<double>(f16_to_f32(static_cast<U16>(op.control.deq_scale)));
        return each<S32, U16>(in, count, out,
                              [=](S32 x) { return HalfElement::encode(x * scale, overflow); });
    }
    case pair_of(T::int32, T::float32):
        return each<S32, float>(in, count, out,
                                [=](S32 x) { return cast_s32_to_f32(x, rounding); });
    case pair_of(T::int32, T::int64):
        return each<S32, S64>(in, count, out, [](S32 x) { return S64{x}; });
    case pair_of(T::float32, T::int16):
        return each<float, S16>(in, count, out,
                                [=](float x) { return cast_f32_to_s16(x, rounding, kSaturate); });
    case pair_of(T::float32, T::float16):
        return each<float, U16>(in, count, out,
                                [=](float x) { return cast_f32_to_f16(x, rounding, overflow); });
    case pair_of(T::float32, T::bfloat16):
        return each<float, U16>(in, count, out,
                                [=](float x) { return cast_f32_to_bf16(x, rounding, overflow); });
    case pair_of(T::float32, T::int32):
        return each<float, S32>(in, count, out,
                                [=](float x) { return cast_f32_to_s32(x, rounding, kSaturate); });
    case pair_of(T::float32, T::float32):
        return each<float, float>(in, count, out, [=](float x) {
            return finish_f32(to_integral(x, rounding), overflow);
        });
    case pair_of(T::float32, T::int64):
        return each<float, S64>(in, count, out, [=](float x) { return to_s64(x, rounding); });
    case pair_of(T::int64, T::int32):
        return each<S64, S32>(in, count, out,
                              [](S64 x) { return saturate(x, INT32_MIN, INT32_MAX); });
    case pair_of(T::int64, T::float32):
        return each<S64, U32>(in, count, out, [=](S64 x) {
            return encode(exact_integer(x), kFloat32, rounding, overflow);
        });
    default: throw std::invalid_argument("no conversion of the vector unit");
    }
}

} // namespace aicore
