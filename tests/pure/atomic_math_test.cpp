// Arithmetic of atomic writes: the vendor's table of special values, rounding, integers.
#include "hw/mem/atomic_math.h"
#include "hw/numerics/element.h"
#include "hw/numerics/half.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace aicore {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMax = 65504;

std::uint16_t combined(AtomicOperation operation, bool saturate, std::uint16_t old,
                       std::uint16_t value) {
    std::array<std::uint8_t, 2> memory{}, data{};
    std::memcpy(memory.data(), &old, 2);
    std::memcpy(data.data(), &value, 2);
    combine({operation, AtomicElement::float16, saturate}, data.data(), 2, memory.data());
    std::memcpy(&old, memory.data(), 2);
    return old;
}

std::uint16_t half(double value) {
    return f32_to_f16(static_cast<float>(value), FloatOverflow::inf_nan);
}

/// Both orders of the operands give `expected`, saturating `saturated`.
void expect_half(AtomicOperation operation, double a, double b, double expected, double saturated) {
    for (const auto& [old, value] : {std::pair(a, b), std::pair(b, a)}) {
        EXPECT_EQ(combined(operation, false, half(old), half(value)), half(expected))
            << old << ' ' << value;
        EXPECT_EQ(combined(operation, true, half(old), half(value)), half(saturated))
            << old << ' ' << value;
    }
}

TEST(AtomicMath, SumsOfSpecialValues) {
    const auto add = AtomicOperation::add;
    expect_half(add, -kMax, -kMax, -kInf, -kMax);
    expect_half(add, -kMax, -kInf, -kInf, -kMax);
    expect_half(add, -kMax, kMax, 0, 0);
    expect_half(add, kMax, -0.0, kMax, kMax);
    expect_half(add, kMax, kMax, kInf, kMax);
    expect_half(add, kMax, kNan, kNan, 0);
    expect_half(add, 0.0, -0.0, 0.0, 0.0);
    expect_half(add, -0.0, -0.0, -0.0, -0.0);
    expect_half(add, kInf, -kInf, kNan, 0);
    expect_half(add, kInf, kInf, kInf, kMax);
}

TEST(AtomicMath, MaximaAndMinimaOfSpecialValues) {
    const auto max = AtomicOperation::max, min = AtomicOperation::min;
    expect_half(max, -kMax, -kInf, -kMax, -kMax);
    expect_half(max, 0.0, -0.0, 0.0, 0.0);
    expect_half(max, -0.0, -0.0, -0.0, -0.0);
    expect_half(max, kNan, -kInf, kNan, 0);
    expect_half(max, kInf, -kInf, kInf, kMax);
    expect_half(max, -kInf, -kInf, -kInf, -kMax);
    expect_half(min, kMax, kInf, kMax, kMax);
    expect_half(min, 0.0, -0.0, -0.0, -0.0);
    expect_half(min, 0.0, kNan, kNan, 0);
    expect_half(min, kInf, -kInf, -kInf, -kMax);
    expect_half(min, kInf, kInf, kInf, kMax);
}

/// Of random bits, against sums in double precision that are rounded once.
TEST(AtomicMath, SumsOf16BitFloatsAreRoundedOnce) {
    std::mt19937 random(1);
    for (const auto& [element, type] : {std::pair(AtomicElement::float16, DataType::float16),
                                        std::pair(AtomicElement::bfloat16, DataType::bfloat16)}) {
        for (int i = 0; i < 20000; ++i) {
            const std::array<std::uint16_t, 2> bits{static_cast<std::uint16_t>(random()),
                                                    static_cast<std::uint16_t>(random())};
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(bits.data());
            const double a = element_value(type, bytes, 0), b = element_value(type, bytes, 1);
            // Exact in double precision only while their exponents are close.
            if (!std::isfinite(a) || !std::isfinite(b)) continue;
            if (a != 0 && b != 0 && std::abs(std::ilogb(a) - std::ilogb(b)) > 40) continue;
            std::array<std::uint8_t, 2> memory{bytes[0], bytes[1]}, expected{};
            combine({AtomicOperation::add, element, false}, bytes + 2, 2, memory.data());
            store_element(type, a + b, expected.data(), 0);
            EXPECT_EQ(memory, expected) << a << " + " << b;
        }
    }
}

TEST(AtomicMath, SumsOfFloat32DependOnTheOrder) {
    const auto sum = [](std::vector<float> values) {
        std::array<std::uint8_t, 4> memory{};
        for (const float value : values) {
            std::array<std::uint8_t, 4> data{};
            std::memcpy(data.data(), &value, 4);
            combine({AtomicOperation::add, AtomicElement::float32, false}, data.data(), 4,
                    memory.data());
        }
        float result;
        std::memcpy(&result, memory.data(), 4);
        return result;
    };
    EXPECT_EQ(sum({1.0f, 0x1p-24f, 0x1p-24f}), 1.0f);
    EXPECT_EQ(sum({0x1p-24f, 0x1p-24f, 1.0f}), 1.0f + 0x1p-23f);
}

TEST(AtomicMath, IntegersWrapAndKeepTheirSign) {
    const auto with = [](AtomicOperation operation, std::int8_t old, std::int8_t value) {
        auto memory = static_cast<std::uint8_t>(old);
        const auto data = static_cast<std::uint8_t>(value);
        combine({operation, AtomicElement::int8, true}, &data, 1, &memory);
        return static_cast<std::int8_t>(memory);
    };
    EXPECT_EQ(with(AtomicOperation::add, 100, 100), -56);
    EXPECT_EQ(with(AtomicOperation::max, -5, 3), 3);
    EXPECT_EQ(with(AtomicOperation::min, -5, 3), -5);
    std::array<std::uint8_t, 4> memory{0xff, 0xff, 0xff, 0x7f};
    const std::array<std::uint8_t, 4> one{1, 0, 0, 0};
    combine({AtomicOperation::add, AtomicElement::int32, false}, one.data(), 4, memory.data());
    EXPECT_EQ(memory, (std::array<std::uint8_t, 4>{0, 0, 0, 0x80}));
    std::array<std::uint8_t, 4> pair{0xff, 0x00, 0xff, 0xff}; // 255, -1
    combine({AtomicOperation::max, AtomicElement::int16, false}, one.data(), 4, pair.data());
    EXPECT_EQ(pair, (std::array<std::uint8_t, 4>{0xff, 0x00, 0x00, 0x00}));
}

} // namespace
} // namespace aicore
