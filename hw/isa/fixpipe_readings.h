// What the public texts leave open, or tell differently for the two architectures, about FixPipe's
// layouts. The platform chooses.
#pragma once

#include <cstdint>

namespace aicore {

/// Unit of the distance between the panels of an NZ output.
enum class PanelStrideUnit : std::uint8_t { blocks, elements };

/// Unit of the distance between the source matrices of NZ2ND and NZ2DN.
enum class NdStrideUnit : std::uint8_t { fractals, rows };

/// What C0_pad_en puts into the columns past n_size of the last panel of an NZ output.
enum class C0Pad : std::uint8_t {
    zeros,
    results, ///< what the columns of L0C give; zeros where no column of L0C stands for them
};

/// How often broadcast_en writes the first row.
enum class BroadcastRows : std::uint8_t {
    m_size,
    fractals, ///< m_size rounded up to 16
};

struct FixpipeReadings {
    PanelStrideUnit nz_dst_stride = PanelStrideUnit::blocks;
    NdStrideUnit src_nd_stride = NdStrideUnit::fractals;
    C0Pad c0_pad = C0Pad::zeros;
    BroadcastRows broadcast = BroadcastRows::m_size;
};

} // namespace aicore
