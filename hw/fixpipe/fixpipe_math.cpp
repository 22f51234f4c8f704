#include "hw/fixpipe/fixpipe_math.h"

#include "hw/numerics/convert.h"

#include <cstddef>
#include <cstring>

namespace aicore {
namespace {

bool is_plain(const Fixpipe& fixpipe) {
    return info(fixpipe.quant_pre).parameter == QuantParameterKind::none &&
           (fixpipe.relu_pre == ReluMode::none || fixpipe.relu_pre == ReluMode::normal) &&
           !fixpipe.clip_relu_pre && fixpipe.quant_post == QuantPostMode::none;
}

bool has_table(const Fixpipe& fixpipe) {
    return info(fixpipe.quant_pre).parameter == QuantParameterKind::vector ||
           info(fixpipe.quant_post).parameter == QuantParameterKind::vector ||
           fixpipe.relu_pre == ReluMode::prelu || fixpipe.relu_post == ReluMode::prelu;
}

/// Casts and copies, all rows at once.
void convert_plain(const QuantStage& stage, std::uint32_t* words, int count, std::uint8_t* out) {
    auto* floats = reinterpret_cast<float*>(words);
    if (stage.relu == ReluMode::normal) {
        if (stage.source == DataType::int32) {
            relu_s32(reinterpret_cast<std::int32_t*>(words), count);
        } else {
            relu_f32(floats, count);
        }
    }
    auto* halves = reinterpret_cast<std::uint16_t*>(out);
    if (stage.mode == QuantPreMode::F322F16) {
        convert_f32_to_f16(floats, count, half_overflow(stage), halves);
    } else if (stage.mode == QuantPreMode::F322BF16) {
        convert_f32_to_bf16(floats, count, half_overflow(stage), halves);
    } else {
        std::memcpy(out, words, static_cast<std::size_t>(count) * 4);
    }
}

} // namespace

FixpipeStages fixpipe_stages(const Fixpipe& fixpipe, const NumericsConfig& numerics, int arch) {
    FixpipeStages stages;
    QuantStage& pre = stages.pre;
    pre.mode = fixpipe.quant_pre;
    pre.source = fixpipe.src_type;
    pre.relu = fixpipe.relu_pre;
    pre.clip = fixpipe.clip_relu_pre;
    pre.clip_max = fixpipe.clip_max;
    pre.overflow = fixpipe.ctrl.float_overflow;
    pre.fp8_nan = fixpipe.ctrl.fp8_nan;
    pre.arch = arch;
    pre.switches = numerics.quantisation;

    PostStage& post = stages.post;
    stages.has_post = fixpipe.quant_post != QuantPostMode::none;
    post.mode = fixpipe.quant_post;
    post.relu = fixpipe.relu_post;
    post.clip = fixpipe.clip_relu_post;
    post.clip_max = fixpipe.clip_max;
    post.switches = numerics.quantisation;

    stages.is_plain = is_plain(fixpipe);
    stages.per_column = has_table(fixpipe);
    stages.row_bytes = kQuantColumns * bits_of(fixpipe.dst_type) / 8;
    return stages;
}

std::optional<std::string> illegal_entry(const Fixpipe& fixpipe, const PanelWords& words,
                                         int columns) {
    const QuantModeInfo& pre = info(fixpipe.quant_pre);
    const QuantModeInfo& post = info(fixpipe.quant_post);
    const bool reads_pre =
        pre.parameter == QuantParameterKind::vector && !is_shift(fixpipe.quant_pre);
    const bool reads_post = post.parameter == QuantParameterKind::vector;
    for (std::size_t i = 0; i < static_cast<std::size_t>(columns); ++i) {
        std::optional<std::string> wrong;
        const char* table = "";
        const auto look = [&](bool is_read, const char* name, auto check) {
            if (wrong || !is_read) return;
            table = name;
            wrong = check();
        };
        look(reads_pre, "quant_table_addr", [&] {
            return wrong_parameter(pre, words.quant_pre[i], kPreSignBit, fixpipe.dst_type);
        });
        look(reads_post, "quant_post_table_addr", [&] {
            return wrong_parameter(post, words.quant_post[i], kPostSignBit, fixpipe.dst_type);
        });
        look(fixpipe.relu_pre == ReluMode::prelu, "relu_pre_table_addr",
             [&] { return wrong_slope(words.relu_pre[i]); });
        look(fixpipe.relu_post == ReluMode::prelu, "relu_post_table_addr",
             [&] { return wrong_slope(words.relu_post[i]); });
        if (wrong) {
            return "entry of column " + std::to_string(i) + " in the table at " + table + ": " +
                   *wrong;
        }
    }
    return std::nullopt;
}

PanelColumns decode_panel(const FixpipeStages& stages, const PanelWords& words, int columns) {
    PanelColumns panel;
    panel.pre = decode_columns(stages.pre, words.quant_pre.data(), words.relu_pre.data(), columns);
    if (stages.has_post) {
        panel.post =
            decode_columns(stages.post, words.quant_post.data(), words.relu_post.data(), columns);
    }
    return panel;
}

void convert_fractal(const FixpipeStages& stages, const PanelColumns& columns, std::uint32_t* words,
                     int rows, std::uint8_t* out) {
    if (stages.is_plain) return convert_plain(stages.pre, words, rows * kQuantColumns, out);
    for (int row = 0; row < rows; ++row) {
        const std::uint32_t* source = words + row * kQuantColumns;
        std::uint8_t* result = out + row * stages.row_bytes;
        if (!stages.has_post) {
            quantise_row(stages.pre, columns.pre, source, kQuantColumns, result);
            continue;
        }
        std::array<std::uint16_t, kQuantColumns> between;
        quantise_row(stages.pre, columns.pre, source, kQuantColumns,
                     reinterpret_cast<std::uint8_t*>(between.data()));
        requantise_row(stages.post, columns.post, between.data(), kQuantColumns, result);
    }
}

} // namespace aicore
