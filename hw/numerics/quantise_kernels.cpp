#include "hw/numerics/quantise_kernels.h"

#include "hw/numerics/simd_setup.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/quantise_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kQuantColumns>;
using Ints = hn::RebindToSigned<Floats>;
using Float = hn::Vec<Floats>;
using Int = hn::Vec<Ints>;

// Adding 1.5 * 2^23 leaves a value of magnitude below 2^22, rounded to nearest even, in the low
// bits. The library's own rounding is wrong just below 0.5 where no instruction does it.
constexpr float kRounder = 12582912.0f;

HWY_INLINE Int round_to_int(Float v) {
    const Ints di;
    const Floats d;
    const auto sum = hn::BitCast(di, hn::Add(v, hn::Set(d, kRounder)));
    return hn::Sub(sum, hn::Set(di, std::int32_t{0x4B400000}));
}

HWY_INLINE Int saturate_s16(Int v) {
    const Ints di;
    return hn::Max(hn::Min(v, hn::Set(di, std::int32_t{32767})), hn::Set(di, std::int32_t{-32768}));
}

HWY_INLINE Int shifted(Int v, const QuantColumns& columns, int i) {
    return saturate_s16(hn::Shr(v, hn::Load(Ints(), columns.shift + i)));
}

HWY_INLINE Float source(const std::uint32_t* words, const quantise::RowRules& rules,
                        const QuantColumns& columns, int i) {
    const Ints di;
    const Floats d;
    const Int word = hn::LoadU(di, reinterpret_cast<const std::int32_t*>(words) + i);
    if (!rules.int_source) return hn::BitCast(d, word);
    if (!rules.narrow) return hn::ConvertTo(d, word);
    const auto marks = hn::MaskFromVec(hn::Load(di, columns.narrow + i));
    return hn::ConvertTo(d, hn::IfThenElse(marks, shifted(word, columns, i), word));
}

HWY_INLINE Float multiply(Float x, const quantise::RowRules& rules, const QuantColumns& columns,
                          int i) {
    const Floats d;
    const Float zero = hn::Zero(d);
    const Float scaled = hn::Mul(x, hn::Load(d, columns.positive + i));
    switch (rules.relu) {
    case ReluMode::none: return scaled;
    case ReluMode::normal: return hn::IfThenZeroElse(hn::Le(x, zero), scaled);
    case ReluMode::leaky:
    case ReluMode::prelu: break;
    }
    return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(x, hn::Load(d, columns.negative + i)), scaled);
}

HWY_INLINE Float at_most(Float v, Float limit) {
    return hn::IfThenElse(hn::Gt(v, limit), limit, v);
}

HWY_INLINE Float to_integer(Float v) {
    const Floats d;
    const Float end = hn::Set(d, 0x1p23f);
    const Float magnitude = hn::Abs(v);
    const Float rounded = hn::CopySign(hn::Sub(hn::Add(magnitude, end), end), v);
    return hn::IfThenElse(hn::Lt(magnitude, end), rounded, v);
}

void scale(const std::uint32_t* words, const quantise::RowRules& rules, const QuantColumns& columns,
           float* scaled) {
    const Floats d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < kQuantColumns; i += lanes) {
        Float y = multiply(source(words, rules, columns, i), rules, columns, i);
        if (rules.to_integer) y = to_integer(y);
        if (rules.limit) y = at_most(y, hn::Set(d, rules.limit_max));
        hn::Store(y, d, scaled + i);
    }
}

HWY_INLINE Int within_limits(Int v, const QuantColumns& columns, int i) {
    const Ints di;
    return hn::Max(hn::Min(v, hn::Load(di, columns.high + i)), hn::Load(di, columns.low + i));
}

void round(const std::uint32_t* words, const quantise::RowRules& rules, const QuantColumns& columns,
           std::int32_t* results) {
    const Floats d;
    const Ints di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const Float low = hn::Set(d, rules.clip_low);
    const Float high = hn::Set(d, rules.clip_high);
    for (int i = 0; i < kQuantColumns; i += lanes) {
        Float y = multiply(source(words, rules, columns, i), rules, columns, i);
        y = hn::IfThenZeroElse(hn::IsNaN(y), y);
        const Int offset = hn::Load(di, columns.offset + i);
        Int t;
        if (rules.order == OffsetOrder::add_then_round) {
            y = hn::Add(y, hn::ConvertTo(d, offset));
            t = round_to_int(hn::Max(hn::Min(y, high), low));
        } else {
            t = hn::Add(round_to_int(hn::Max(hn::Min(y, high), low)), offset);
        }
        hn::Store(within_limits(t, columns, i), di, results + i);
    }
}

void shift(const std::uint32_t* words, const quantise::RowRules& rules, const QuantColumns& columns,
           std::int32_t* results) {
    const Ints di;
    const int lanes = static_cast<int>(hn::Lanes(di));
    for (int i = 0; i < kQuantColumns; i += lanes) {
        Int v = hn::LoadU(di, reinterpret_cast<const std::int32_t*>(words) + i);
        v = shifted(v, columns, i);
        if (rules.relu == ReluMode::normal) v = hn::Max(v, hn::Zero(di));
        hn::Store(within_limits(v, columns, i), di, results + i);
    }
}

void to_e4m3(const float* scaled, FloatOverflow overflow, SaturatedNan nan, std::uint8_t* codes) {
    const Floats d;
    const Ints di;
    const hn::Rebind<std::uint8_t, Floats> db;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const bool saturate = overflow == FloatOverflow::saturate;
    const Int largest = hn::Set(di, std::int32_t{0x7E});
    const Int beyond = hn::Set(di, std::int32_t{saturate ? 0x7E : kCanonicalNanE4m3});
    const bool zero_nan = saturate && nan == SaturatedNan::zero;
    const Int for_nan = hn::Set(di, std::int32_t{zero_nan ? 0 : kCanonicalNanE4m3});
    for (int i = 0; i < kQuantColumns; i += lanes) {
        const Float v = hn::Load(d, scaled + i);
        const Int magnitude = hn::BitCast(di, hn::Abs(v));
        const Int odd = hn::And(hn::ShiftRight<20>(magnitude), hn::Set(di, std::int32_t{1}));
        const Int half = hn::Add(odd, hn::Set(di, std::int32_t{0x7FFFF}));
        const Int normal = hn::Sub(hn::ShiftRight<20>(hn::Add(magnitude, half)),
                                   hn::Set(di, std::int32_t{(127 - 7) << 3}));
        // Below 2^-6: the unit in the last place of 2^14 is that of a denormal, the addition
        // rounds.
        const Float raised = hn::Add(hn::Abs(v), hn::Set(d, 0x1p14f));
        const Int denormal =
            hn::Sub(hn::BitCast(di, raised), hn::Set(di, std::int32_t{0x46800000}));
        const auto small = hn::Lt(magnitude, hn::Set(di, std::int32_t{0x3C800000}));
        Int code = hn::IfThenElse(small, denormal, normal);
        const Int sign =
            hn::And(hn::ShiftRight<24>(hn::BitCast(di, v)), hn::Set(di, std::int32_t{0x80}));
        const auto exceeds = hn::Gt(code, largest);
        code = hn::Or(hn::IfThenElse(exceeds, beyond, code),
                      saturate ? sign : hn::IfThenZeroElse(exceeds, sign));
        const auto is_nan = hn::Gt(magnitude, hn::Set(di, std::int32_t{0x7F800000}));
        code = hn::IfThenElse(is_nan, for_nan, code);
        hn::StoreU(hn::DemoteTo(db, code), db, codes + i);
    }
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(scale);
HWY_EXPORT(round);
HWY_EXPORT(shift);
HWY_EXPORT(to_e4m3);

namespace quantise {

void scale_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               float* scaled) {
    HWY_DYNAMIC_DISPATCH(scale)(words, rules, columns, scaled);
}

void round_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               std::int32_t* results) {
    HWY_DYNAMIC_DISPATCH(round)(words, rules, columns, results);
}

void shift_row(const std::uint32_t* words, const RowRules& rules, const QuantColumns& columns,
               std::int32_t* results) {
    HWY_DYNAMIC_DISPATCH(shift)(words, rules, columns, results);
}

void e4m3_row(const float* scaled, FloatOverflow overflow, SaturatedNan nan, std::uint8_t* codes) {
    HWY_DYNAMIC_DISPATCH(to_e4m3)(scaled, overflow, nan, codes);
}

} // namespace quantise
} // namespace aicore
#endif
