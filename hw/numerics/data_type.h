// Element types, and the fractal geometry that follows from their sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aicore {

/// Element types that instructions name. int4: element 2i in the low half of byte i, 2i+1 in the
/// high half.
enum class DataType : std::uint8_t {
    float16,
    bfloat16,
    float32,
    int8,
    int32,
    int4,
    uint8,
    int16,
    uint16,
    uint32,
    int64,
    fp8_e4m3,
    fp8_e5m2,
    hifloat8,
};
inline constexpr int kDataTypes = 14;

std::string_view to_string(DataType type);
/// Accepts the short names too: fp16, f16, half, bf16, fp32, f32, float, s4, s8, s16, s32, s64, u8,
/// u16, u32, e4m3, e5m2, hif8.
std::optional<DataType> parse_data_type(std::string_view text);

/// Size of an element in bits.
constexpr int bits_of(DataType type) {
    switch (type) {
    case DataType::int4: return 4;
    case DataType::int8:
    case DataType::uint8:
    case DataType::fp8_e4m3:
    case DataType::fp8_e5m2:
    case DataType::hifloat8: return 8;
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::int16:
    case DataType::uint16: return 16;
    case DataType::float32:
    case DataType::int32:
    case DataType::uint32: return 32;
    case DataType::int64: return 64;
    }
    return 0;
}

/// Integers, signed or not.
constexpr bool is_integer(DataType type) {
    switch (type) {
    case DataType::int4:
    case DataType::int8:
    case DataType::uint8:
    case DataType::int16:
    case DataType::uint16:
    case DataType::int32:
    case DataType::uint32:
    case DataType::int64: return true;
    default: return false;
    }
}

/// Size of an element in bytes; 0 for int4, whose elements have no whole size.
constexpr int size_of(DataType type) { return bits_of(type) / 8; }

// Fractal geometry (semantics of the fractal formats: 16 rows of 32 bytes; L0C: 16 x 16 words).
inline constexpr int kFractalRows = 16;
inline constexpr int kBlockBytes = 32;    ///< C0 bytes: one row of a fractal, one data block
inline constexpr int kFractalBytes = 512; ///< fractal of L1, L0A, L0B
inline constexpr int kL0cFractalBytes = 1024;
inline constexpr int kL0cRowBytes = 64; ///< one row of an L0C fractal
inline constexpr int kUnitFlagBlockBytes = 512;
inline constexpr int kBtUnitBytes = 64;       ///< BiasTable: 16 words
inline constexpr int kFbUnitBytes = 128;      ///< Fixpipe buffer
inline constexpr int kSparseIndexBytes = 128; ///< indices of one int8 fractal: 512 of 2 bits

/// C0: elements in one 32-byte row of a fractal.
constexpr int c0_of(DataType type) { return kBlockBytes * 8 / bits_of(type); }

} // namespace aicore
