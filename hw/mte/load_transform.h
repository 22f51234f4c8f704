// What a load does to the elements it has gathered, before they are written.
#pragma once

#include "hw/isa/load_step.h"

#include <cstdint>

namespace aicore {

/// Applies `transform` to the `raw_bytes` bytes of `raw` and returns the result: `raw` itself when
/// nothing changes, else `out`, which has room for LoadStep::kRawBytes. Both are 4-byte aligned.
///
/// Squares are those of hw/numerics/fractal.h and fractal_squares.h. Conversions are exact; a NaN
/// keeps its sign and payload.
const std::uint8_t* apply_load_transform(LoadTransform transform, const std::uint8_t* raw,
                                         int raw_bytes, std::uint8_t* out);

} // namespace aicore
