#include "hw/numerics/quantise.h"

#include "hw/numerics/convert.h"
#include "hw/numerics/hifloat8.h"
#include "hw/numerics/int4.h"
#include "hw/numerics/quantise_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

namespace aicore {
namespace {

using quantise::RowRules;

[[noreturn]] void refuse(std::string_view mode, const std::string& rule) {
    throw std::invalid_argument("quantisation mode " + std::string(mode) + " " + rule);
}

void check_count(int count) {
    if (count < 1 || count > kQuantColumns) {
        throw std::invalid_argument("a row has 1 to 16 columns, not " + std::to_string(count));
    }
}

void check_clip(std::string_view mode, std::uint16_t limit) {
    if (!is_legal_clip(limit)) refuse(mode, "clips at a float16 that is finite and above zero");
}

void check(const QuantStage& stage) {
    const std::string_view name = to_string(stage.mode);
    if (!is_available(stage.mode, stage.arch)) {
        refuse(name, "does not exist on architecture " + std::to_string(stage.arch));
    }
    if (!accepts_source(stage.mode, stage.source)) {
        refuse(name, "does not read " + std::string(to_string(stage.source)));
    }
    if (!accepts_relu(stage.mode, stage.source, stage.relu)) {
        refuse(name, "has no ReLU of the form " + std::string(to_string(stage.relu)));
    }
    if (stage.clip && !accepts_clip(stage.mode, stage.relu)) {
        refuse(name, "clips only after a normal ReLU and with a quantisation");
    }
    if (stage.clip) check_clip(name, stage.clip_max);
}

void check(const PostStage& stage) {
    const std::string_view name = to_string(stage.mode);
    if (stage.mode == QuantPostMode::none) refuse(name, "has no arithmetic in the post stage");
    if (stage.clip && !accepts_clip(stage.mode, stage.relu)) {
        refuse(name, "clips only after a normal ReLU");
    }
    if (stage.clip) check_clip(name, stage.clip_max);
}

bool is_requantisation_to_b8(QuantPreMode mode) {
    return mode == QuantPreMode::REQ8 || mode == QuantPreMode::VREQ8;
}

struct Limits {
    std::int32_t low = 0, high = 0;
};

Limits limits_of(QuantType result, bool is_signed) {
    switch (result) {
    case QuantType::b8: return is_signed ? Limits{-128, 127} : Limits{0, 255};
    case QuantType::int4: return {-8, 7};
    case QuantType::int16: return {-32768, 32767};
    default: return {}; // floating-point results do not look at them
    }
}

// What the two stages have in common in one column.
void set_column(QuantColumns& columns, int c, float scale, int offset, Limits limits) {
    const auto i = static_cast<std::size_t>(c);
    columns.positive[i] = scale;
    columns.negative[i] = scale;
    columns.offset[i] = offset;
    columns.low[i] = limits.low;
    columns.high[i] = limits.high;
}

void set_slopes(QuantColumns& columns, ReluMode relu, const std::uint32_t* slopes, int count) {
    for (int c = 0; c < count; ++c) {
        float& negative = columns.negative[static_cast<std::size_t>(c)];
        switch (relu) {
        case ReluMode::none: break;
        case ReluMode::normal: negative = 0.0f; break;
        case ReluMode::leaky: negative = decode_multiplier(slopes[0]); break;
        case ReluMode::prelu: negative = decode_multiplier(slopes[c]); break;
        }
    }
}

// Integers: the limit is compared with the result, after offset and saturation [inferred: the texts
// order the clip behind the quantisation and say no more]. Its fraction is dropped.
void set_clip(QuantColumns& columns, std::uint16_t limit, int count) {
    const auto high = static_cast<std::int32_t>(f16_to_f32(limit));
    for (int c = 0; c < count; ++c) {
        auto& bound = columns.high[static_cast<std::size_t>(c)];
        bound = std::min(bound, high);
    }
}

// Bound on values before the rounding where the texts name none: beyond it every result saturates,
// whatever the offset.
constexpr float kUnlimited = 0x1p20f;

void set_range(RowRules& rules, float low, float high) {
    rules.clip_low = low;
    rules.clip_high = high;
    if (rules.order == OffsetOrder::add_then_round) {
        rules.clip_low = -kUnlimited;
        rules.clip_high = kUnlimited;
    }
}

RowRules rules_of(const QuantStage& stage, const QuantColumns& columns) {
    RowRules rules;
    rules.int_source = stage.source == DataType::int32;
    rules.relu = stage.relu;
    rules.narrow = columns.any_narrow;
    rules.limit = stage.clip;
    if (stage.clip) rules.limit_max = f16_to_f32(stage.clip_max);
    rules.order = stage.switches.offset_order;
    rules.to_integer = stage.switches.deqf16_rounds_first &&
                       (stage.mode == QuantPreMode::DEQF16 || stage.mode == QuantPreMode::VDEQF16);
    if (info(stage.mode).result == QuantType::int16) {
        set_range(rules, -32768.0f, 32767.0f);
    } else {
        set_range(rules, -256.0f, 255.0f);
    }
    return rules;
}

RowRules rules_of(const PostStage& stage) {
    RowRules rules;
    rules.relu = stage.relu;
    rules.order = stage.switches.offset_order;
    float extended = kUnlimited;
    if (stage.switches.post_range == PostRange::extended) {
        switch (info(stage.mode).result) {
        case QuantType::b8: extended = 256.0f; break;
        case QuantType::int4: extended = 16.0f; break;
        default: extended = 65536.0f; break;
        }
    }
    set_range(rules, -extended, extended - 1.0f);
    return rules;
}

void store_integers(const std::int32_t* values, QuantType type, int count, std::uint8_t* out) {
    const auto bytes = static_cast<std::size_t>(row_bytes(type, count));
    if (type == QuantType::int16) {
        std::int16_t narrowed[kQuantColumns];
        for (int c = 0; c < kQuantColumns; ++c) narrowed[c] = static_cast<std::int16_t>(values[c]);
        std::memcpy(out, narrowed, bytes);
        return;
    }
    // uint8 results up to 255 keep their bits in the conversion.
    std::int8_t narrowed[kQuantColumns];
    for (int c = 0; c < kQuantColumns; ++c) narrowed[c] = static_cast<std::int8_t>(values[c]);
    if (type == QuantType::int4) {
        pack_int4_row(narrowed, count, out);
    } else {
        std::memcpy(out, narrowed, bytes);
    }
}

void store_halves(const QuantStage& stage, const float* scaled, int count, std::uint8_t* out) {
    alignas(64) std::uint16_t halves[kQuantColumns];
    if (info(stage.mode).result == QuantType::float16) {
        convert_f32_to_f16(scaled, kQuantColumns, half_overflow(stage), halves);
    } else {
        convert_f32_to_bf16(scaled, kQuantColumns, half_overflow(stage), halves);
    }
    std::memcpy(out, halves, static_cast<std::size_t>(count) * 2);
}

void store_hif8(const QuantStage& stage, const float* scaled, int count, std::uint8_t* out) {
    const bool hybrid = stage.mode == QuantPreMode::QF322HIF8_PRE_HYBRID ||
                        stage.mode == QuantPreMode::VQF322HIF8_PRE_HYBRID;
    const Rounding rounding = hybrid ? Rounding::hybrid : Rounding::nearest_away;
    for (int c = 0; c < count; ++c) out[c] = f32_to_hif8(scaled[c], rounding, stage.overflow);
}

void store_fp8(const QuantStage& stage, const float* scaled, int count, std::uint8_t* out) {
    std::uint8_t codes[kQuantColumns];
    quantise::e4m3_row(scaled, stage.overflow, stage.fp8_nan, codes);
    std::memcpy(out, codes, static_cast<std::size_t>(count));
}

void copy_words(const QuantStage& stage, const std::uint32_t* words, int count, std::uint8_t* out) {
    alignas(64) std::uint32_t row[kQuantColumns];
    std::memcpy(row, words, sizeof row);
    if (stage.relu == ReluMode::normal) {
        if (stage.source == DataType::int32) {
            relu_s32(reinterpret_cast<std::int32_t*>(row), kQuantColumns);
        } else {
            relu_f32(reinterpret_cast<float*>(row), kQuantColumns);
        }
    }
    std::memcpy(out, row, static_cast<std::size_t>(count) * 4);
}

} // namespace

FloatOverflow half_overflow(const QuantStage& stage) {
    const bool from_integers =
        stage.source == DataType::int32 && info(stage.mode).result == QuantType::float16;
    const bool cast =
        stage.mode == QuantPreMode::F322BF16 && stage.switches.bf16_cast == Bf16Cast::saturate;
    return from_integers || cast ? FloatOverflow::saturate : stage.overflow;
}

QuantColumns decode_columns(const QuantStage& stage, const std::uint64_t* parameters,
                            const std::uint32_t* slopes, int count) {
    check(stage);
    check_count(count);
    const QuantModeInfo& mode = info(stage.mode);
    const bool has_offset = mode.result == QuantType::b8 || mode.result == QuantType::int4;
    QuantColumns columns;
    for (int c = 0; c < count; ++c) {
        QuantParameter parameter;
        parameter.scale = 1.0f;
        if (mode.parameter != QuantParameterKind::none) {
            const std::uint64_t word =
                parameters[mode.parameter == QuantParameterKind::vector ? c : 0];
            parameter = decode_quant_parameter(word, stage.arch, stage.switches);
        }
        set_column(columns, c, parameter.scale, has_offset ? parameter.offset : 0,
                   limits_of(mode.result, parameter.is_signed));
        const auto i = static_cast<std::size_t>(c);
        columns.shift[i] = parameter.shift;
        if (is_requantisation_to_b8(stage.mode) && parameter.narrow) {
            columns.narrow[i] = -1;
            columns.any_narrow = true;
        }
    }
    set_slopes(columns, stage.relu, slopes, count);
    if (stage.clip) set_clip(columns, stage.clip_max, count);
    return columns;
}

QuantColumns decode_columns(const PostStage& stage, const std::uint64_t* parameters,
                            const std::uint32_t* slopes, int count) {
    check(stage);
    check_count(count);
    const QuantModeInfo& mode = info(stage.mode);
    QuantColumns columns;
    for (int c = 0; c < count; ++c) {
        const PostParameter parameter = decode_post_parameter(
            parameters[mode.parameter == QuantParameterKind::vector ? c : 0], mode.result);
        set_column(columns, c, parameter.scale, parameter.offset,
                   limits_of(mode.result, parameter.is_signed));
    }
    set_slopes(columns, stage.relu, slopes, count);
    if (stage.clip) set_clip(columns, stage.clip_max, count);
    return columns;
}

void quantise_row(const QuantStage& stage, const QuantColumns& columns, const std::uint32_t* words,
                  int count, std::uint8_t* out) {
    alignas(64) std::uint32_t padded[kQuantColumns];
    if (count < kQuantColumns) {
        std::memset(padded, 0, sizeof padded);
        std::memcpy(padded, words, static_cast<std::size_t>(count) * 4);
        words = padded;
    }
    const QuantType result = info(stage.mode).result;
    const bool sloped = stage.relu == ReluMode::leaky || stage.relu == ReluMode::prelu;
    if (result == QuantType::accumulator && !sloped) return copy_words(stage, words, count, out);

    const RowRules rules = rules_of(stage, columns);
    alignas(64) std::int32_t integers[kQuantColumns];
    alignas(64) float scaled[kQuantColumns];
    switch (result) {
    case QuantType::b8:
    case QuantType::int4:
    case QuantType::int16:
        if (is_shift(stage.mode)) {
            quantise::shift_row(words, rules, columns, integers);
        } else {
            quantise::round_row(words, rules, columns, integers);
        }
        return store_integers(integers, result, count, out);
    default: quantise::scale_row(words, rules, columns, scaled); break;
    }
    switch (result) {
    case QuantType::float16:
    case QuantType::bfloat16: store_halves(stage, scaled, count, out); break;
    case QuantType::fp8_e4m3: store_fp8(stage, scaled, count, out); break;
    case QuantType::hifloat8: store_hif8(stage, scaled, count, out); break;
    default:
        finish_block(scaled, kQuantColumns, stage.overflow);
        std::memcpy(out, scaled, static_cast<std::size_t>(count) * 4);
        break;
    }
}

void requantise_row(const PostStage& stage, const QuantColumns& columns,
                    const std::uint16_t* values, int count, std::uint8_t* out) {
    const QuantModeInfo& mode = info(stage.mode);
    alignas(64) std::uint32_t words[kQuantColumns] = {};
    for (int c = 0; c < count; ++c) {
        const float value = mode.source == QuantType::float16
                                ? f16_to_f32(values[c])
                                : static_cast<float>(static_cast<std::int16_t>(values[c]));
        words[c] = f32_to_bits(value);
    }
    alignas(64) std::int32_t integers[kQuantColumns];
    quantise::round_row(words, rules_of(stage), columns, integers);
    store_integers(integers, mode.result, count, out);
}

} // namespace aicore
