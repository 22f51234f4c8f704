#include "hw/numerics/convert.h"

#include "hw/numerics/simd_setup.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Unsigned = hn::RebindToUnsigned<Floats>;
using Signed = hn::RebindToSigned<Floats>;
using Halves = hn::Rebind<std::uint16_t, Floats>;

/// Applies `overflow`, where `largest` is the largest finite value of the format to come.
HWY_INLINE hn::Vec<Floats> settle(hn::Vec<Floats> v, FloatOverflow overflow, float largest) {
    const Floats d;
    const auto nan = hn::IsNaN(v);
    if (overflow == FloatOverflow::inf_nan) {
        const auto canonical = hn::BitCast(d, hn::Set(Unsigned(), kCanonicalNanF32));
        return hn::IfThenElse(nan, canonical, v);
    }
    const auto clamped = hn::Max(hn::Min(v, hn::Set(d, largest)), hn::Set(d, -largest));
    return hn::IfThenZeroElse(nan, clamped);
}

void finish(float* words, int count, FloatOverflow overflow) {
    const Floats d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(settle(hn::LoadU(d, words + i), overflow, 0x1.fffffep127f), d, words + i);
    }
    for (; i < count; ++i) words[i] = finish_f32(words[i], overflow);
}

HWY_INLINE hn::Vec<Halves> low_halves(hn::Vec<Unsigned> v) {
    return hn::DemoteTo(Halves(), hn::BitCast(Signed(), v));
}

void to_f16(const float* HWY_RESTRICT in, int count, FloatOverflow overflow,
            std::uint16_t* HWY_RESTRICT out) {
    const Floats d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto v = settle(hn::LoadU(d, in + i), overflow, 65504.0f);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
        const hn::Rebind<hwy::float16_t, Floats> dh;
        hn::StoreU(hn::BitCast(Halves(), hn::DemoteTo(dh, v)), Halves(), out + i);
#else
        // The library's own conversion truncates where no instruction does it. Steps as in half.h.
        const Unsigned du;
        const Signed di;
        const auto bits = hn::BitCast(du, v);
        const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
        const auto tie = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
        const auto rounded =
            hn::Sub(hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(du, 0xFFFu)), tie)),
                    hn::Set(du, 112u << 10));
        const auto bounded =
            hn::BitCast(du, hn::Min(hn::BitCast(di, rounded), hn::Set(di, std::int32_t{0x7C00})));
        const auto denormal =
            hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f))),
                    hn::Set(du, 0x3F000000u));
        const auto small = hn::RebindMask(
            du, hn::Lt(hn::BitCast(di, magnitude), hn::Set(di, std::int32_t{0x38800000})));
        const auto nan = hn::RebindMask(du, hn::IsNaN(v));
        const auto half = hn::IfThenElse(nan, hn::Set(du, std::uint32_t{kCanonicalNanF16}),
                                         hn::IfThenElse(small, denormal, bounded));
        const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000u));
        hn::StoreU(low_halves(hn::Or(half, sign)), Halves(), out + i);
#endif
    }
    for (; i < count; ++i) out[i] = f32_to_f16(in[i], overflow);
}

void to_bf16(const float* HWY_RESTRICT in, int count, FloatOverflow overflow,
             std::uint16_t* HWY_RESTRICT out) {
    const Floats d;
    const Unsigned du;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto bits = hn::BitCast(du, settle(hn::LoadU(d, in + i), overflow, 0x1.fep127f));
        const auto tie = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
        const auto rounded = hn::Add(hn::Add(bits, hn::Set(du, 0x7FFFu)), tie);
        hn::StoreU(low_halves(hn::ShiftRight<16>(rounded)), Halves(), out + i);
    }
    for (; i < count; ++i) out[i] = f32_to_bf16(in[i], overflow);
}

void clip_below_f32(float* words, int count) {
    const Floats d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto v = hn::LoadU(d, words + i);
        hn::StoreU(hn::IfThenZeroElse(hn::Le(v, hn::Zero(d)), v), d, words + i);
    }
    for (; i < count; ++i) {
        if (words[i] <= 0.0f) words[i] = 0.0f;
    }
}

void clip_below_s32(std::int32_t* words, int count) {
    const Signed d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(hn::Max(hn::LoadU(d, words + i), hn::Zero(d)), d, words + i);
    }
    for (; i < count; ++i) words[i] = std::max(words[i], 0);
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(finish);
HWY_EXPORT(to_f16);
HWY_EXPORT(to_bf16);
HWY_EXPORT(clip_below_f32);
HWY_EXPORT(clip_below_s32);

void finish_block(float* words, int count, FloatOverflow overflow) {
    HWY_DYNAMIC_DISPATCH(finish)(words, count, overflow);
}

void convert_f32_to_f16(const float* in, int count, FloatOverflow overflow, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(to_f16)(in, count, overflow, out);
}

void convert_f32_to_bf16(const float* in, int count, FloatOverflow overflow, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(to_bf16)(in, count, overflow, out);
}

void relu_f32(float* words, int count) { HWY_DYNAMIC_DISPATCH(clip_below_f32)(words, count); }

void relu_s32(std::int32_t* words, int count) {
    HWY_DYNAMIC_DISPATCH(clip_below_s32)(words, count);
}

} // namespace aicore
#endif
