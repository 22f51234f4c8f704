// Single elements of any type as numbers: for initial data, references and reports, not for the
// inner loops of an engine.
#pragma once

#include "hw/numerics/data_type.h"

#include <cstdint>

namespace aicore {

/// The element at `index` of an array at `bytes`. Exact for every type but int64 beyond 2^53.
double element_value(DataType type, const std::uint8_t* bytes, std::int64_t index);

/// Stores `value` as element `index`: floating types round to nearest even (hifloat8: ties away)
/// and keep infinities and NaN; integer types take the nearest integer, saturated, NaN as 0.
void store_element(DataType type, double value, std::uint8_t* bytes, std::int64_t index);

/// Largest finite magnitude of a floating type, largest value of an integer type.
double largest_value(DataType type);
/// Least value: 0 for unsigned types.
double least_value(DataType type);

} // namespace aicore
