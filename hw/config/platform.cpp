#include "hw/config/platform.h"

#include <stdexcept>

namespace aicore {

int CubeConfig::cycles_per_fractal(DataType ab_type) const {
    switch (ab_type) {
    case DataType::float16: return cycles_per_fractal_float16;
    case DataType::bfloat16: return cycles_per_fractal_bfloat16;
    case DataType::int8: return cycles_per_fractal_int8;
    case DataType::float32: return cycles_per_fractal_float32;
    default: break;
    }
    throw std::invalid_argument("cycles_per_fractal: the cube takes no operands of this type");
}

} // namespace aicore
