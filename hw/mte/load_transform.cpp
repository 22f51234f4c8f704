#include "hw/mte/load_transform.h"

#include "hw/numerics/fractal.h"
#include "hw/numerics/fractal_squares.h"
#include "hw/numerics/half.h"

#include <cstring>

namespace aicore {

namespace {

template <typename Convert>
void widen(const std::uint8_t* raw, int raw_bytes, std::uint8_t* out, Convert convert) {
    for (int i = 0; i < raw_bytes / 2; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, raw + 2 * i, 2);
        const float value = convert(bits);
        std::memcpy(out + 4 * i, &value, 4);
    }
}

} // namespace

const std::uint8_t* apply_load_transform(LoadTransform transform, const std::uint8_t* raw,
                                         int raw_bytes, std::uint8_t* out) {
    switch (transform) {
    case LoadTransform::none: return raw;
    case LoadTransform::transpose_b4: transpose_square_b4(raw, out); break;
    case LoadTransform::transpose_b8: transpose_square_b8(raw, out); break;
    case LoadTransform::transpose_b16: transpose_fractal_b16(raw, out); break;
    case LoadTransform::transpose_b32: transpose_pair_b32(raw, out); break;
    case LoadTransform::f16_to_f32: widen(raw, raw_bytes, out, f16_to_f32); break;
    case LoadTransform::bf16_to_f32: widen(raw, raw_bytes, out, bf16_to_f32); break;
    }
    return out;
}

} // namespace aicore
