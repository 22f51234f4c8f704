// Bank arbitration of UB, one cycle at a time: pure timing.
//
// Address = {bank:2, depth:7, group:4, byte:5} (vendor's page on UB bank conflicts). In a cycle a
// group of banks serves one read and one write, in different banks [inferred: the published
// conflict-free rate of a vector instruction needs 16 reads and 8 writes in 16 groups].
#pragma once

#include "hw/config/platform.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aicore {

class UbBanks {
public:
    UbBanks(const BankConfig& config, Bytes size);

    /// Takes the bank of row `row`, the one at address row * row_bytes(), for `owner` in cycle
    /// `now`. Nothing: it is taken; else the owner that is in the way. Cycles are asked in
    /// ascending order.
    std::optional<int> take(Cycles now, std::uint64_t row, bool write, int owner);
    std::int64_t row_bytes() const { return row_bytes_; }
    void reset();

private:
    /// The access of one direction that a group serves in the current cycle.
    struct Slot {
        Cycles at{-1};
        std::uint64_t bank = 0;
        int owner = 0;
    };

    std::uint64_t groups_;
    std::int64_t row_bytes_;
    std::uint64_t bank_rows_; ///< rows of one bank index, over all groups
    std::vector<Slot> reads_, writes_;
};

} // namespace aicore
