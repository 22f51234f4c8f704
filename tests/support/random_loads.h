// Random legal loads of every kind.
#pragma once

#include "hw/isa/legality.h"

#include <cstdint>
#include <random>

namespace aicore::test {

class RandomLoads {
public:
    RandomLoads(const IsaLimits& limits, std::uint32_t seed) : limits_(limits), random_(seed) {}

    /// A load of MTE1 or a copy to the Fixpipe buffer.
    Operation from_l1();
    /// A load or copy from GM, or a copy to it.
    Operation gm_move();

private:
    template <typename Make>
    Operation legal(Make make);
    std::int64_t pick(std::int64_t low, std::int64_t high);
    std::int32_t pick32(int low, int high) { return static_cast<std::int32_t>(pick(low, high)); }
    bool flip() { return pick(0, 1) == 1; }
    AddrMode addr_mode() { return pick(0, 3) == 0 ? AddrMode::dec : AddrMode::inc; }
    Buffer l0() { return flip() ? Buffer::L0A : Buffer::L0B; }
    int elem_bits() { return 4 << pick(0, 3); }
    std::uint32_t l1_addr();
    std::uint32_t l0_addr() { return static_cast<std::uint32_t>(pick(0, 100) * 512); }

    Load2d load2d();
    Load2d gm_load2d();
    Load2dV2 load2d_v2();
    LoadTranspose load_transpose();
    LoadSparse load_sparse();
    Load3d load3d();
    L1ToBt l1_to_bt();
    L1ToFb l1_to_fb();
    Nd2Nz nd2nz();
    DataCopy data_copy();

    IsaLimits limits_;
    std::mt19937 random_;
};

} // namespace aicore::test
