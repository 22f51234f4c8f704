#include "hw/isa/types.h"

#include <array>

namespace aicore {
namespace {

constexpr std::array<std::string_view, 8> kPipeNames{"S",    "V",    "M",   "MTE1",
                                                     "MTE2", "MTE3", "FIX", "ALL"};
constexpr std::array<std::string_view, 9> kBufferNames{"GM", "L1", "L0A", "L0B",    "L0C",
                                                       "BT", "FB", "UB",  "L0B_IDX"};
constexpr std::array<std::string_view, 6> kDataTypeNames{"float16", "bfloat16", "float32",
                                                         "int8",    "int32",    "int4"};

template <typename Enum, std::size_t count>
std::optional<Enum> find_name(const std::array<std::string_view, count>& names,
                              std::string_view text) {
    for (std::size_t i = 0; i < count; ++i) {
        if (names[i] == text) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

} // namespace

std::string_view to_string(Pipe pipe) { return kPipeNames[static_cast<std::size_t>(pipe)]; }

std::string_view to_string(Buffer buffer) { return kBufferNames[static_cast<std::size_t>(buffer)]; }

std::string_view to_string(DataType type) { return kDataTypeNames[static_cast<std::size_t>(type)]; }

std::optional<Pipe> parse_pipe(std::string_view text) { return find_name<Pipe>(kPipeNames, text); }

std::optional<Buffer> parse_buffer(std::string_view text) {
    return find_name<Buffer>(kBufferNames, text);
}

std::optional<DataType> parse_data_type(std::string_view text) {
    if (text == "fp16" || text == "f16" || text == "half") return DataType::float16;
    if (text == "bf16") return DataType::bfloat16;
    if (text == "fp32" || text == "f32" || text == "float") return DataType::float32;
    if (text == "s4") return DataType::int4;
    if (text == "s8") return DataType::int8;
    if (text == "s32") return DataType::int32;
    return find_name<DataType>(kDataTypeNames, text);
}

} // namespace aicore
