// Atomic writes: a target combines the data with what it holds, in one step.
#pragma once

#include <cstdint>

namespace aicore {

enum class AtomicOperation : std::uint8_t { none, add, max, min };

/// Elements that an atomic write consists of; little endian, integers signed.
enum class AtomicElement : std::uint8_t { int8, int16, int32, float16, bfloat16, float32 };

constexpr int bytes_of(AtomicElement element) {
    switch (element) {
    case AtomicElement::int8: return 1;
    case AtomicElement::int16:
    case AtomicElement::float16:
    case AtomicElement::bfloat16: return 2;
    case AtomicElement::int32:
    case AtomicElement::float32: return 4;
    }
    return 0;
}

/// What a write does to the bytes at its address; `none`: it replaces them.
struct AtomicAccess {
    AtomicOperation operation = AtomicOperation::none;
    AtomicElement element = AtomicElement::float32;
    /// 16-bit floats: infinities become the largest finite value, NaN becomes +0.
    bool saturate = false;

    bool is_none() const { return operation == AtomicOperation::none; }
};

} // namespace aicore
