#include "hw/mem/atomic_math.h"

#include "hw/numerics/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace aicore {
namespace {

template <typename Integer>
Integer combine_integers(AtomicOperation operation, Integer old, Integer value) {
    using Unsigned = std::make_unsigned_t<Integer>;
    switch (operation) {
    case AtomicOperation::none: return value;
    case AtomicOperation::add:
        return static_cast<Integer>(
            static_cast<Unsigned>(static_cast<Unsigned>(old) + static_cast<Unsigned>(value)));
    case AtomicOperation::max: return std::max(old, value);
    case AtomicOperation::min: return std::min(old, value);
    }
    return value;
}

/// -0 lies below +0.
bool is_below(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

/// The sum of two 16-bit floats, which may round here and again when it is stored, is the exact sum
/// rounded once: float32 has more than twice their fraction bits, and two.
float combine_floats(AtomicOperation operation, float old, float value) {
    if (operation == AtomicOperation::none) return value;
    if (operation == AtomicOperation::add) return old + value;
    if (std::isnan(old)) return old;
    if (std::isnan(value)) return value;
    const bool takes_value =
        operation == AtomicOperation::max ? is_below(old, value) : is_below(value, old);
    return takes_value ? value : old;
}

template <typename Element, typename Combine>
void for_each(const std::uint8_t* data, std::size_t bytes, std::uint8_t* memory, Combine combined) {
    for (std::size_t at = 0; at < bytes; at += sizeof(Element)) {
        Element old, value;
        std::memcpy(&old, memory + at, sizeof old);
        std::memcpy(&value, data + at, sizeof value);
        const Element result = combined(old, value);
        std::memcpy(memory + at, &result, sizeof result);
    }
}

template <typename Integer>
void combine_all_integers(AtomicOperation operation, const std::uint8_t* data, std::size_t bytes,
                          std::uint8_t* memory) {
    for_each<Integer>(data, bytes, memory, [operation](Integer old, Integer value) {
        return combine_integers(operation, old, value);
    });
}

} // namespace

void combine(const AtomicAccess& access, const std::uint8_t* data, std::size_t bytes,
             std::uint8_t* memory) {
    const AtomicOperation operation = access.operation;
    const FloatOverflow overflow =
        access.saturate ? FloatOverflow::saturate : FloatOverflow::inf_nan;
    switch (access.element) {
    case AtomicElement::int8:
        return combine_all_integers<std::int8_t>(operation, data, bytes, memory);
    case AtomicElement::int16:
        return combine_all_integers<std::int16_t>(operation, data, bytes, memory);
    case AtomicElement::int32:
        return combine_all_integers<std::int32_t>(operation, data, bytes, memory);
    case AtomicElement::float16:
        return for_each<std::uint16_t>(
            data, bytes, memory, [=](std::uint16_t old, std::uint16_t value) {
                return f32_to_f16(combine_floats(operation, f16_to_f32(old), f16_to_f32(value)),
                                  overflow);
            });
    case AtomicElement::bfloat16:
        return for_each<std::uint16_t>(
            data, bytes, memory, [=](std::uint16_t old, std::uint16_t value) {
                return f32_to_bf16(combine_floats(operation, bf16_to_f32(old), bf16_to_f32(value)),
                                   overflow);
            });
    case AtomicElement::float32:
        return for_each<float>(data, bytes, memory, [=](float old, float value) {
            return finish_f32(combine_floats(operation, old, value), FloatOverflow::inf_nan);
        });
    }
}

} // namespace aicore
