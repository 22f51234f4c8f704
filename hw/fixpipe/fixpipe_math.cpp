#include "hw/fixpipe/fixpipe_math.h"

#include "hw/numerics/convert.h"

#include <cstring>

namespace aicore {

void convert_row(const Fixpipe& fixpipe, FloatOverflow overflow, std::uint32_t* words, int count, std::uint8_t* out) {
    auto* floats = reinterpret_cast<float*>(words);
    if (fixpipe.relu) {
        if (fixpipe.src_type == DataType::int32) {
            relu_s32(reinterpret_cast<std::int32_t*>(words), count);
        } else {
            relu_f32(floats, count);
        }
    }
    switch (fixpipe.quant_pre) {
    case QuantPre::none: std::memcpy(out, words, static_cast<std::size_t>(count) * 4); break;
    case QuantPre::F322F16: convert_f32_to_f16(floats, count, overflow, reinterpret_cast<std::uint16_t*>(out)); break;
    case QuantPre::F322BF16: convert_f32_to_bf16(floats, count, overflow, reinterpret_cast<std::uint16_t*>(out)); break;
    }
}

} // namespace aicore
