// Legality of Fixpipe: its stages, its layouts, its destinations.
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/legality_rules.h"
#include "hw/numerics/quant_parameter.h"

#include <string>

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxColumns = 4095; ///< 12-bit size
constexpr int kQuantWordBytes = 8;
constexpr int kSlopeBytes = 4;
constexpr int kSlopeTableAlignment = 64;
constexpr int kMergedInt4Columns = 64;

/// Where the two stages keep the same things.
struct StageFields {
    std::string_view relu, alpha, relu_table, clip, quant_word, quant_table;
    int quant_slice, relu_slice;
    int sign_bit; ///< of the quantisation parameter: the 8-bit result is int8
};
constexpr StageFields kPre{"relu_pre",
                           "relu_pre_alpha",
                           "relu_pre_table_addr",
                           "clip_relu_pre",
                           "quant_scalar",
                           "quant_table_addr",
                           0,
                           1,
                           kPreSignBit};
constexpr StageFields kPost{"relu_post",
                            "relu_post_alpha",
                            "relu_post_table_addr",
                            "clip_relu_post",
                            "quant_post_scalar",
                            "quant_post_table_addr",
                            2,
                            3,
                            kPostSignBit};

/// A quantisation result can have this type in memory.
bool gives(QuantType result, DataType type) {
    switch (result) {
    case QuantType::accumulator: return false; // the caller knows the source
    case QuantType::float32: return type == DataType::float32;
    case QuantType::int32: return type == DataType::int32;
    case QuantType::float16: return type == DataType::float16;
    case QuantType::bfloat16: return type == DataType::bfloat16;
    case QuantType::b8: return type == DataType::int8 || type == DataType::uint8;
    case QuantType::int4: return type == DataType::int4;
    case QuantType::int16: return type == DataType::int16;
    case QuantType::fp8_e4m3: return type == DataType::fp8_e4m3;
    case QuantType::hifloat8: return type == DataType::hifloat8;
    }
    return false;
}

std::string result_name(QuantType result) {
    return result == QuantType::b8 ? "int8 or uint8" : std::string(to_string(result));
}

void check_word(std::string_view field, std::uint64_t word, const std::optional<std::string>& wrong,
                Rules& rules) {
    if (wrong) rules.require(false, field, hex(word), *wrong);
}

/// The parameter of a scalar mode, or the place of the table of a vector mode.
void check_parameter(const QuantModeInfo& mode, const StageFields& fields, std::uint64_t word,
                     std::uint32_t table, const Fixpipe& fixpipe, Rules& rules) {
    // The scale of a shift is not read.
    if (mode.parameter == QuantParameterKind::scalar && !is_shift(fixpipe.quant_pre)) {
        check_word(fields.quant_word, word,
                   wrong_parameter(mode, word, fields.sign_bit, fixpipe.dst_type), rules);
    }
    if (mode.parameter == QuantParameterKind::vector) {
        rules.aligned(fields.quant_table, Buffer::FB, table, kFbUnitBytes);
        rules.inside_slice(fields.quant_table, fields.quant_slice, table,
                           fixpipe.n_size * kQuantWordBytes);
    }
}

void check_slopes(const StageFields& fields, ReluMode relu, std::uint32_t alpha,
                  std::uint32_t table, const Fixpipe& fixpipe, Rules& rules) {
    if (relu == ReluMode::leaky) check_word(fields.alpha, alpha, wrong_slope(alpha), rules);
    if (relu == ReluMode::prelu) {
        rules.aligned(fields.relu_table, Buffer::FB, table, kSlopeTableAlignment);
        rules.inside_slice(fields.relu_table, fields.relu_slice, table,
                           fixpipe.n_size * kSlopeBytes);
    }
}

void check_clip(const StageFields& fields, bool allowed, const Fixpipe& fixpipe, Rules& rules) {
    rules.require(allowed, fields.clip, "true",
                  "needs " + std::string(fields.relu) + " normal and a quantisation");
    rules.require(is_legal_clip(fixpipe.clip_max), "clip_max", hex(fixpipe.clip_max),
                  "must be a float16 that is positive and finite");
}

template <typename Mode>
void check_arch(std::string_view field, Mode mode, Rules& rules) {
    rules.require(is_available(mode, rules.arch()), field, to_string(mode),
                  "arch " + std::to_string(rules.arch()) + " does not have this mode");
}

void check_pre_stage(const Fixpipe& fixpipe, Rules& rules) {
    const QuantModeInfo& mode = info(fixpipe.quant_pre);
    rules.require(fixpipe.src_type == DataType::float32 || fixpipe.src_type == DataType::int32,
                  "src_dtype", to_string(fixpipe.src_type), "L0C holds float32 or int32");
    check_arch("quant_pre", fixpipe.quant_pre, rules);
    const std::string from = mode.source == QuantType::int32 ? "int32" : "float32";
    const bool reads = accepts_source(fixpipe.quant_pre, fixpipe.src_type);
    rules.require(reads, "src_dtype", to_string(fixpipe.src_type),
                  "quant_pre " + std::string(mode.name) + " reads " + from);
    if (fixpipe.quant_pre == QuantPreMode::none) {
        rules.require(
            fixpipe.quant_post != QuantPostMode::none || fixpipe.src_type == fixpipe.dst_type,
            "dst_dtype", to_string(fixpipe.dst_type),
            "quant_pre none keeps the type of L0C, " + std::string(to_string(fixpipe.src_type)));
    } else if (fixpipe.quant_post == QuantPostMode::none) {
        rules.require(gives(mode.result, fixpipe.dst_type), "dst_dtype",
                      to_string(fixpipe.dst_type),
                      "quant_pre " + std::string(mode.name) + " makes " + result_name(mode.result));
    }
    check_parameter(mode, kPre, fixpipe.quant_scalar, fixpipe.quant_table_addr, fixpipe, rules);
    rules.require(accepts_relu(fixpipe.quant_pre, fixpipe.src_type, fixpipe.relu_pre), "relu_pre",
                  to_string(fixpipe.relu_pre),
                  "a slope does not go with copied int32 nor with the shift");
    check_slopes(kPre, fixpipe.relu_pre, fixpipe.relu_pre_alpha, fixpipe.relu_pre_table_addr,
                 fixpipe, rules);
    if (fixpipe.clip_relu_pre) {
        check_clip(kPre, accepts_clip(fixpipe.quant_pre, fixpipe.relu_pre), fixpipe, rules);
    }
}

void check_post_stage(const Fixpipe& fixpipe, Rules& rules) {
    const QuantModeInfo& mode = info(fixpipe.quant_post);
    const bool on = fixpipe.quant_post != QuantPostMode::none;
    check_arch("quant_post", fixpipe.quant_post, rules);
    rules.require(can_follow(fixpipe.quant_pre, fixpipe.quant_post), "quant_post", mode.name,
                  "takes " + std::string(to_string(mode.source)) + ", which quant_pre " +
                      std::string(to_string(fixpipe.quant_pre)) + " does not make");
    rules.require(!on || gives(mode.result, fixpipe.dst_type), "dst_dtype",
                  to_string(fixpipe.dst_type),
                  "quant_post " + std::string(mode.name) + " makes " + result_name(mode.result));
    check_parameter(mode, kPost, fixpipe.quant_post_scalar, fixpipe.quant_post_table_addr, fixpipe,
                    rules);
    if (fixpipe.clip_relu_post) {
        check_clip(kPost, accepts_clip(fixpipe.quant_post, fixpipe.relu_post), fixpipe, rules);
    }
    rules.require(on || fixpipe.relu_post == ReluMode::none, "relu_post",
                  to_string(fixpipe.relu_post), "needs a quant_post");
    check_slopes(kPost, fixpipe.relu_post, fixpipe.relu_post_alpha, fixpipe.relu_post_table_addr,
                 fixpipe, rules);
}

void check_destination(const Fixpipe& fixpipe, Rules& rules) {
    if (fixpipe.dst != Buffer::L1) return;
    rules.require(fixpipe.layout == FixpipeLayout::NZ, "layout", to_string(fixpipe.layout),
                  "L1 takes layout NZ only");
    // The vendor's table of arch 3510 has float32 to L1, that of arch 2201 has not. int32 goes
    // where float32 goes [inferred].
    rules.require(rules.arch() != 2201 || bits_of(fixpipe.dst_type) <= 16, "dst_dtype",
                  to_string(fixpipe.dst_type), "L1 of arch 2201 takes results of 16 bits or less");
}

/// Rows of a matrix in NZ2ND must not overlap: which of two results would stay is not published, so
/// that the rule is [inferred]. Panels of NZ may overlap here; the one written later stays.
void check_rows(const Fixpipe& fixpipe, Rules& rules) {
    const bool halved = fixpipe.dst == Buffer::UB && fixpipe.dual_dst == DualDst::split_n;
    const std::int64_t length = halved ? fixpipe.n_size / 2 : fixpipe.n_size;
    const std::int64_t rows = fixpipe_as_executed(fixpipe, rules.limits().fixpipe).m_size;
    rules.require(fixpipe.layout != FixpipeLayout::NZ2ND || rows <= 1 ||
                      fixpipe.dst_stride >= length,
                  "dst_stride", std::to_string(fixpipe.dst_stride),
                  "must be at least " + std::to_string(length) + ": rows must not overlap");
}

void check_channel_split(const Fixpipe& fixpipe, Rules& rules) {
    if (!fixpipe.channel_split) return;
    const bool copies_float32 =
        fixpipe.src_type == DataType::float32 && fixpipe.dst_type == DataType::float32;
    rules.require(copies_float32 && fixpipe.layout == FixpipeLayout::NZ, "channel_split", "true",
                  "goes with layout NZ and float32 only");
    rules.require(fixpipe.unit_flag == UnitFlagMode::off, "channel_split", "true",
                  "does not go with the unit flag");
}

/// Whole bytes everywhere in a row-major int4 matrix.
void check_int4_rows(const Fixpipe& fixpipe, Rules& rules) {
    const auto even = [&rules](std::string_view field, std::int64_t value) {
        rules.require(value % 2 == 0, field, std::to_string(value),
                      "must be even for int4, two of which share a byte");
    };
    even("n_size", fixpipe.n_size);
    even("dst_stride", fixpipe.dst_stride);
    even("dst_nd_stride", fixpipe.dst_nd_stride);
}

void check_columns(const Fixpipe& fixpipe, Rules& rules) {
    rules.range("n_size", fixpipe.n_size, 0, kMaxColumns);
    const bool int4 = fixpipe.dst_type == DataType::int4;
    if (fixpipe.layout != FixpipeLayout::NZ) {
        if (int4) check_int4_rows(fixpipe, rules);
        return;
    }
    if (fixpipe.c0_pad) {
        rules.require(!int4 || fixpipe.n_size % 2 == 0, "n_size", std::to_string(fixpipe.n_size),
                      "must be even for int4, two of which share a byte");
        return;
    }
    const int unit = int4 ? kMergedInt4Columns : fixpipe.channel_split ? 8 : kFractalRows;
    rules.require(fixpipe.n_size % unit == 0, "n_size", std::to_string(fixpipe.n_size),
                  "must be a multiple of " + std::to_string(unit) + " with layout NZ" +
                      (int4                    ? " and int4"
                       : fixpipe.channel_split ? " and channel_split"
                                               : ""));
}

} // namespace

void check(const Fixpipe& fixpipe, Rules& rules) {
    const bool nz = fixpipe.layout == FixpipeLayout::NZ;
    const bool has_ub = rules.limits().fixpipe_reaches_ub;
    const bool to_ub = has_ub && fixpipe.dst == Buffer::UB;
    rules.require(fixpipe.dst == Buffer::L1 || fixpipe.dst == Buffer::GM || to_ub, "dst",
                  to_string(fixpipe.dst), has_ub ? "must be GM, L1 or UB" : "must be GM or L1");
    check_columns(fixpipe, rules);
    check_pre_stage(fixpipe, rules);
    check_post_stage(fixpipe, rules);
    check_destination(fixpipe, rules);
    check_channel_split(fixpipe, rules);
    check_fixpipe_3510(fixpipe, rules);
    if (fixpipe.unit_flag != UnitFlagMode::off) {
        // The cube hands over whole fractals of its own tile.
        rules.aligned("src_addr", Buffer::L0C, fixpipe.src_addr, kL0cFractalBytes);
        rules.require(fixpipe.n_size <= kFractalRows || fixpipe.src_stride % kFractalRows == 0,
                      "src_stride", std::to_string(fixpipe.src_stride),
                      "must be a multiple of 16 with the unit flag");
        rules.require(nz || fixpipe.nd_num <= 1 ||
                          fixpipe.src_nd_stride_unit == NdStrideUnit::fractals ||
                          fixpipe.src_nd_stride % kFractalRows == 0,
                      "src_nd_stride", std::to_string(fixpipe.src_nd_stride),
                      "must be a multiple of 16 with the unit flag");
    }
    rules.range("m_size", fixpipe.m_size, 0,
                fixpipe.layout == FixpipeLayout::NZ2ND ? 8192 : kMaxU16);
    rules.range("src_stride", fixpipe.src_stride, 0, kMaxU16);
    rules.range("dst_stride", fixpipe.dst_stride, 1, 0xffff'ffff);
    check_rows(fixpipe, rules);
    if (!nz) {
        rules.range("nd_num", fixpipe.nd_num, 1, kMaxU16);
        const bool is_3510 = rules.arch() == 3510;
        const bool in_rows = rules.limits().fixpipe.src_nd_stride == NdStrideUnit::rows;
        rules.range("src_nd_stride", fixpipe.src_nd_stride, 0, in_rows ? kMaxU16 : 512);
        rules.range("dst_nd_stride", fixpipe.dst_nd_stride, 0, is_3510 ? 0xffff'ffff : kMaxU16);
    }
    rules.aligned("src_addr", Buffer::L0C, fixpipe.src_addr, kL0cRowBytes);
    if (nz) rules.aligned("dst_addr", fixpipe.dst, fixpipe.dst_addr, kBlockBytes);
    if (!fixpipe.atomic.is_none()) {
        rules.require(fixpipe.dst_type == data_type_of(fixpipe.atomic.element), "dst_dtype",
                      to_string(fixpipe.dst_type),
                      "must be " + std::string(to_string(fixpipe.atomic.element)) +
                          ", the element of set_atomic");
        check_atomic_address(fixpipe.atomic, fixpipe.dst_addr, rules);
    }
    if (rules.broken() || fixpipe.n_size == 0 || fixpipe.m_size == 0) return;

    const int parts = fixpipe.dual_dst == DualDst::none ? 1 : 2;
    for (int i = 0; i < parts; ++i) {
        const Fixpipe part = fixpipe_as_executed(parts == 1 ? fixpipe : fixpipe_half(fixpipe, i),
                                                 rules.limits().fixpipe);
        rules.inside("src_addr", Buffer::L0C, part.src_addr, fixpipe_src_bytes(part));
        rules.inside("dst_addr", part.dst, part.dst_addr, fixpipe_dst_bytes(part));
    }
}

} // namespace aicore::legality
