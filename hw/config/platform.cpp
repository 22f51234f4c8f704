#include "hw/config/platform.h"

#include <stdexcept>

namespace aicore {

int CubeConfig::cycles_per_fractal(DataType ab_type, bool hf32) const {
    switch (ab_type) {
    case DataType::float16: return cycles_per_fractal_float16;
    case DataType::bfloat16: return cycles_per_fractal_bfloat16;
    case DataType::int8: return cycles_per_fractal_int8;
    case DataType::int4: return cycles_per_fractal_int4;
    case DataType::float32: return hf32 ? cycles_per_fractal_hf32 : cycles_per_fractal_float32;
    case DataType::fp8_e4m3:
    case DataType::fp8_e5m2: return cycles_per_fractal_fp8;
    case DataType::hifloat8: return cycles_per_fractal_hifloat8;
    default: break;
    }
    throw std::invalid_argument("cycles_per_fractal: the cube takes no operands of this type");
}

} // namespace aicore
