#include "hw/cube/cube_math.h"

#include "hw/cube/cube_timing.h"
#include "hw/numerics/block_mmad.h"
#include "hw/numerics/convert.h"
#include "hw/numerics/stepwise_mmad.h"

#include <algorithm>
#include <array>
#include <limits>

namespace aicore {
namespace {

constexpr int kBlockWords = kFractalRows * 16;

/// The products of one Mmad never leave int32: 4095 of them, each below 2^16.
void multiply_integers(const Mmad& mmad, const void* a, const void* b, int rows, std::int32_t* c) {
    const int k = static_cast<int>(mmad.k);
    if (mmad.ctrl.integer_overflow == IntegerOverflow::wrap) {
        return multiply_accumulate(mmad.ab_type, a, b, k, rows, c);
    }
    alignas(64) std::array<std::int32_t, kBlockWords> products{};
    multiply_accumulate(mmad.ab_type, a, b, k, rows, products.data());
    for (int i = 0; i < rows * kFractalRows; ++i) {
        const std::int64_t sum = std::int64_t{c[i]} + products[static_cast<std::size_t>(i)];
        c[i] = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()));
    }
}

} // namespace

int products_per_step(const CubeConfig& config, const Mmad& mmad) {
    return std::max(1, c0_of(mmad.ab_type) / cycles_per_fractal(config, mmad));
}

void multiply_block(const CubeConfig& config, const Mmad& mmad, const void* a, const void* b,
                    int rows, std::uint32_t* c) {
    if (is_integer(mmad.ab_type)) {
        return multiply_integers(mmad, a, b, rows, reinterpret_cast<std::int32_t*>(c));
    }
    const int k = static_cast<int>(mmad.k);
    auto* const floats = reinterpret_cast<float*>(c);
    if (config.summation == Summation::sequential) {
        multiply_accumulate(mmad.ab_type, a, b, k, rows, floats);
    } else {
        multiply_accumulate_stepwise(config.summation, mmad.ab_type, a, b,
                                     products_per_step(config, mmad), k, rows, floats);
    }
    finish_block(floats, rows * kFractalRows, mmad.ctrl.float_overflow);
}

} // namespace aicore
