#include "hw/numerics/data_type.h"

#include <array>

namespace aicore {
namespace {

constexpr std::array<std::string_view, 6> kNames{"float16", "bfloat16", "float32",
                                                 "int8",    "int32",    "int4"};

} // namespace

std::string_view to_string(DataType type) { return kNames[static_cast<std::size_t>(type)]; }

std::optional<DataType> parse_data_type(std::string_view text) {
    if (text == "fp16" || text == "f16" || text == "half") return DataType::float16;
    if (text == "bf16") return DataType::bfloat16;
    if (text == "fp32" || text == "f32" || text == "float") return DataType::float32;
    if (text == "s4") return DataType::int4;
    if (text == "s8") return DataType::int8;
    if (text == "s32") return DataType::int32;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == text) return static_cast<DataType>(i);
    }
    return std::nullopt;
}

} // namespace aicore
