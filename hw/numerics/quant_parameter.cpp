#include "hw/numerics/quant_parameter.h"

#include "hw/numerics/half.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace aicore {
namespace {

std::uint32_t field(std::uint64_t word, int low, int bits) {
    return static_cast<std::uint32_t>((word >> low) & ((std::uint64_t{1} << bits) - 1));
}

int twos_complement(std::uint32_t value, int bits) {
    const int sign = 1 << (bits - 1);
    return (static_cast<int>(value) ^ sign) - sign;
}

} // namespace

QuantParameter decode_quant_parameter(std::uint64_t word, int arch, const QuantSwitches& switches) {
    if (arch != 2201 && arch != 3510) {
        throw std::invalid_argument("quantisation parameters of architecture " +
                                    std::to_string(arch) + " are not known");
    }
    QuantParameter parameter;
    parameter.scale = decode_multiplier(static_cast<std::uint32_t>(word));
    if (arch == 2201) {
        parameter.shift = static_cast<int>(field(word, 32, 4));
        if (switches.shift_code == ShiftCode::plus_one) ++parameter.shift;
        parameter.narrow = field(word, 36, 1) != 0;
    }
    const std::uint32_t offset = field(word, 37, 9);
    parameter.offset = switches.offset_code == OffsetCode::twos_complement
                           ? twos_complement(offset, 9)
                           : static_cast<int>(offset);
    parameter.is_signed = field(word, kPreSignBit, 1) != 0;
    return parameter;
}

PostParameter decode_post_parameter(std::uint64_t word, QuantType result) {
    PostParameter parameter;
    parameter.scale = decode_multiplier(static_cast<std::uint32_t>(word));
    switch (result) {
    case QuantType::b8:
        parameter.offset = twos_complement(field(word, 0, 9), 9);
        parameter.is_signed = field(word, kPostSignBit, 1) != 0;
        break;
    case QuantType::int4: parameter.offset = twos_complement(field(word, 0, 5), 5); break;
    case QuantType::int16:
        parameter.offset = twos_complement(field(word, 32, 8) << 9 | field(word, 0, 9), 17);
        break;
    default: throw std::invalid_argument("the post stage gives 4, 8 or 16-bit integers");
    }
    return parameter;
}

float decode_multiplier(std::uint32_t word) { return f32_from_bits(word & 0xFFFFE000u); }

bool is_legal_multiplier(float multiplier) {
    return multiplier == 0.0f || std::isnormal(multiplier);
}

std::optional<std::string> wrong_parameter(const QuantModeInfo& mode, std::uint64_t word,
                                           int sign_bit, DataType result) {
    if (!is_legal_multiplier(decode_multiplier(static_cast<std::uint32_t>(word)))) {
        return "the scale must be zero or a normal float32";
    }
    const bool is_signed = field(word, sign_bit, 1) != 0;
    if (mode.result != QuantType::b8 || is_signed == (result == DataType::int8)) {
        return std::nullopt;
    }
    return "bit " + std::to_string(sign_bit) +
           (is_signed ? " must be clear for a uint8 result" : " must be set for an int8 result");
}

std::optional<std::string> wrong_slope(std::uint32_t word) {
    if (is_legal_multiplier(decode_multiplier(word))) return std::nullopt;
    return "the slope must be zero or a normal float32";
}

bool is_legal_clip(std::uint16_t limit) { return limit > 0 && limit < 0x7C00; }

} // namespace aicore
