#include "hw/numerics/quant_mode.h"

#include <array>
#include <cstddef>

namespace aicore {
namespace {

using Kind = QuantParameterKind;
using Type = QuantType;

// Rows in the order of the enumerations.
//
// 3510: the modes of the vendor's page of the copy from L0C to the unified buffer. Its untyped
// destinations are for results of 4 bits, and its post stage has modes for int16: the modes that
// give them, whose codes no other mode has, are taken to exist there too [inferred].
constexpr std::array<QuantModeInfo, kQuantPreModes> kPreModes{{
    {"none", 0, Type::accumulator, Type::accumulator, Kind::none, true, true},
    {"F322F16", 1, Type::float32, Type::float16, Kind::none, true, true},
    {"F322BF16", 16, Type::float32, Type::bfloat16, Kind::none, true, true},
    {"DEQF16", 11, Type::int32, Type::float16, Kind::scalar, true, true},
    {"VDEQF16", 10, Type::int32, Type::float16, Kind::vector, true, true},
    {"REQ8", 9, Type::int32, Type::b8, Kind::scalar, true, true},
    {"VREQ8", 8, Type::int32, Type::b8, Kind::vector, true, true},
    {"REQ4", 22, Type::int32, Type::int4, Kind::scalar, true, true},
    {"VREQ4", 21, Type::int32, Type::int4, Kind::vector, true, true},
    {"SHIFTS322S16", 13, Type::int32, Type::int16, Kind::scalar, true, false},
    {"VSHIFTS322S16", 12, Type::int32, Type::int16, Kind::vector, true, false},
    {"DEQS16", 28, Type::int32, Type::int16, Kind::scalar, true, true},
    {"VDEQS16", 27, Type::int32, Type::int16, Kind::vector, true, true},
    {"QF322B8_PRE", 24, Type::float32, Type::b8, Kind::scalar, true, true},
    {"VQF322B8_PRE", 23, Type::float32, Type::b8, Kind::vector, true, true},
    {"QF322S4_PRE", 26, Type::float32, Type::int4, Kind::scalar, true, true},
    {"VQF322S4_PRE", 25, Type::float32, Type::int4, Kind::vector, true, true},
    {"QF322FP8_PRE", 13, Type::float32, Type::fp8_e4m3, Kind::scalar, false, true},
    {"VQF322FP8_PRE", 12, Type::float32, Type::fp8_e4m3, Kind::vector, false, true},
    {"QF322HIF8_PRE", 3, Type::float32, Type::hifloat8, Kind::scalar, false, true},
    {"VQF322HIF8_PRE", 2, Type::float32, Type::hifloat8, Kind::vector, false, true},
    {"QF322HIF8_PRE_HYBRID", 5, Type::float32, Type::hifloat8, Kind::scalar, false, true},
    {"VQF322HIF8_PRE_HYBRID", 4, Type::float32, Type::hifloat8, Kind::vector, false, true},
    {"QF322F16_PRE", 32, Type::float32, Type::float16, Kind::scalar, false, true},
    {"VQF322F16_PRE", 31, Type::float32, Type::float16, Kind::vector, false, true},
    {"QF322BF16_PRE", 34, Type::float32, Type::bfloat16, Kind::scalar, false, true},
    {"VQF322BF16_PRE", 33, Type::float32, Type::bfloat16, Kind::vector, false, true},
    {"QF322F32_PRE", 15, Type::float32, Type::float32, Kind::scalar, false, true},
    {"VQF322F32_PRE", 14, Type::float32, Type::float32, Kind::vector, false, true},
    {"QS322BF16_PRE", 36, Type::int32, Type::bfloat16, Kind::scalar, false, true},
    {"VQS322BF16_PRE", 35, Type::int32, Type::bfloat16, Kind::vector, false, true},
}};

// The register of the scalar parameter exists on 3510 only.
constexpr std::array<QuantModeInfo, kQuantPostModes> kPostModes{{
    {"none", 0, Type::accumulator, Type::accumulator, Kind::none, true, true},
    {"QS162B8_POST", 2, Type::int16, Type::b8, Kind::scalar, false, true},
    {"VQS162B8_POST", 1, Type::int16, Type::b8, Kind::vector, false, true},
    {"QF162B8_POST", 4, Type::float16, Type::b8, Kind::scalar, false, true},
    {"VQF162B8_POST", 3, Type::float16, Type::b8, Kind::vector, false, true},
    {"QS162S4_POST", 6, Type::int16, Type::int4, Kind::scalar, false, true},
    {"VQS162S4_POST", 5, Type::int16, Type::int4, Kind::vector, false, true},
    {"QF162S4_POST", 8, Type::float16, Type::int4, Kind::scalar, false, true},
    {"VQF162S4_POST", 7, Type::float16, Type::int4, Kind::vector, false, true},
    {"QS162S16_POST", 10, Type::int16, Type::int16, Kind::scalar, false, true},
    {"VQS162S16_POST", 9, Type::int16, Type::int16, Kind::vector, false, true},
    {"QF162S16_POST", 12, Type::float16, Type::int16, Kind::scalar, false, true},
    {"VQF162S16_POST", 11, Type::float16, Type::int16, Kind::vector, false, true},
}};

constexpr std::array<std::string_view, 4> kReluNames{"none", "normal", "leaky", "prelu"};
constexpr std::array<std::string_view, 10> kTypeNames{"accumulator", "float32", "int32", "float16",
                                                      "bfloat16",    "b8",      "int4",  "int16",
                                                      "fp8_e4m3",    "hifloat8"};

constexpr bool exists(const QuantModeInfo& mode, int arch) {
    return (arch == 2201 && mode.on_2201) || (arch == 3510 && mode.on_3510);
}

template <typename Mode, std::size_t count, typename Condition>
std::optional<Mode> find_mode(const std::array<QuantModeInfo, count>& modes, Condition condition) {
    for (std::size_t i = 0; i < count; ++i) {
        if (condition(modes[i])) return static_cast<Mode>(i);
    }
    return std::nullopt;
}

} // namespace

const QuantModeInfo& info(QuantPreMode mode) { return kPreModes[static_cast<std::size_t>(mode)]; }

const QuantModeInfo& info(QuantPostMode mode) { return kPostModes[static_cast<std::size_t>(mode)]; }

std::string_view to_string(QuantPreMode mode) { return info(mode).name; }

std::string_view to_string(QuantPostMode mode) { return info(mode).name; }

std::string_view to_string(ReluMode mode) { return kReluNames[static_cast<std::size_t>(mode)]; }

std::string_view to_string(QuantType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::optional<QuantPreMode> parse_quant_pre(std::string_view name) {
    if (name == "NoQuant") return QuantPreMode::none;
    return find_mode<QuantPreMode>(kPreModes,
                                   [&](const QuantModeInfo& mode) { return mode.name == name; });
}

std::optional<QuantPostMode> parse_quant_post(std::string_view name) {
    if (name == "NoConv") return QuantPostMode::none;
    return find_mode<QuantPostMode>(kPostModes,
                                    [&](const QuantModeInfo& mode) { return mode.name == name; });
}

bool is_available(QuantPreMode mode, int arch) { return exists(info(mode), arch); }

bool is_available(QuantPostMode mode, int arch) { return exists(info(mode), arch); }

int row_bytes(QuantType type, int count) {
    switch (type) {
    case Type::accumulator:
    case Type::float32:
    case Type::int32: return count * 4;
    case Type::float16:
    case Type::bfloat16:
    case Type::int16: return count * 2;
    case Type::b8:
    case Type::fp8_e4m3:
    case Type::hifloat8: return count;
    case Type::int4: return (count + 1) / 2;
    }
    return 0;
}

bool accepts_source(QuantPreMode mode, DataType source) {
    switch (info(mode).source) {
    case Type::accumulator: return source == DataType::float32 || source == DataType::int32;
    case Type::float32: return source == DataType::float32;
    default: return source == DataType::int32;
    }
}

bool can_follow(QuantPreMode pre, QuantPostMode post) {
    return post == QuantPostMode::none || info(post).source == info(pre).result;
}

bool is_shift(QuantPreMode mode) {
    return mode == QuantPreMode::SHIFTS322S16 || mode == QuantPreMode::VSHIFTS322S16;
}

bool accepts_relu(QuantPreMode mode, DataType source, ReluMode relu) {
    if (relu == ReluMode::none || relu == ReluMode::normal) return true;
    if (mode == QuantPreMode::none) return source == DataType::float32;
    return !is_shift(mode);
}

bool accepts_clip(QuantPreMode mode, ReluMode relu) {
    return mode != QuantPreMode::none && relu == ReluMode::normal;
}

bool accepts_clip(QuantPostMode mode, ReluMode relu) {
    return mode != QuantPostMode::none && relu == ReluMode::normal;
}

} // namespace aicore
