// Legality of Mmad.
#include "hw/isa/legality_rules.h"
#include "hw/isa/mmad_walk.h"

#include <string>

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxTileSize = 4095; ///< 12-bit sizes

void check_types(const Mmad& mmad, Rules& rules) {
    const DataType a = mmad.ab_type, b = b_type_of(mmad);
    const int arch = rules.arch();
    if (!is_mmad_pair(arch, a, a)) {
        rules.require(false, "ab_dtype", to_string(a), "must be " + mmad_types_text(arch));
    }
    rules.require(is_mmad_pair(arch, a, b), "b_dtype", to_string(b),
                  "must be the type of A, or both are fp8 (arch 3510)");
    if (bits_of(a) != 8 || is_integer(a)) return;
    const bool hifloat8 = a == DataType::hifloat8;
    rules.require(hifloat8 == mmad.ctrl.hifloat8, "ab_dtype", to_string(a),
                  hifloat8 ? "needs CTRL[45], set_ctrl hifloat8: true"
                           : "needs CTRL[45] to be 0, set_ctrl hifloat8: false");
}

void check_modes(const Mmad& mmad, Rules& rules) {
    if (mmad.ab_type == DataType::int4) {
        rules.require(mmad.k % 2 == 0, "k", std::to_string(mmad.k), "must be even for int4");
    }
    rules.require(mmad.init != MmadInit::bias || allows_bias(mmad.ab_type), "c_init_bias", "true",
                  "does not go with int4");
    if (mmad.sparse) {
        rules.require(rules.arch() == 2201, "sparse", "true", "only arch 2201 has it");
        rules.require(mmad.ab_type == DataType::int8, "sparse", "true", "goes with int8 only");
        rules.require(!mmad.k_direction_align, "k_direction_align", "true",
                      "does not go with sparse");
    }
    rules.require(!mmad.disable_gemv || rules.arch() == 3510, "disable_gemv", "true",
                  "only arch 3510 has it");
}

} // namespace

void check(const Mmad& mmad, Rules& rules) {
    check_types(mmad, rules);
    check_modes(mmad, rules);
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
    rules.inside("a_addr", Buffer::L0A, mmad.a_addr, a_extent_bytes(mmad, rules.l0a_layout()));
    rules.inside("b_addr", Buffer::L0B, mmad.b_addr,
                 std::int64_t{shape.b_k1} * shape.n1 * kFractalBytes);
    rules.inside("c_addr", Buffer::L0C, mmad.c_addr,
                 std::int64_t{shape.m1} * shape.n1 * kL0cFractalBytes);
    if (bias) {
        rules.inside("bias_addr", Buffer::BT, mmad.bias_addr,
                     std::int64_t{shape.n1} * kBtUnitBytes);
    }
}

} // namespace aicore::legality
