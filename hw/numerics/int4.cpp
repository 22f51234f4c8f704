#include "hw/numerics/int4.h"

#include "hw/numerics/simd_setup.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/int4.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void unpack_nibbles(const std::uint8_t* HWY_RESTRICT bytes, int count,
                    std::int8_t* HWY_RESTRICT values) {
    const hn::CappedTag<std::uint8_t, 16> d;
    const hn::RebindToSigned<decltype(d)> di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto low_mask = hn::Set(d, std::uint8_t{0x0F});
    const auto sign = hn::Set(d, std::uint8_t{8});
    int i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        const auto packed = hn::LoadU(d, bytes + i / 2);
        const auto low = hn::And(packed, low_mask);
        const auto high = hn::ShiftRight<4>(packed);
        hn::StoreInterleaved2(hn::BitCast(di, hn::Sub(hn::Xor(low, sign), sign)),
                              hn::BitCast(di, hn::Sub(hn::Xor(high, sign), sign)), di, values + i);
    }
    for (; i < count; ++i) {
        values[i] = i % 2 == 0 ? int4_low(bytes[i / 2]) : int4_high(bytes[i / 2]);
    }
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(unpack_nibbles);

void unpack_int4_row(const std::uint8_t* bytes, int count, std::int8_t* values) {
    HWY_DYNAMIC_DISPATCH(unpack_nibbles)(bytes, count, values);
}

void pack_int4_row(const std::int8_t* values, int count, std::uint8_t* bytes) {
    for (int i = 0; i < count; i += 2) {
        bytes[i / 2] = pack_int4(values[i], i + 1 < count ? values[i + 1] : std::int8_t{0});
    }
}

} // namespace aicore
#endif
