#include "tb/workload/reference_quant.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace aicore::tb {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 46;
constexpr std::uint64_t kScaleBits = 0xFFFFE000U;

float scale_of(std::uint64_t word) {
    const auto bits = static_cast<std::uint32_t>(word & kScaleBits);
    float scale;
    std::memcpy(&scale, &bits, sizeof scale);
    return scale;
}

std::int64_t to_integer(float y, float low, float high, std::int64_t least, std::int64_t largest) {
    return std::clamp<std::int64_t>(std::llrint(std::clamp(y, low, high)), least, largest);
}

template <typename T>
void append(std::vector<std::uint8_t>& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

void append_result(std::vector<std::uint8_t>& out, float y, DataType type) {
    switch (type) {
    case DataType::float16:
        return append(out, static_cast<Eigen::half>(std::clamp(y, -65504.0F, 65504.0F)));
    case DataType::int16:
        return append(out,
                      static_cast<std::int16_t>(to_integer(y, -32768.0F, 32767.0F, -32768, 32767)));
    case DataType::int8:
        return append(out, static_cast<std::int8_t>(to_integer(y, -256.0F, 255.0F, -128, 127)));
    default: return append(out, static_cast<std::uint8_t>(to_integer(y, -256.0F, 255.0F, 0, 255)));
    }
}

} // namespace

std::optional<DataType> quantised_type(QuantPreMode mode) {
    switch (mode) {
    case QuantPreMode::DEQF16:
    case QuantPreMode::VDEQF16: return DataType::float16;
    case QuantPreMode::REQ8:
    case QuantPreMode::VREQ8:
    case QuantPreMode::QF322B8_PRE:
    case QuantPreMode::VQF322B8_PRE: return DataType::int8;
    case QuantPreMode::DEQS16:
    case QuantPreMode::VDEQS16: return DataType::int16;
    default: return std::nullopt;
    }
}

std::optional<std::string> unknown_parameter(std::uint64_t word, DataType type) {
    const bool is_signed = (word & kSignBit) != 0;
    switch (type) {
    case DataType::float16:
    case DataType::int16: break;
    case DataType::int8:
        if (!is_signed) return "bit 46 must be set for int8";
        break;
    case DataType::uint8:
        if (is_signed) return "bit 46 must be clear for uint8";
        break;
    default: return "there is no quantisation to " + std::string(to_string(type));
    }
    if ((word & ~(kSignBit | 0xFFFFFFFFU)) != 0) return "bits beside a scale and bit 46 must be 0";
    if (!std::isfinite(scale_of(word))) return "the scale must be finite";
    return std::nullopt;
}

std::vector<std::uint8_t> quantise_sums(const std::vector<float>& sums, std::int64_t columns,
                                        const std::vector<std::uint64_t>& words, bool relu,
                                        DataType type) {
    const auto n = static_cast<std::size_t>(columns);
    if (words.size() != 1 && words.size() < n)
        throw std::invalid_argument("reference quantisation: one parameter or one for each column");
    for (std::size_t i = 0; i < std::min(words.size(), n); ++i) {
        if (const auto fault = unknown_parameter(words[i], type))
            throw std::invalid_argument("reference quantisation: " + *fault);
    }
    std::vector<std::uint8_t> out;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::uint64_t word = words[words.size() == 1 ? 0 : i % n];
        const float y = relu && sums[i] <= 0 ? 0.0F : sums[i] * scale_of(word);
        append_result(out, y, type);
    }
    return out;
}

} // namespace aicore::tb
