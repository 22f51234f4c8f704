// What global memory had to do in a run.
#pragma once

#include "tlm/units.h"

#include <cstdint>

namespace aicore {

/// Since the last reset; L2 and HBM are those of the own chip.
struct MemoryTraffic {
    std::int64_t l2_read_hits = 0; ///< pieces of lines that were read and held by L2
    std::int64_t l2_read_misses = 0;
    Bytes hbm_read; ///< what the channels of HBM were busy with
    Bytes hbm_written;
    Bytes hccs_read; ///< data that came from the peer's GM
    Bytes hccs_written;
};

} // namespace aicore
