#include "hw/mem/ub_banks.h"

#include <algorithm>

namespace aicore {

UbBanks::UbBanks(const BankConfig& config, Bytes size)
    : groups_(static_cast<std::uint64_t>(config.bank_groups)), row_bytes_(config.row_bytes.count()),
      bank_rows_(static_cast<std::uint64_t>(size.count() / config.banks_per_group / row_bytes_)),
      reads_(groups_), writes_(groups_) {}

std::optional<int> UbBanks::take(Cycles now, std::uint64_t row, bool write, int owner) {
    const std::uint64_t group = row % groups_;
    const std::uint64_t bank = row / bank_rows_;
    Slot& own = (write ? writes_ : reads_)[group];
    const Slot& other = (write ? reads_ : writes_)[group];
    if (own.at == now) return own.owner;
    if (other.at == now && other.bank == bank) return other.owner;
    own = {now, bank, owner};
    return std::nullopt;
}

void UbBanks::reset() {
    std::fill(reads_.begin(), reads_.end(), Slot{});
    std::fill(writes_.begin(), writes_.end(), Slot{});
}

} // namespace aicore
