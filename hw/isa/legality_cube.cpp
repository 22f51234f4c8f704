// Legality of Mmad.
#include "hw/isa/legality_rules.h"
#include "hw/isa/mmad_walk.h"

#include <string>

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxTileSize = 4095; ///< 12-bit sizes

} // namespace

void check(const Mmad& mmad, Rules& rules) {
    rules.require(mmad.ab_type != DataType::int32 && mmad.ab_type != DataType::int4, "ab_type",
                  to_string(mmad.ab_type), "must be float16, bfloat16, float32 or int8");
    rules.range("m", mmad.m, 0, kMaxTileSize);
    rules.range("n", mmad.n, 0, kMaxTileSize);
    rules.range("k", mmad.k, 0, kMaxTileSize);
    rules.aligned("a_addr", Buffer::L0A, mmad.a_addr, kFractalBytes);
    rules.aligned("b_addr", Buffer::L0B, mmad.b_addr, kFractalBytes);
    rules.aligned("c_addr", Buffer::L0C, mmad.c_addr, kL0cFractalBytes);
    const bool bias = mmad.init == MmadInit::bias;
    if (bias) rules.aligned("bias_addr", Buffer::BT, mmad.bias_addr, kBtUnitBytes);
    if (rules.broken() || mmad.m == 0 || mmad.n == 0 || mmad.k == 0) return;

    const MmadShape shape = mmad_shape(mmad);
    const std::int64_t a_bytes =
        shape.gemv ? ceil_div(mmad.k * size_of(mmad.ab_type), kFractalBytes) * kFractalBytes
        : rules.limits().l0a_layout == L0aLayout::Nz
            ? std::int64_t{shape.m1} * shape.k1 * kFractalBytes
            : (std::int64_t{shape.m1 - 1} * shape.k1_stride + shape.k1) * kFractalBytes;
    rules.inside("a_addr", Buffer::L0A, mmad.a_addr, a_bytes);
    rules.inside("b_addr", Buffer::L0B, mmad.b_addr,
                 std::int64_t{shape.k1} * shape.n1 * kFractalBytes);
    rules.inside("c_addr", Buffer::L0C, mmad.c_addr,
                 std::int64_t{shape.m1} * shape.n1 * kL0cFractalBytes);
    if (bias) {
        rules.inside("bias_addr", Buffer::BT, mmad.bias_addr,
                     std::int64_t{shape.n1} * kBtUnitBytes);
    }
}

} // namespace aicore::legality
