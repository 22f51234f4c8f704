#include "hw/numerics/fractal.h"

#include "hw/numerics/simd_setup.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/fractal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kEdge = 16;

#if HWY_TARGET == HWY_SCALAR

void transpose_b16(const std::uint16_t* HWY_RESTRICT in, std::uint16_t* HWY_RESTRICT out) {
    for (int r = 0; r < kEdge; ++r) {
        for (int c = 0; c < kEdge; ++c) out[c * kEdge + r] = in[r * kEdge + c];
    }
}

#else

// An 8 x 8 square: three rounds of interleaving, of elements, of pairs and of groups of four.
HWY_INLINE void transpose_square(const std::uint16_t* HWY_RESTRICT in,
                                 std::uint16_t* HWY_RESTRICT out) {
    const hn::FixedTag<std::uint16_t, 8> d16;
    const hn::FixedTag<std::uint32_t, 4> d32;
    const hn::FixedTag<std::uint64_t, 2> d64;
    using V = hn::Vec<decltype(d16)>;
    V pairs[8];
    for (int i = 0; i < 4; ++i) {
        const V upper = hn::LoadU(d16, in + (2 * i) * kEdge);
        const V lower = hn::LoadU(d16, in + (2 * i + 1) * kEdge);
        pairs[2 * i] = hn::InterleaveLower(d16, upper, lower);
        pairs[2 * i + 1] = hn::InterleaveUpper(d16, upper, lower);
    }
    for (int half = 0; half < 2; ++half) {
        const auto top = hn::BitCast(d32, pairs[half]), mid0 = hn::BitCast(d32, pairs[half + 2]);
        const auto mid1 = hn::BitCast(d32, pairs[half + 4]),
                   end = hn::BitCast(d32, pairs[half + 6]);
        const auto low_a = hn::BitCast(d64, hn::InterleaveLower(d32, top, mid0));
        const auto low_b = hn::BitCast(d64, hn::InterleaveLower(d32, mid1, end));
        const auto high_a = hn::BitCast(d64, hn::InterleaveUpper(d32, top, mid0));
        const auto high_b = hn::BitCast(d64, hn::InterleaveUpper(d32, mid1, end));
        std::uint16_t* const rows = out + 4 * half * kEdge;
        hn::StoreU(hn::BitCast(d16, hn::InterleaveLower(d64, low_a, low_b)), d16, rows);
        hn::StoreU(hn::BitCast(d16, hn::InterleaveUpper(d64, low_a, low_b)), d16, rows + kEdge);
        hn::StoreU(hn::BitCast(d16, hn::InterleaveLower(d64, high_a, high_b)), d16,
                   rows + 2 * kEdge);
        hn::StoreU(hn::BitCast(d16, hn::InterleaveUpper(d64, high_a, high_b)), d16,
                   rows + 3 * kEdge);
    }
}

void transpose_b16(const std::uint16_t* HWY_RESTRICT in, std::uint16_t* HWY_RESTRICT out) {
    for (int r = 0; r < kEdge; r += 8) {
        for (int c = 0; c < kEdge; c += 8) {
            transpose_square(in + r * kEdge + c, out + c * kEdge + r);
        }
    }
}

#endif

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(transpose_b16);

void transpose_fractal_b16(const std::uint8_t* in, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(transpose_b16)
    (reinterpret_cast<const std::uint16_t*>(in), reinterpret_cast<std::uint16_t*>(out));
}

} // namespace aicore
#endif
