#include "hw/numerics/element.h"

#include "hw/numerics/float_format.h"
#include "hw/numerics/fp8.h"
#include "hw/numerics/half.h"
#include "hw/numerics/hifloat8.h"
#include "hw/numerics/int4.h"
#include "hw/numerics/round_to_odd.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace aicore {
namespace {

template <typename T>
double load(const std::uint8_t* bytes, std::int64_t index) {
    T value;
    std::memcpy(&value, bytes + index * std::int64_t{sizeof(T)}, sizeof(T));
    return static_cast<double>(value);
}

template <typename T>
void store(T value, std::uint8_t* bytes, std::int64_t index) {
    std::memcpy(bytes + index * std::int64_t{sizeof(T)}, &value, sizeof(T));
}

template <typename T>
void store_integer(double value, std::uint8_t* bytes, std::int64_t index) {
    constexpr auto kLeast = std::numeric_limits<T>::min();
    constexpr auto kLargest = std::numeric_limits<T>::max();
    if (std::isnan(value)) return store(T{0}, bytes, index);
    const double rounded = std::nearbyint(value);
    // Compared as doubles, of which the one next to the largest int64 is 2^63.
    if (rounded >= static_cast<double>(kLargest)) return store(kLargest, bytes, index);
    if (rounded <= static_cast<double>(kLeast)) return store(kLeast, bytes, index);
    store(static_cast<T>(rounded), bytes, index);
}

void store_int4(double value, std::uint8_t* bytes, std::int64_t index) {
    const double rounded = std::isnan(value) ? 0 : std::clamp(std::nearbyint(value), -8.0, 7.0);
    const auto nibble = static_cast<std::int8_t>(rounded);
    std::uint8_t& byte = bytes[index / 2];
    byte = index % 2 == 0 ? pack_int4(nibble, int4_high(byte)) : pack_int4(int4_low(byte), nibble);
}

} // namespace

double element_value(DataType type, const std::uint8_t* bytes, std::int64_t index) {
    switch (type) {
    case DataType::float16: {
        std::uint16_t bits;
        std::memcpy(&bits, bytes + index * 2, sizeof bits);
        return static_cast<double>(f16_to_f32(bits));
    }
    case DataType::bfloat16: {
        std::uint16_t bits;
        std::memcpy(&bits, bytes + index * 2, sizeof bits);
        return static_cast<double>(bf16_to_f32(bits));
    }
    case DataType::float32: return load<float>(bytes, index);
    case DataType::int4: {
        const std::uint8_t byte = bytes[index / 2];
        return index % 2 == 0 ? int4_low(byte) : int4_high(byte);
    }
    case DataType::int8: return load<std::int8_t>(bytes, index);
    case DataType::uint8: return load<std::uint8_t>(bytes, index);
    case DataType::int16: return load<std::int16_t>(bytes, index);
    case DataType::uint16: return load<std::uint16_t>(bytes, index);
    case DataType::int32: return load<std::int32_t>(bytes, index);
    case DataType::uint32: return load<std::uint32_t>(bytes, index);
    case DataType::int64: return load<std::int64_t>(bytes, index);
    case DataType::fp8_e4m3: return static_cast<double>(e4m3_values()[bytes[index]]);
    case DataType::fp8_e5m2: return static_cast<double>(e5m2_values()[bytes[index]]);
    case DataType::hifloat8: return static_cast<double>(hif8_values()[bytes[index]]);
    }
    return 0;
}

void store_element(DataType type, double value, std::uint8_t* bytes, std::int64_t index) {
    constexpr FloatOverflow kKeep = FloatOverflow::inf_nan;
    switch (type) {
    case DataType::float16: return store(f32_to_f16(to_odd_f32(value), kKeep), bytes, index);
    case DataType::bfloat16: return store(f32_to_bf16(to_odd_f32(value), kKeep), bytes, index);
    case DataType::float32: return store(static_cast<float>(value), bytes, index);
    case DataType::int4: return store_int4(value, bytes, index);
    case DataType::int8: return store_integer<std::int8_t>(value, bytes, index);
    case DataType::uint8: return store_integer<std::uint8_t>(value, bytes, index);
    case DataType::int16: return store_integer<std::int16_t>(value, bytes, index);
    case DataType::uint16: return store_integer<std::uint16_t>(value, bytes, index);
    case DataType::int32: return store_integer<std::int32_t>(value, bytes, index);
    case DataType::uint32: return store_integer<std::uint32_t>(value, bytes, index);
    case DataType::int64: return store_integer<std::int64_t>(value, bytes, index);
    case DataType::fp8_e4m3:
        return store(f32_to_e4m3(to_odd_f32(value), kKeep, SaturatedNan::keep), bytes, index);
    case DataType::fp8_e5m2:
        return store(f32_to_e5m2(to_odd_f32(value), kKeep, SaturatedNan::keep), bytes, index);
    case DataType::hifloat8:
        return store(f32_to_hif8(to_odd_f32(value), Rounding::nearest_away, kKeep), bytes, index);
    }
}

double largest_value(DataType type) {
    switch (type) {
    case DataType::float16: return 65504;
    case DataType::bfloat16: return 0x1.FEp127;
    case DataType::float32: return static_cast<double>(std::numeric_limits<float>::max());
    case DataType::int4: return 7;
    case DataType::int8: return 127;
    case DataType::uint8: return 255;
    case DataType::int16: return 32767;
    case DataType::uint16: return 65535;
    case DataType::int32: return 2147483647;
    case DataType::uint32: return 4294967295;
    case DataType::int64: return 0x1p63;
    case DataType::fp8_e4m3: return 448;
    case DataType::fp8_e5m2: return 57344;
    case DataType::hifloat8: return 32768;
    }
    return 0;
}

double least_value(DataType type) {
    switch (type) {
    case DataType::uint8:
    case DataType::uint16:
    case DataType::uint32: return 0;
    case DataType::int4:
    case DataType::int8:
    case DataType::int16:
    case DataType::int32: return -largest_value(type) - 1;
    default: return -largest_value(type);
    }
}

} // namespace aicore
