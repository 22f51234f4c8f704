#include "hw/vector/reduce_math.h"

#include "hw/vector/element_math.h"

#include <array>

namespace aicore {
namespace {

bool is_sum(VectorOpcode opcode) {
    return opcode == VectorOpcode::vcadd || opcode == VectorOpcode::vcgadd ||
           opcode == VectorOpcode::vcpadd;
}
bool is_max(VectorOpcode opcode) {
    return opcode == VectorOpcode::vcmax || opcode == VectorOpcode::vcgmax;
}

constexpr int kMaxLanes = 128;

template <typename E>
float sum(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int first, int count) {
    std::array<float, kMaxLanes> values;
    for (int i = 0; i < count; ++i) {
        const int lane = first + i;
        values[static_cast<std::size_t>(i)] = lane_enabled(lanes, lane) ? E::load(in, lane) : 0.0f;
    }
    for (int left = count; left > 1; left /= 2) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(left) / 2; ++i) {
            values[i] = E::round(values[2 * i] + values[2 * i + 1], op.ctrl.float_overflow);
        }
    }
    return values[0];
}

struct Extreme {
    float value;
    int index;
};

template <typename E>
Extreme extreme(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int first,
                int count) {
    const bool wants_max = is_max(op.opcode);
    Extreme best{0.0f, -1};
    for (int i = 0; i < count; ++i) {
        if (!lane_enabled(lanes, first + i)) continue;
        const float value = E::load(in, first + i);
        const bool is_better = best.index < 0 || (std::isnan(value) && !std::isnan(best.value)) ||
                               (wants_max ? value > best.value : value < best.value);
        if (is_better) best = {value, i};
    }
    return best;
}

template <typename E>
LaneMask groups_of(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                   int group, std::uint8_t* out) {
    LaneMask results{};
    for (int g = 0; g < count / group; ++g) {
        if (!any_lane(lanes, g * group, group)) continue;
        const float value = is_sum(op.opcode) ? sum<E>(op, lanes, in, g * group, group)
                                              : extreme<E>(op, lanes, in, g * group, group).value;
        store_raw(out, g, E::encode(value, op.ctrl.float_overflow));
        results[static_cast<std::size_t>(g) / 64] |= std::uint64_t{1} << (g % 64);
    }
    return results;
}

template <typename E>
void store_extreme(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                   std::uint8_t* out) {
    using Raw = typename E::Raw;
    const Extreme best = extreme<E>(op, lanes, in, 0, count);
    const Raw value = E::encode(best.value, op.ctrl.float_overflow);
    const auto index = static_cast<Raw>(best.index);
    switch (op.order) {
    case ReduceOrder::value_index:
        store_raw(out, 0, value);
        store_raw(out, 1, index);
        return;
    case ReduceOrder::index_value:
        store_raw(out, 0, index);
        store_raw(out, 1, value);
        return;
    case ReduceOrder::only_value: store_raw(out, 0, value); return;
    case ReduceOrder::only_index: store_raw(out, 0, static_cast<std::uint32_t>(best.index));
    }
}

} // namespace

LaneMask reduce_groups(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                       int group, std::uint8_t* out) {
    return op.type == DataType::float16
               ? groups_of<HalfElement>(op, lanes, in, count, group, out)
               : groups_of<SingleElement>(op, lanes, in, count, group, out);
}

void reduce_extreme(const VectorOp& op, const LaneMask& lanes, const std::uint8_t* in, int count,
                    std::uint8_t* out) {
    if (op.type == DataType::float16) {
        store_extreme<HalfElement>(op, lanes, in, count, out);
    } else {
        store_extreme<SingleElement>(op, lanes, in, count, out);
    }
}

} // namespace aicore
