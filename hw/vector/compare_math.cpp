#include "hw/vector/compare_math.h"

#include "hw/vector/element_math.h"

#include <stdexcept>

namespace aicore {
namespace {

template <typename T>
bool holds(Relation relation, T a, T b) {
    switch (relation) {
    case Relation::lt: return a < b;
    case Relation::gt: return a > b;
    case Relation::ge: return a >= b;
    case Relation::eq: return a == b;
    case Relation::ne: return a != b;
    case Relation::le: return a <= b;
    }
    return false;
}

template <typename Left, typename Right>
LaneMask compare(Relation relation, int count, Left left, Right right) {
    LaneMask bits{};
    for (int i = 0; i < count; ++i) {
        if (holds(relation, left(i), right(i))) {
            bits[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << (i % 64);
        }
    }
    return bits;
}

template <typename E>
LaneMask compare_floats(const VectorOp& op, const std::uint8_t* src0, const std::uint8_t* src1,
                        int count) {
    const auto left = [src0](int i) { return E::load(src0, i); };
    if (src1 == nullptr) {
        const float scalar = E::decode(op.scalar);
        return compare(op.relation, count, left, [scalar](int) { return scalar; });
    }
    return compare(op.relation, count, left, [src1](int i) { return E::load(src1, i); });
}

LaneMask compare_words(const VectorOp& op, const std::uint8_t* src0, const std::uint8_t* src1,
                       int count) {
    const auto scalar = static_cast<std::int32_t>(op.scalar);
    return compare(
        op.relation, count, [src0](int i) { return load_raw<std::int32_t>(src0, i); },
        [src1, scalar](int i) {
            return src1 == nullptr ? scalar : load_raw<std::int32_t>(src1, i);
        });
}

template <typename T>
void select(const LaneMask& bits, const std::uint8_t* src0, const std::uint8_t* src1, T scalar,
            int count, std::uint8_t* out) {
    for (int i = 0; i < count; ++i) {
        const T other = src1 == nullptr ? scalar : load_raw<T>(src1, i);
        store_raw(out, i, lane_enabled(bits, i) ? load_raw<T>(src0, i) : other);
    }
}

} // namespace

LaneMask compare_lanes(const VectorOp& op, const std::uint8_t* src0, const std::uint8_t* src1,
                       int count) {
    switch (op.type) {
    case DataType::float16: return compare_floats<HalfElement>(op, src0, src1, count);
    case DataType::float32: return compare_floats<SingleElement>(op, src0, src1, count);
    case DataType::int32: return compare_words(op, src0, src1, count);
    default: throw std::invalid_argument("no comparison of this type");
    }
}

void select_lanes(const VectorOp& op, const LaneMask& bits, const std::uint8_t* src0,
                  const std::uint8_t* src1, int count, std::uint8_t* out) {
    if (size_of(op.type) == 2) {
        select(bits, src0, src1, static_cast<std::uint16_t>(op.scalar), count, out);
    } else {
        select(bits, src0, src1, op.scalar, count, out);
    }
}

} // namespace aicore
