#include "tests/support/random_fixpipes.h"

#include <algorithm>

namespace aicore::test {

std::int64_t RandomFixpipes::pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
}

std::uint32_t RandomFixpipes::multiplier() {
    const auto exponent = static_cast<std::uint32_t>(pick(118, 129));
    return static_cast<std::uint32_t>(pick(0, 1)) << 31 | exponent << 23 |
           static_cast<std::uint32_t>(pick(0, 0x7FFFFF));
}

reference::Fields RandomFixpipes::fields() {
    reference::Fields fields;
    fields.scale = multiplier();
    fields.shift = static_cast<std::uint32_t>(pick(0, 15));
    fields.narrow = flip();
    fields.offset = static_cast<std::uint32_t>(pick(0, 511));
    fields.is_signed = flip();
    return fields;
}

reference::Fields RandomFixpipes::post_fields(bool wide) {
    reference::Fields post = fields();
    post.offset = static_cast<std::uint32_t>(pick(0, wide ? 0x1FFFF : 0x1FF));
    return post;
}

std::uint32_t RandomFixpipes::table_address(DataType result) {
    constexpr std::int64_t kStep = 16; // entries: 128 bytes, the alignment of the address
    std::int64_t first = 0, last = 8;
    if (result == DataType::int8) last = 2;
    if (result == DataType::uint8) first = kSignedEntries / kStep, last = first + 2;
    return static_cast<std::uint32_t>(8 * kStep * pick(first, last));
}

FixpipeCase RandomFixpipes::next(std::uint64_t area) {
    FixpipeCase c;
    choose_pre(c);
    choose_post(c);
    if (c.op.clip_relu_pre || c.op.clip_relu_post) {
        c.op.clip_max = static_cast<std::uint16_t>(pick(0x3C00, 0x5A00)); // 1 to 192
    }
    choose_place(c.op, area);
    return c;
}

void RandomFixpipes::choose_pre(FixpipeCase& c) {
    Fixpipe& op = c.op;
    do {
        op.quant_pre = static_cast<QuantPreMode>(pick(0, kQuantPreModes - 1));
    } while (!is_available(op.quant_pre, arch_));
    const QuantModeInfo& mode = info(op.quant_pre);
    op.src_type = flip() ? DataType::float32 : DataType::int32;
    if (!accepts_source(op.quant_pre, op.src_type)) {
        op.src_type = op.src_type == DataType::int32 ? DataType::float32 : DataType::int32;
    }
    op.dst_type = type_of(mode.result, op.src_type);
    c.pre = fields();
    c.pre.is_signed = op.dst_type == DataType::int8;
    if (mode.parameter == QuantParameterKind::scalar) op.quant_scalar = c.pre.pre_word();
    if (mode.parameter == QuantParameterKind::vector) {
        op.quant_table_addr = table_address(op.dst_type);
    }
    op.relu_pre = relu(accepts_relu(op.quant_pre, op.src_type, ReluMode::leaky));
    if (op.relu_pre == ReluMode::leaky) op.relu_pre_alpha = multiplier();
    if (op.relu_pre == ReluMode::prelu) {
        op.relu_pre_table_addr = static_cast<std::uint32_t>(64 * pick(0, 8));
    }
    op.clip_relu_pre = accepts_clip(op.quant_pre, op.relu_pre) && flip();
}

void RandomFixpipes::choose_post(FixpipeCase& c) {
    Fixpipe& op = c.op;
    const QuantType between = info(op.quant_pre).result;
    if (arch_ != 3510 || (between != QuantType::float16 && between != QuantType::int16)) return;
    if (pick(0, 3) == 0) return;
    do {
        op.quant_post = static_cast<QuantPostMode>(pick(1, kQuantPostModes - 1));
    } while (!can_follow(op.quant_pre, op.quant_post));
    const QuantModeInfo& mode = info(op.quant_post);
    op.dst_type = type_of(mode.result, op.src_type);
    const bool wide = mode.result == QuantType::int16;
    c.post = post_fields(wide);
    c.post.is_signed = op.dst_type == DataType::int8;
    if (mode.parameter == QuantParameterKind::scalar) {
        op.quant_post_scalar = c.post.post_word(wide);
    } else {
        op.quant_post_table_addr = table_address(op.dst_type);
    }
    op.relu_post = relu(true);
    if (op.relu_post == ReluMode::leaky) op.relu_post_alpha = multiplier();
    if (op.relu_post == ReluMode::prelu) {
        op.relu_post_table_addr = static_cast<std::uint32_t>(64 * pick(0, 8));
    }
    op.clip_relu_post = accepts_clip(op.quant_post, op.relu_post) && flip();
}

void RandomFixpipes::choose_place(Fixpipe& op, std::uint64_t area) {
    const bool int4 = op.dst_type == DataType::int4;
    op.layout = flip() ? FixpipeLayout::NZ : FixpipeLayout::NZ2ND;
    const bool nz = op.layout == FixpipeLayout::NZ;
    op.channel_split =
        nz && op.src_type == DataType::float32 && op.dst_type == DataType::float32 && flip();
    op.m_size = pick(1, 40);
    if (nz) {
        op.n_size = int4 ? 64 * pick(1, 2) : op.channel_split ? 8 * pick(1, 12) : 16 * pick(1, 6);
    } else {
        op.n_size = int4 ? 2 * pick(1, 48) : pick(1, 96);
    }
    op.src_stride = (op.m_size + 15) / 16 * 16 + pick(0, 16);
    const std::uint32_t region = op.src_type == DataType::int32 ? kFixpipeIntegers : 0;
    op.src_addr = region + static_cast<std::uint32_t>(64 * pick(0, 200));
    op.dst_addr = area + static_cast<std::uint64_t>(nz ? 32 * pick(0, 3) : pick(0, 99));
    const bool wide_rows = bits_of(op.dst_type) == 32 && !op.channel_split;
    op.dst_stride = nz     ? op.m_size * (wide_rows ? 2 : 1) + pick(0, 3)
                    : int4 ? op.n_size + 2 * pick(0, 4)
                           : op.n_size + pick(0, 9);
    if (!nz && op.m_size <= 16 && flip()) { // two matrices, one behind the other
        op.nd_num = 2;
        op.src_nd_stride = pick(0, 4);
        op.dst_nd_stride = op.m_size * op.dst_stride + (int4 ? 2 : 1) * pick(0, 5);
    }
}

DataType RandomFixpipes::type_of(QuantType result, DataType source) {
    switch (result) {
    case QuantType::accumulator: return source;
    case QuantType::float32: return DataType::float32;
    case QuantType::int32: return DataType::int32;
    case QuantType::float16: return DataType::float16;
    case QuantType::bfloat16: return DataType::bfloat16;
    case QuantType::b8: return flip() ? DataType::int8 : DataType::uint8;
    case QuantType::int4: return DataType::int4;
    case QuantType::int16: return DataType::int16;
    case QuantType::fp8_e4m3: return DataType::fp8_e4m3;
    case QuantType::hifloat8: return DataType::hifloat8;
    }
    return source;
}

} // namespace aicore::test
