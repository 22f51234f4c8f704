// Bank occupancy of L1: pure timing.
//
// Address = {bank:1, depth:10, group:3, byte:5} (vendor's page on the structure of L1). A bank does
// one access a cycle; the two banks of a group may serve one read and one write in the same cycle.
#pragma once

#include "hw/config/platform.h"

#include <cstdint>
#include <vector>

namespace aicore {

class L1Banks {
public:
    /// What a burst gets: it holds its banks during [first, until). `conflict` is the part of the
    /// wait before `first` that other owners caused.
    struct Slot {
        Cycles first;
        Cycles until;
        Cycles conflict;
    };

    L1Banks(const BankConfig& config, Bytes size);

    /// Occupies the banks of [address, address + bytes) as soon as all of them are free, at `now`
    /// or later. Rows of different groups move in the same cycle, rows of one group one by one.
    Slot reserve(Cycles now, std::uint64_t address, Bytes bytes, bool write, int owner);
    void reset();

private:
    struct Busy {
        Cycles until;
        int owner = -1;
    };

    std::uint64_t groups_;
    std::uint64_t row_bytes_;
    std::uint64_t bank_rows_;      ///< rows of one bank index, over all groups
    Cycles last_until_;            ///< no bank is busy from then on
    std::vector<Busy> banks_;      ///< [bank * groups + group]
    std::vector<Busy> directions_; ///< [write * groups + group]
};

} // namespace aicore
