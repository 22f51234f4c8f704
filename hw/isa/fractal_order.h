// Order in which an Mmad or a Fixpipe visits the 16 x 16 fractals of an L0C tile.
#pragma once

#include "hw/isa/instruction.h"
#include "tlm/units.h"

#include <cstdint>

namespace aicore {

/// Position of a fractal in a tile: row of fractals `mi`, column panel `ni`.
struct FractalIndex {
    int mi = 0;
    int ni = 0;
};

/// Fractal visited at `step` (0 .. m1*n1-1) of a tile of m1 rows by n1 columns of fractals.
/// column_major runs down a panel first, row_major along a row first.
constexpr FractalIndex fractal_at(Traversal traversal, int m1, int n1, int step) {
    return traversal == Traversal::column_major ? FractalIndex{step % m1, step / m1}
                                                : FractalIndex{step / n1, step % n1};
}

} // namespace aicore
