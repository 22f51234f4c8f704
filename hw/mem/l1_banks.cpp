#include "hw/mem/l1_banks.h"

#include <algorithm>

namespace aicore {

L1Banks::L1Banks(const BankConfig& config, Bytes size)
    : groups_(static_cast<std::uint64_t>(config.bank_groups)),
      row_bytes_(static_cast<std::uint64_t>(config.row_bytes.count())),
      bank_rows_(static_cast<std::uint64_t>(size.count() / config.banks_per_group) / row_bytes_),
      banks_(static_cast<std::size_t>(config.bank_groups * config.banks_per_group)),
      directions_(static_cast<std::size_t>(2 * config.bank_groups)) {}

L1Banks::Slot L1Banks::reserve(Cycles now, std::uint64_t address, Bytes bytes, bool write,
                               int owner) {
    const std::uint64_t first_row = address / row_bytes_;
    const std::uint64_t last_row =
        (address + static_cast<std::uint64_t>(bytes.count()) - 1) / row_bytes_;
    const std::uint64_t rows = last_row - first_row + 1;
    const std::uint64_t first_bank = first_row / bank_rows_;
    const std::uint64_t last_bank = last_row / bank_rows_;
    const std::uint64_t touched = std::min(rows, groups_); // rows run through the groups in turn
    const std::uint64_t first_group = first_row % groups_;
    const auto beats = static_cast<std::int64_t>((rows + groups_ - 1) / groups_);

    const auto for_each_resource = [&](auto visit) {
        for (std::uint64_t i = 0, group = first_group; i < touched;
             ++i, group = group + 1 == groups_ ? 0 : group + 1) {
            visit(directions_[(write ? groups_ : 0) + group]);
            // A burst over the border of two banks holds both for all of its time.
            for (std::uint64_t bank = first_bank; bank <= last_bank; ++bank)
                visit(banks_[bank * groups_ + group]);
        }
    };
    Cycles first = now;   // when every bank is free
    Cycles unaided = now; // the same, had only this owner used them
    if (last_until_ > now) {
        for_each_resource([&](const Busy& busy) {
            first = std::max(first, busy.until);
            if (busy.owner == owner) unaided = std::max(unaided, busy.until);
        });
    }
    const Cycles until = first + Cycles(beats);
    last_until_ = std::max(last_until_, until);
    for_each_resource([&](Busy& busy) { busy = {until, owner}; });
    return {first, until, first - unaided};
}

void L1Banks::reset() {
    last_until_ = Cycles(0);
    std::fill(banks_.begin(), banks_.end(), Busy{});
    std::fill(directions_.begin(), directions_.end(), Busy{});
}

} // namespace aicore
