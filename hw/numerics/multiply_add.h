// Rounding of the vector instructions that multiply and add.
#pragma once

#include <cstdint>

namespace aicore {

/// Rounding of vmla, vmadd, vmaddrelu and vaxpy; the public texts are silent. Default: fused, as
/// the vendor names one of them FusedMulAdd [inferred].
enum class MultiplyAdd : std::uint8_t {
    fused,    ///< the sum of the exact product is rounded once
    separate, ///< the product is rounded to the type of the destination first
};

} // namespace aicore
