#include "hw/fixpipe/fixpipe_math.h"

#include "hw/numerics/convert.h"

#include <algorithm>
#include <cstring>

namespace aicore {

QuantStage quant_stage(const Fixpipe& fixpipe, const NumericsConfig& numerics) {
    QuantStage stage;
    stage.mode = fixpipe.quant_pre;
    stage.source = fixpipe.src_type;
    stage.relu = fixpipe.relu ? ReluMode::normal : ReluMode::none;
    stage.overflow = fixpipe.ctrl.float_overflow;
    if (fixpipe.quant_pre == QuantPreMode::F322BF16 &&
        numerics.quantisation.bf16_cast == Bf16Cast::saturate) {
        stage.overflow = FloatOverflow::saturate;
    }
    stage.switches = numerics.quantisation;
    return stage;
}

void convert_words(const Fixpipe& fixpipe, const QuantStage& stage, const QuantColumns& columns,
                   std::uint32_t* words, int count, std::uint8_t* out) {
    if (info(fixpipe.quant_pre).parameter != QuantParameterKind::none) {
        const int size = size_of(fixpipe.dst_type);
        for (int done = 0; done < count; done += kQuantColumns) {
            quantise_row(stage, columns, words + done, std::min(count - done, kQuantColumns),
                         out + done * size);
        }
        return;
    }
    // Plain conversions, whole fractals at once.
    auto* floats = reinterpret_cast<float*>(words);
    if (fixpipe.relu) {
        if (fixpipe.src_type == DataType::int32) {
            relu_s32(reinterpret_cast<std::int32_t*>(words), count);
        } else {
            relu_f32(floats, count);
        }
    }
    auto* halves = reinterpret_cast<std::uint16_t*>(out);
    if (fixpipe.quant_pre == QuantPreMode::F322F16) {
        convert_f32_to_f16(floats, count, stage.overflow, halves);
    } else if (fixpipe.quant_pre == QuantPreMode::F322BF16) {
        convert_f32_to_bf16(floats, count, stage.overflow, halves);
    } else {
        std::memcpy(out, words, static_cast<std::size_t>(count) * 4);
    }
}

} // namespace aicore
