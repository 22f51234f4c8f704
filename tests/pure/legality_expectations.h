// What the legality tests share: a platform and how to expect a verdict.
#pragma once

#include "hw/isa/legality.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace aicore {

/// The architecture 2201 with a small global memory.
inline constexpr IsaLimits kLimits{1 << 30, 512 * 1024, 65536, 65536, 131072, 1024,
                                   2048,    8,          1024,  2048,  2048,   2201};

inline void expect_legal(const Operation& operation) {
    const auto violation = find_violation(operation, kLimits);
    EXPECT_FALSE(violation) << violation->field << " = " << violation->value << ": "
                            << violation->rule;
}

inline void expect_broken(const Operation& operation, const std::string& field,
                          const std::string& value, const std::string& rule,
                          const IsaLimits& limits = kLimits) {
    const auto violation = find_violation(operation, limits);
    ASSERT_TRUE(violation) << "accepted, but expected: " << field << ' ' << rule;
    EXPECT_EQ(violation->field, field);
    EXPECT_EQ(violation->value, value);
    EXPECT_EQ(violation->rule, rule);
}

/// Tries low, high (legal) and their outer neighbours (illegal) in one field of a legal record.
template <typename Op>
inline void expect_range(const Op& legal, std::int64_t Op::*field, const std::string& name,
                         std::int64_t low, std::int64_t high) {
    const std::string rule = "must be " + std::to_string(low) + " .. " + std::to_string(high);
    for (const std::int64_t value : {low, high}) {
        Op op = legal;
        op.*field = value;
        const auto violation = find_violation(op, kLimits);
        EXPECT_FALSE(violation && violation->rule == rule) << name << ' ' << value;
    }
    for (const std::int64_t value : {low - 1, high + 1, INT64_MIN, INT64_MAX}) {
        Op op = legal;
        op.*field = value;
        expect_broken(op, name, std::to_string(value), rule);
    }
}

inline const std::string kInL1 = "must lie inside L1 (524288 bytes)";
inline const std::string kInL0a = "must lie inside L0A (65536 bytes)";
inline const std::string kInL0b = "must lie inside L0B (65536 bytes)";

inline IsaLimits limits_3510() {
    IsaLimits limits = kLimits;
    limits.arch = 3510;
    return limits;
}

/// expect_range for the 32-bit fields of the newer records.
template <typename Op>
void expect_range_32(const Op& legal, std::int32_t Op::*field, const std::string& name, int low,
                     int high, const IsaLimits& limits = kLimits) {
    const std::string rule = "must be " + std::to_string(low) + " .. " + std::to_string(high);
    for (const int value : {low, high}) {
        Op op = legal;
        op.*field = value;
        const auto violation = find_violation(op, limits);
        EXPECT_FALSE(violation && violation->rule == rule) << name << ' ' << value;
    }
    for (const int value : {low - 1, high + 1, INT32_MIN, INT32_MAX}) {
        Op op = legal;
        op.*field = value;
        expect_broken(op, name, std::to_string(value), rule, limits);
    }
}

} // namespace aicore
