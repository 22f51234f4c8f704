// The CTRL register of a core: modes that programs set once and that hold for what follows.
//
// The scalar unit keeps it and stamps it onto each instruction that depends on it when it
// dispatches the instruction, so that a change never reaches one that waits in a queue.
#pragma once

#include "hw/numerics/cast.h"
#include "hw/numerics/fp8.h"
#include "hw/numerics/half.h"

#include <cstdint>
#include <optional>

namespace aicore {

/// Order in which L0C fractals are visited. SetMMRowMajor: N first; SetMMColumnMajor: M first.
enum class Traversal : std::uint8_t { column_major, row_major };

/// The bits of CTRL that the model knows, by their numbers in the vendor's description of it.
struct CtrlState {
    bool hifloat8 = false;   ///< [45] arch 3510: the cube reads 8-bit floats as hifloat8
    bool hf32 = false;       ///< [46] the cube rounds float32 operands to HF32
    bool hf32_trans = false; ///< [47] HF32: false to nearest even; true: see NumericsConfig
    FloatOverflow float_overflow = FloatOverflow::inf_nan;    ///< [48]
    SaturatedNan fp8_nan = SaturatedNan::zero;                ///< [50] arch 3510
    Traversal mm_direction = Traversal::column_major;         ///< [51] order of an Mmad's fractals
    IntegerOverflow integer_overflow = IntegerOverflow::wrap; ///< [53]
};

/// Writes bits of CTRL (scalar): those that have a value, the others stay.
struct SetCtrl {
    std::optional<bool> hifloat8;
    std::optional<bool> hf32;
    std::optional<bool> hf32_trans;
    std::optional<FloatOverflow> float_overflow;
    std::optional<SaturatedNan> fp8_nan;
    std::optional<Traversal> mm_direction;
    std::optional<IntegerOverflow> integer_overflow;
};

/// `state` after the write.
constexpr CtrlState apply(const SetCtrl& write, CtrlState state) {
    state.hifloat8 = write.hifloat8.value_or(state.hifloat8);
    state.hf32 = write.hf32.value_or(state.hf32);
    state.hf32_trans = write.hf32_trans.value_or(state.hf32_trans);
    state.float_overflow = write.float_overflow.value_or(state.float_overflow);
    state.fp8_nan = write.fp8_nan.value_or(state.fp8_nan);
    state.mm_direction = write.mm_direction.value_or(state.mm_direction);
    state.integer_overflow = write.integer_overflow.value_or(state.integer_overflow);
    return state;
}

} // namespace aicore
