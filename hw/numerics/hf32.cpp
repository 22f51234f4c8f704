#include "hw/numerics/hf32.h"

#include "hw/numerics/simd_setup.h"

#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/hf32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Hf32::round for whole vectors; returns the number of elements done.
int round_vectors(const float* in, int count, int dropped, std::uint32_t mask, std::uint32_t bias,
                  std::uint32_t tie, float* out) {
    const hn::ScalableTag<float> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::RebindToSigned<decltype(d)> di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto magnitude_bits = hn::Set(du, 0x7FFFFFFFu);
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto bits = hn::BitCast(du, hn::LoadU(d, in + i));
        const auto magnitude = hn::And(bits, magnitude_bits);
        const auto sign = hn::AndNot(magnitude_bits, bits);
        const auto last = hn::And(hn::ShiftRightSame(magnitude, dropped), hn::Set(du, tie));
        const auto sum = hn::Add(hn::Add(magnitude, hn::Set(du, bias)), last);
        const auto rounded = hn::And(sum, hn::Set(du, mask));
        const auto compared = hn::BitCast(di, magnitude);
        const auto tiny =
            hn::RebindMask(du, hn::Lt(compared, hn::Set(di, std::int32_t{0x00800000})));
        const auto special =
            hn::RebindMask(du, hn::Gt(compared, hn::Set(di, std::int32_t{0x7F7FFFFF})));
        const auto finite = hn::IfThenZeroElse(tiny, rounded);
        const auto result = hn::Or(sign, hn::IfThenElse(special, magnitude, finite));
        hn::StoreU(hn::BitCast(d, result), d, out + i);
    }
    return i;
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(round_vectors);

Hf32::Hf32(int fraction_bits, Rounding rounding) : dropped_(23 - fraction_bits) {
    if (fraction_bits < 1 || fraction_bits > 22) {
        throw std::invalid_argument("HF32 keeps 1..22 fraction bits");
    }
    const std::uint32_t half = 1u << (dropped_ - 1);
    mask_ = ~(2u * half - 1u);
    tie_ = rounding == Rounding::nearest_even ? 1u : 0u;
    switch (rounding) {
    case Rounding::nearest_even: bias_ = half - 1u; break;
    case Rounding::nearest_away: bias_ = half; break;
    case Rounding::trunc: bias_ = 0u; break;
    default: throw std::invalid_argument("HF32 rounds by nearest_even, nearest_away or trunc");
    }
}

void Hf32::round_row(const float* in, int count, float* out) const {
    int i = HWY_DYNAMIC_DISPATCH(round_vectors)(in, count, dropped_, mask_, bias_, tie_, out);
    for (; i < count; ++i) out[i] = round(in[i]);
}

} // namespace aicore
#endif
