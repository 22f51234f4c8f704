#include "hw/numerics/operand_panel.h"

#include "hw/numerics/fractal.h"
#include "hw/numerics/simd_setup.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/operand_panel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most one row of 16 words at a time: the unit of every count below.
using Words = hn::CappedTag<float, 16>;
using Halves = hn::Rebind<std::uint16_t, Words>;

HWY_INLINE hn::Vec<Words> promote_f16(const std::uint16_t* in) {
    const Words df;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const hn::Rebind<hwy::float16_t, Words> dh;
    return hn::PromoteTo(df, hn::BitCast(dh, hn::LoadU(Halves(), in)));
#else
    // The library's own conversion handles infinities and NaN only where an instruction does it.
    const hn::RebindToUnsigned<Words> du;
    const hn::RebindToSigned<Words> di;
    const auto bits = hn::PromoteTo(du, hn::LoadU(Halves(), in));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFFu)));
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
    const auto scaled = hn::BitCast(du, hn::Mul(hn::BitCast(df, magnitude), hn::Set(df, 0x1p112f)));
    const auto special = hn::RebindMask(
        du, hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, std::int32_t{0x0F7FFFFF})));
    const auto exponent = hn::IfThenElseZero(special, hn::Set(du, 0x7F800000u));
    return hn::BitCast(df, hn::Or(hn::Or(scaled, exponent), sign));
#endif
}

void widen_f16(const std::uint8_t* HWY_RESTRICT raw, int count, void* HWY_RESTRICT decoded) {
    const Words df;
    const auto* const in = reinterpret_cast<const std::uint16_t*>(raw);
    auto* const out = static_cast<float*>(decoded);
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(df))) {
        hn::StoreU(promote_f16(in + i), df, out + i);
    }
}

void widen_bf16(const std::uint8_t* HWY_RESTRICT raw, int count, void* HWY_RESTRICT decoded) {
    const hn::RebindToUnsigned<Words> du;
    const auto* const in = reinterpret_cast<const std::uint16_t*>(raw);
    auto* const out = static_cast<std::uint32_t*>(decoded);
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(du))) {
        const auto bits = hn::PromoteTo(du, hn::LoadU(Halves(), in + i));
        hn::StoreU(hn::ShiftLeft<16>(bits), du, out + i);
    }
}

void widen_s8(const std::uint8_t* HWY_RESTRICT raw, int count, void* HWY_RESTRICT decoded) {
    const hn::CappedTag<std::int16_t, 32> d16;
    const hn::Rebind<std::int8_t, decltype(d16)> d8;
    const auto* const in = reinterpret_cast<const std::int8_t*>(raw);
    auto* const out = static_cast<std::int16_t*>(decoded);
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d16))) {
        hn::StoreU(hn::PromoteTo(d16, hn::LoadU(d8, in + i)), d16, out + i);
    }
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(widen_f16);
HWY_EXPORT(widen_bf16);
HWY_EXPORT(widen_s8);

namespace {

// Widens `bytes` of elements in their order.
void widen(DataType type, const std::uint8_t* raw, int bytes, void* decoded) {
    switch (type) {
    case DataType::float16: HWY_DYNAMIC_DISPATCH(widen_f16)(raw, bytes / 2, decoded); return;
    case DataType::bfloat16: HWY_DYNAMIC_DISPATCH(widen_bf16)(raw, bytes / 2, decoded); return;
    case DataType::int8: HWY_DYNAMIC_DISPATCH(widen_s8)(raw, bytes, decoded); return;
    case DataType::float32: std::memcpy(decoded, raw, static_cast<std::size_t>(bytes)); return;
    default: break;
    }
    throw std::invalid_argument("no operand of the cube has this type");
}

void transpose_words(const std::uint8_t* raw, std::uint8_t* out) {
    for (int k = 0; k < kBlockBytes / 4; ++k) {
        for (int n = 0; n < kFractalRows; ++n) {
            std::memcpy(out + (k * kFractalRows + n) * 4, raw + n * kBlockBytes + k * 4, 4);
        }
    }
}

} // namespace

void decode_a(DataType type, const std::uint8_t* raw, int k_fractals, void* decoded) {
    widen(type, raw, k_fractals * kFractalBytes, decoded);
}

void decode_b(DataType type, const std::uint8_t* raw, int k_fractals, void* decoded) {
    auto* out = static_cast<std::uint8_t*>(decoded);
    if (type == DataType::float32) {
        for (int i = 0; i < k_fractals; ++i) {
            transpose_words(raw + i * kFractalBytes, out + i * kFractalBytes);
        }
        return;
    }
    // Several fractals at a time: reading a line right after its two halves were stored stalls.
    constexpr int kBatch = 4;
    alignas(kPanelAlignment) std::uint8_t transposed[kBatch * kFractalBytes];
    for (int i = 0; i < k_fractals; i += kBatch) {
        const int batch = std::min(k_fractals - i, kBatch);
        // Two int8 neighbours along K travel as one two-byte element.
        for (int j = 0; j < batch; ++j) {
            transpose_fractal_b16(raw + (i + j) * kFractalBytes, transposed + j * kFractalBytes);
        }
        widen(type, transposed, batch * kFractalBytes, out);
        out += decoded_panel_bytes(type, batch);
    }
}

void decode_a_vector(DataType type, const std::uint8_t* raw, int k_blocks, void* decoded) {
    auto* out = static_cast<std::uint8_t*>(decoded);
    for (int i = 0; i < k_blocks; ++i, raw += kBlockBytes) {
        widen(type, raw, kBlockBytes, out);
        out += decoded_panel_bytes(type, 1);
    }
}

} // namespace aicore
#endif
