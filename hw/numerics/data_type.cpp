#include "hw/numerics/data_type.h"

#include <array>
#include <utility>

namespace aicore {
namespace {

constexpr std::array<std::string_view, kDataTypes> kNames{
    "float16", "bfloat16", "float32", "int8",  "int32",    "int4",     "uint8",
    "int16",   "uint16",   "uint32",  "int64", "fp8_e4m3", "fp8_e5m2", "hifloat8"};

constexpr std::array<std::pair<std::string_view, DataType>, 18> kShortNames{{
    {"fp16", DataType::float16},
    {"f16", DataType::float16},
    {"half", DataType::float16},
    {"bf16", DataType::bfloat16},
    {"fp32", DataType::float32},
    {"f32", DataType::float32},
    {"float", DataType::float32},
    {"s4", DataType::int4},
    {"s8", DataType::int8},
    {"s16", DataType::int16},
    {"s32", DataType::int32},
    {"s64", DataType::int64},
    {"u8", DataType::uint8},
    {"u16", DataType::uint16},
    {"u32", DataType::uint32},
    {"e4m3", DataType::fp8_e4m3},
    {"e5m2", DataType::fp8_e5m2},
    {"hif8", DataType::hifloat8},
}};

} // namespace

std::string_view to_string(DataType type) { return kNames[static_cast<std::size_t>(type)]; }

std::optional<DataType> parse_data_type(std::string_view text) {
    for (const auto& [name, type] : kShortNames) {
        if (name == text) return type;
    }
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == text) return static_cast<DataType>(i);
    }
    return std::nullopt;
}

} // namespace aicore
