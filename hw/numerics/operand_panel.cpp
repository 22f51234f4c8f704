#include "hw/numerics/operand_panel.h"

#include "hw/numerics/fp8.h"
#include "hw/numerics/fractal.h"
#include "hw/numerics/hifloat8.h"
#include "hw/numerics/int4.h"
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

const Float8Values& float8_values(DataType type) {
    return type == DataType::fp8_e4m3   ? e4m3_values()
           : type == DataType::fp8_e5m2 ? e5m2_values()
                                        : hif8_values();
}

/// The two elements of a byte as int16, the first one in the low half.
std::uint32_t int4_pair(std::uint8_t byte) {
    return static_cast<std::uint16_t>(int4_low(byte)) |
           static_cast<std::uint32_t>(static_cast<std::uint16_t>(int4_high(byte))) << 16;
}

void widen_s4(const std::uint8_t* raw, int bytes, void* decoded) {
    auto* const words = static_cast<std::uint32_t*>(decoded);
    for (int i = 0; i < bytes; ++i) words[i] = int4_pair(raw[i]);
}

// Widens `bytes` of elements in their order.
void widen(DataType type, const std::uint8_t* raw, int bytes, void* decoded) {
    switch (type) {
    case DataType::float16: HWY_DYNAMIC_DISPATCH(widen_f16)(raw, bytes / 2, decoded); return;
    case DataType::bfloat16: HWY_DYNAMIC_DISPATCH(widen_bf16)(raw, bytes / 2, decoded); return;
    case DataType::int8: HWY_DYNAMIC_DISPATCH(widen_s8)(raw, bytes, decoded); return;
    case DataType::float32: std::memcpy(decoded, raw, static_cast<std::size_t>(bytes)); return;
    case DataType::int4: widen_s4(raw, bytes, decoded); return;
    case DataType::fp8_e4m3:
    case DataType::fp8_e5m2:
    case DataType::hifloat8:
        decode_float8(float8_values(type), raw, bytes, static_cast<float*>(decoded));
        return;
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

/// A fractal of 8-bit floats: each byte is a step.
void decode_columns_float8(DataType type, const std::uint8_t* raw, void* decoded) {
    const Float8Values& values = float8_values(type);
    auto* const words = static_cast<float*>(decoded);
    for (int k = 0; k < kBlockBytes; ++k) {
        for (int n = 0; n < kFractalRows; ++n) {
            words[k * kFractalRows + n] = values[raw[n * kBlockBytes + k]];
        }
    }
}

/// A fractal of int4: each byte is a step of two.
void decode_columns_s4(const std::uint8_t* raw, void* decoded) {
    auto* const words = static_cast<std::uint32_t*>(decoded);
    for (int k = 0; k < kBlockBytes; ++k) {
        for (int n = 0; n < kFractalRows; ++n) {
            words[k * kFractalRows + n] = int4_pair(raw[n * kBlockBytes + k]);
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
    if (steps_per_fractal(type) == kBlockBytes) {
        for (int i = 0; i < k_fractals; ++i, raw += kFractalBytes) {
            if (type == DataType::int4) {
                decode_columns_s4(raw, out);
            } else {
                decode_columns_float8(type, raw, out);
            }
            out += decoded_panel_bytes(type, 1);
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

void decode_b_sparse(const std::uint8_t* raw, const std::uint8_t* indices, int k_fractals,
                     void* decoded) {
    constexpr int kGroup = 4, kMeaningless = 3;
    auto* const halves = static_cast<std::int16_t*>(decoded);
    std::fill_n(halves, decoded_panel_bytes(DataType::int8, 2 * k_fractals) / 2, std::int16_t{0});
    for (int i = 0; i < k_fractals * kFractalBytes; ++i) {
        const int index = indices[i / 4] >> (i % 4 * 2) & 3;
        if (index == kMeaningless) continue;
        const int n = i % kFractalBytes / kBlockBytes;
        const int stored = i / kFractalBytes * kBlockBytes + i % kBlockBytes; // along K
        const int k = stored / 2 * kGroup + index + stored % 2;
        auto& element = halves[(k / 2 * kFractalRows + n) * 2 + k % 2];
        element = static_cast<std::int16_t>(element + static_cast<std::int8_t>(raw[i]));
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
