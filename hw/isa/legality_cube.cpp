// Legality of Mmad and Fixpipe.
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/legality_rules.h"
#include "hw/isa/mmad_walk.h"
#include "hw/numerics/quant_parameter.h"

#include <optional>
#include <string>

namespace aicore::legality {
namespace {

constexpr int kQuantWordBytes = 8;
constexpr std::int64_t kMaxTileSize = 4095; ///< 12-bit sizes of Mmad and of Fixpipe's n_size

std::string type_pair(const Fixpipe& fixpipe) {
    return std::string(to_string(fixpipe.src_type)) + " -> " +
           std::string(to_string(fixpipe.dst_type));
}

/// Type that a quantisation result has in memory; none when programs can't name it.
std::optional<DataType> result_type(QuantType type) {
    switch (type) {
    case QuantType::float16: return DataType::float16;
    case QuantType::bfloat16: return DataType::bfloat16;
    case QuantType::b8: return DataType::int8;
    default: return std::nullopt;
    }
}

/// The 64-bit parameter of a scalar mode.
void check_quant_word(const Fixpipe& fixpipe, Rules& rules) {
    const std::uint64_t word = fixpipe.quant_scalar;
    const std::string text = std::to_string(word);
    rules.require(is_legal_multiplier(decode_multiplier(static_cast<std::uint32_t>(word))),
                  "quant_scalar", text, "the scale must be zero or a normal float32");
    rules.require(fixpipe.dst_type != DataType::int8 || (word >> 46 & 1) != 0, "quant_scalar", text,
                  "bit 46 must be set for an int8 result (uint8 is not supported)");
}

void check_conversion(const Fixpipe& fixpipe, Rules& rules) {
    const DataType src = fixpipe.src_type;
    const DataType dst = fixpipe.dst_type;
    rules.require(src == DataType::float32 || src == DataType::int32, "src_type", to_string(src),
                  "L0C holds float32 or int32");
    if (fixpipe.quant_pre == QuantPreMode::none) {
        rules.require(src == dst, "src_type/dst_type", type_pair(fixpipe),
                      "quant_pre none keeps the type");
        return;
    }
    const QuantModeInfo& mode = info(fixpipe.quant_pre);
    const std::optional<DataType> result = result_type(mode.result);
    const std::string made = result ? std::string(to_string(*result)) : "no type of arch 2201";
    const std::string from = mode.source == QuantType::int32 ? "int32" : "float32";
    rules.require(accepts_source(fixpipe.quant_pre, src) && dst == result, "src_type/dst_type",
                  type_pair(fixpipe),
                  "quant_pre " + std::string(mode.name) + " makes " + made + " from " + from);
    if (mode.parameter == QuantParameterKind::scalar) check_quant_word(fixpipe, rules);
    if (mode.parameter == QuantParameterKind::vector) {
        rules.aligned("quant_table_addr", Buffer::FB, fixpipe.quant_table_addr, kFbUnitBytes);
        if (fixpipe.n_size > 0) {
            rules.inside("quant_table_addr", Buffer::FB, fixpipe.quant_table_addr,
                         fixpipe.n_size * kQuantWordBytes);
        }
    }
}

void check_channel_split(const Fixpipe& fixpipe, Rules& rules) {
    if (!fixpipe.channel_split) return;
    const bool float32_out = fixpipe.dst_type == DataType::float32;
    rules.require(float32_out && fixpipe.layout == FixpipeLayout::NZ, "channel_split", "true",
                  "goes with layout NZ and float32 only");
    rules.require(fixpipe.unit_flag == UnitFlagMode::off, "channel_split", "true",
                  "does not go with the unit flag");
}

void check_types(const Mmad& mmad, Rules& rules) {
    const DataType a = mmad.ab_type, b = b_type_of(mmad);
    const int arch = rules.arch();
    rules.require(is_mmad_pair(arch, a, a), "ab_dtype", to_string(a),
                  "must be " + mmad_types_text(arch));
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
        rules.require(mmad.init != MmadInit::bias, "c_init_bias", "true", "does not go with int4");
    }
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

void check(const Fixpipe& fixpipe, Rules& rules) {
    const bool nz = fixpipe.layout == FixpipeLayout::NZ;
    const bool to_l1 = fixpipe.dst == Buffer::L1;
    rules.require(to_l1 || fixpipe.dst == Buffer::GM, "dst", to_string(fixpipe.dst),
                  "must be GM or L1");
    check_conversion(fixpipe, rules);
    rules.require(!to_l1 || nz, "layout", "NZ2ND", "L1 takes layout NZ only");
    rules.require(!to_l1 || size_of(fixpipe.dst_type) <= 2, "dst_type", to_string(fixpipe.dst_type),
                  "L1 takes float16, bfloat16 or int8 only");
    check_channel_split(fixpipe, rules);
    if (fixpipe.unit_flag != UnitFlagMode::off) {
        // The cube hands over whole fractals of its own tile.
        rules.aligned("src_addr", Buffer::L0C, fixpipe.src_addr, kL0cFractalBytes);
        rules.require(fixpipe.n_size <= kFractalRows || fixpipe.src_stride % kFractalRows == 0,
                      "src_stride", std::to_string(fixpipe.src_stride),
                      "must be a multiple of 16 with the unit flag");
    }
    rules.range("n_size", fixpipe.n_size, 0, kMaxTileSize);
    rules.require(!nz || fixpipe.n_size % kFractalRows == 0, "n_size",
                  std::to_string(fixpipe.n_size), "must be a multiple of 16 with layout NZ");
    rules.range("m_size", fixpipe.m_size, 0, nz ? kMaxU16 : 8192);
    rules.range("src_stride", fixpipe.src_stride, 0, kMaxU16);
    rules.range("dst_stride", fixpipe.dst_stride, 1, 0xffff'ffff);
    if (!nz) {
        rules.range("nd_num", fixpipe.nd_num, 1, kMaxU16);
        rules.range("src_nd_stride", fixpipe.src_nd_stride, 0, 512);
        rules.range("dst_nd_stride", fixpipe.dst_nd_stride, 0, kMaxU16);
    }
    rules.aligned("src_addr", Buffer::L0C, fixpipe.src_addr, kL0cRowBytes);
    if (nz) rules.aligned("dst_addr", fixpipe.dst, fixpipe.dst_addr, kBlockBytes);
    if (rules.broken() || fixpipe.n_size == 0 || fixpipe.m_size == 0) return;

    const FixpipeShape shape = fixpipe_shape(fixpipe);
    const std::int64_t last_matrix = shape.matrices - 1;
    const std::int64_t last_panel = shape.n1 - 1;
    rules.inside("src_addr", Buffer::L0C, fixpipe.src_addr,
                 last_matrix * fixpipe.src_nd_stride * kL0cFractalBytes +
                     (last_panel * fixpipe.src_stride + fixpipe.m_size) * kL0cRowBytes);

    const std::int64_t size = size_of(fixpipe.dst_type);
    const std::int64_t dst_bytes =
        nz ? fixpipe_nz_bytes(fixpipe)
           : (last_matrix * fixpipe.dst_nd_stride + (fixpipe.m_size - 1) * fixpipe.dst_stride +
              fixpipe.n_size) *
                 size;
    rules.inside("dst_addr", fixpipe.dst, fixpipe.dst_addr, dst_bytes);
}

} // namespace aicore::legality
