#include "hw/isa/mmad_types.h"

#include <array>
#include <vector>

namespace aicore {
namespace {

constexpr int kAnyArch = 0;

/// Vendor's type table of Mmad. hifloat8 has no type of its own in registers: bit 45 of CTRL makes
/// it of the 8-bit floats.
struct Pair {
    int arch;
    DataType a, b;
};
constexpr std::array<Pair, 10> kPairs{{
    {kAnyArch, DataType::float16, DataType::float16},
    {kAnyArch, DataType::bfloat16, DataType::bfloat16},
    {kAnyArch, DataType::float32, DataType::float32},
    {kAnyArch, DataType::int8, DataType::int8},
    {2201, DataType::int4, DataType::int4},
    {3510, DataType::fp8_e4m3, DataType::fp8_e4m3},
    {3510, DataType::fp8_e5m2, DataType::fp8_e5m2},
    {3510, DataType::fp8_e4m3, DataType::fp8_e5m2},
    {3510, DataType::fp8_e5m2, DataType::fp8_e4m3},
    {3510, DataType::hifloat8, DataType::hifloat8},
}};

bool has(const Pair& pair, int arch) { return pair.arch == kAnyArch || pair.arch == arch; }

} // namespace

bool is_mmad_pair(int arch, DataType a, DataType b) {
    for (const Pair& pair : kPairs) {
        if (has(pair, arch) && pair.a == a && pair.b == b) return true;
    }
    return false;
}

std::string mmad_types_text(int arch) {
    std::vector<std::string> names;
    for (const Pair& pair : kPairs) {
        if (has(pair, arch) && pair.a == pair.b) names.emplace_back(to_string(pair.a));
    }
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) {
        text += (i + 1 == names.size() ? " or " : ", ") + names[i];
    }
    return text;
}

} // namespace aicore
