#include "hw/mem/l1_banks.h"

#include <algorithm>

namespace aicore {

L1Banks::L1Banks(const L1BankConfig& config, Bytes size)
    : groups_(config.bank_groups), row_bytes_(config.row_bytes.count()),
      bank_bytes_(static_cast<std::uint64_t>(size.count() / config.banks_per_group)),
      banks_(static_cast<std::size_t>(config.bank_groups * config.banks_per_group)),
      directions_(static_cast<std::size_t>(2 * config.bank_groups)), rows_(banks_.size()) {}

L1Banks::Slot L1Banks::reserve(Cycles now, std::uint64_t address, Bytes bytes, bool write, int owner) {
    std::fill(rows_.begin(), rows_.end(), 0);
    const auto row_bytes = static_cast<std::uint64_t>(row_bytes_);
    const std::uint64_t first_row = address / row_bytes;
    const std::uint64_t last_row = (address + static_cast<std::uint64_t>(bytes.count()) - 1) / row_bytes;
    for (std::uint64_t row = first_row; row <= last_row; ++row) {
        const auto group = row % static_cast<std::uint64_t>(groups_);
        const auto bank = row * row_bytes / bank_bytes_;
        ++rows_[bank * static_cast<std::uint64_t>(groups_) + group];
    }

    const auto groups = static_cast<std::size_t>(groups_);
    Cycles first = now;   // when every bank is free
    Cycles unaided = now; // the same, had only this owner used them
    int beats = 1;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i] == 0) continue;
        beats = std::max(beats, rows_[i]);
        for (const Busy& busy : {banks_[i], directions_[(write ? groups : 0) + i % groups]}) {
            first = std::max(first, busy.until);
            if (busy.owner == owner) unaided = std::max(unaided, busy.until);
        }
    }
    const Cycles until = first + Cycles(beats);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i] == 0) continue;
        banks_[i] = {until, owner};
        directions_[(write ? groups : 0) + i % groups] = {until, owner};
    }
    return {first, until, first - unaided};
}

void L1Banks::reset() {
    std::fill(banks_.begin(), banks_.end(), Busy{});
    std::fill(directions_.begin(), directions_.end(), Busy{});
}

} // namespace aicore
