// Quantities as types: cycles, bytes and bytes per cycle never mix by accident.
//
// Pure C++, so that timing formulas can be tested without a simulation kernel.
#pragma once

#include <cstdint>
#include <ostream>

namespace aicore {

/// An integer amount of one unit. `Tag` makes each unit a type of its own.
template <typename Tag>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(std::int64_t count) : count_(count) {}

    constexpr std::int64_t count() const { return count_; }

    constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        count_ -= other.count_;
        return *this;
    }

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Quantity a, std::int64_t n) {
        return Quantity(a.count_ * n);
    }
    friend constexpr bool operator==(Quantity a, Quantity b) { return a.count_ == b.count_; }
    friend constexpr bool operator!=(Quantity a, Quantity b) { return a.count_ != b.count_; }
    friend constexpr bool operator<(Quantity a, Quantity b) { return a.count_ < b.count_; }
    friend constexpr bool operator>(Quantity a, Quantity b) { return a.count_ > b.count_; }
    friend constexpr bool operator<=(Quantity a, Quantity b) { return a.count_ <= b.count_; }
    friend constexpr bool operator>=(Quantity a, Quantity b) { return a.count_ >= b.count_; }
    friend std::ostream& operator<<(std::ostream& out, Quantity q) { return out << q.count_; }

private:
    std::int64_t count_ = 0;
};

/// The number, for code that takes quantities and plain integers alike.
constexpr std::int64_t count_of(std::int64_t value) { return value; }
template <typename Tag>
constexpr std::int64_t count_of(Quantity<Tag> value) {
    return value.count();
}

/// Clock cycles of the AI Core: an instant (cycle number since reset) or a duration.
using Cycles = Quantity<struct CyclesTag>;
/// Hundredths of a clock cycle: exact paces that are no whole cycles.
using CycleHundredths = Quantity<struct CycleHundredthsTag>;
using Bytes = Quantity<struct BytesTag>;
/// Rate of a link: bytes that pass in one clock cycle.
using BytesPerCycle = Quantity<struct BytesPerCycleTag>;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t round_up(std::int64_t a, std::int64_t multiple) {
    return ceil_div(a, multiple) * multiple;
}

/// Whole cycles that `bytes` need at `rate`.
constexpr Cycles cycles_for(Bytes bytes, BytesPerCycle rate) {
    return Cycles(ceil_div(bytes.count(), rate.count()));
}

} // namespace aicore
