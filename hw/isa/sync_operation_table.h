// What cores do together, SyncAll and atomic writes, as programs spell it; part of
// operation_table.h, which says what a visitor is.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/operation_fields.h"

#include <array>

namespace aicore {

inline constexpr std::array<Choice<AtomicOperation>, 4> kAtomicOperations{
    {{"none", AtomicOperation::none},
     {"add", AtomicOperation::add},
     {"max", AtomicOperation::max},
     {"min", AtomicOperation::min}}};
inline constexpr std::array<Choice<AtomicElement>, 6> kAtomicElements{
    {{"float16", AtomicElement::float16},
     {"bfloat16", AtomicElement::bfloat16},
     {"float32", AtomicElement::float32},
     {"int8", AtomicElement::int8},
     {"int16", AtomicElement::int16},
     {"int32", AtomicElement::int32}}};

template <typename Visitor>
void describe(Visitor& v, SetAtomic& op) {
    v.choice("operation", op.operation, kAtomicOperations, Need::required);
    v.choice("dtype", op.element, kAtomicElements, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, SyncAll& op) {
    v.boolean("aiv_only", op.aiv_only, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, SoftSyncAll& op) {
    Buffer gm = Buffer::GM, ub = Buffer::UB;
    v.location("gm", "gm_addr", gm, op.gm_addr, {Buffer::GM});
    v.location("ub", "ub_addr", ub, op.ub_addr, {Buffer::UB});
    v.integer("used_cores", op.used_cores, Need::required);
    v.integer("block_idx", op.block_idx, Need::required);
}

} // namespace aicore
