// Random programs whose flags are proved right: every wait has its set, no flag is set twice, no
// two accesses race, and unit flags are handed over block by block.
//
// Instructions are drawn at random and kept when the race checker still proves the program. Such a
// program completes for every timing of the pipes and every depth of the queues, and what it
// computes is what its instructions compute one after another.
#pragma once

#include "tests/support/race_checker.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace aicore::test {

class RandomProgram {
public:
    static constexpr std::int64_t kSourceBytes = 64 * 1024;  ///< GM from 0: float16 input
    static constexpr std::int64_t kOutputBytes = 256 * 1024; ///< GM behind the input: results

    /// Draws `attempts` instructions; more of them make a longer program.
    RandomProgram(std::uint64_t seed, int attempts) : random_(seed) {
        for (int i = 0; i < attempts; ++i) offer(draw());
        drain();
        checker_.finish();
    }

    const std::vector<Operation>& operations() const { return operations_; }
    /// Empty: the program is proved.
    const std::vector<std::string>& errors() const { return checker_.errors(); }

private:
    static constexpr std::size_t kL1Slots = 3, kL0Slots = 2, kTiles = 3;
    static constexpr std::int64_t kPanels = 3; ///< column panels of a tile
    static constexpr std::int64_t kMaxKFractals = 2;
    static constexpr std::int64_t kL1SlotBytes = 16 * 1024, kL0SlotBytes = 8 * 1024,
                                  kTileBytes = 32 * 1024;

    /// Rows of a tile stay the same, so that every Mmad and Fixpipe agrees on where its panels are.
    static constexpr std::array<std::int64_t, kTiles> kTileRows{16, 32, 7};

    std::int64_t pick(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
    }

    std::optional<Operation> draw() {
        constexpr std::array<Pipe, 5> kUsed{Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::FIX};
        const Pipe a = kUsed[static_cast<std::size_t>(pick(0, 4))];
        const Pipe b = kUsed[static_cast<std::size_t>(pick(0, 4))];
        const int id = static_cast<int>(pick(0, 1));
        switch (pick(0, 9)) {
        case 0:
        case 1:
            if (a == b) return std::nullopt;
            return SetFlag{a, b, id};
        case 2:
        case 3:
        case 4:
            if (a == b) return std::nullopt;
            return WaitFlag{a, b, id};
        case 5: return PipeBarrier{a};
        case 6: return copy();
        case 7: return load();
        case 8: return multiply();
        default: return store();
        }
    }

    Operation copy() {
        Nd2Nz copy;
        copy.src_addr = static_cast<std::uint64_t>(pick(0, 1000) * 2);
        copy.dst_addr = static_cast<std::uint32_t>(pick(0, kL1Slots - 1) * kL1SlotBytes);
        copy.n_value = 16;
        copy.d_value = 16 * 16; // 16 fractals, enough for any load
        copy.src_d_value = pick(copy.d_value, copy.d_value + 16);
        copy.dst_nz_c0_stride = 16;
        return copy;
    }

    std::optional<Operation> load() {
        const auto slot = static_cast<std::size_t>(pick(0, kL1Slots - 1));
        if (!l1_filled_[slot]) return std::nullopt;
        Load2d load;
        load.dst = pick(0, 1) == 0 ? Buffer::L0A : Buffer::L0B;
        load.src_addr = static_cast<std::uint32_t>(static_cast<std::int64_t>(slot) * kL1SlotBytes);
        load.dst_addr = static_cast<std::uint32_t>(pick(0, kL0Slots - 1) * kL0SlotBytes);
        load.repeat = kMaxKFractals * kPanels; // rows of A: at most 2 fractals, columns of B: 3
        load.start_index = pick(0, 16 - load.repeat);
        load.transpose = pick(0, 1) == 0;
        return load;
    }

    std::optional<Operation> multiply() {
        const auto a = static_cast<std::size_t>(pick(0, kL0Slots - 1));
        const auto b = static_cast<std::size_t>(pick(0, kL0Slots - 1));
        if (!l0a_filled_[a] || !l0b_filled_[b]) return std::nullopt;
        const auto tile = static_cast<std::size_t>(pick(0, kTiles - 1));
        const std::int64_t first = pick(0, kPanels - 1);
        const std::int64_t last = pick(first, kPanels - 1);
        Mmad mmad;
        mmad.a_addr = static_cast<std::uint32_t>(static_cast<std::int64_t>(a) * kL0SlotBytes);
        mmad.b_addr = static_cast<std::uint32_t>(static_cast<std::int64_t>(b) * kL0SlotBytes);
        mmad.c_addr = panel_address(tile, first);
        mmad.m = kTileRows[tile];
        mmad.n = (last - first + 1) * 16;
        mmad.k = pick(1, kMaxKFractals * 16);
        bool accumulate = true;
        for (std::int64_t p = first; p <= last; ++p) accumulate = accumulate && computed(tile, p);
        mmad.init = accumulate && pick(0, 1) == 0 ? MmadInit::l0c : MmadInit::zero;
        mmad.unit_flag = unit_flag();
        return mmad;
    }

    std::optional<Operation> store() {
        const auto tile = static_cast<std::size_t>(pick(0, kTiles - 1));
        const std::int64_t first = pick(0, kPanels - 1);
        const std::int64_t last = pick(first, kPanels - 1);
        return store(tile, first, last, unit_flag());
    }

    std::optional<Operation> store(std::size_t tile, std::int64_t first, std::int64_t last,
                                   UnitFlagMode mode) {
        for (std::int64_t p = first; p <= last; ++p) {
            if (!computed(tile, p)) return std::nullopt;
        }
        Fixpipe fixpipe;
        fixpipe.src_addr = panel_address(tile, first);
        fixpipe.layout = FixpipeLayout::NZ2ND;
        fixpipe.m_size = kTileRows[tile];
        fixpipe.n_size = (last - first + 1) * 16;
        fixpipe.src_stride = ceil_div(fixpipe.m_size, 16) * 16;
        fixpipe.dst_stride = fixpipe.n_size;
        fixpipe.dst_addr = static_cast<std::uint64_t>(kSourceBytes + output_);
        fixpipe.unit_flag = mode;
        if (output_ + fixpipe.m_size * fixpipe.n_size * 4 > kOutputBytes) return std::nullopt;
        return fixpipe;
    }

    UnitFlagMode unit_flag() {
        constexpr std::array<UnitFlagMode, 4> kModes{UnitFlagMode::off, UnitFlagMode::keep,
                                                     UnitFlagMode::toggle, UnitFlagMode::toggle};
        return kModes[static_cast<std::size_t>(pick(0, 3))];
    }

    static std::uint32_t panel_address(std::size_t tile, std::int64_t panel) {
        const std::int64_t panel_bytes = ceil_div(kTileRows[tile], 16) * kL0cFractalBytes;
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(tile) * kTileBytes +
                                          panel * panel_bytes);
    }
    bool computed(std::size_t tile, std::int64_t panel) const {
        return computed_[tile][static_cast<std::size_t>(panel)];
    }

    /// Appends the instruction when the program stays proved.
    bool offer(const std::optional<Operation>& operation) {
        if (!operation) return false;
        RaceChecker trial = checker_;
        trial.feed(*operation);
        if (!trial.errors().empty()) return false;
        checker_ = std::move(trial);
        operations_.push_back(*operation);
        note(*operation);
        return true;
    }

    void note(const Operation& operation) {
        if (const auto* copy = std::get_if<Nd2Nz>(&operation)) {
            l1_filled_[copy->dst_addr / kL1SlotBytes] = true;
        } else if (const auto* load = std::get_if<Load2d>(&operation)) {
            (load->dst == Buffer::L0A ? l0a_filled_ : l0b_filled_)[load->dst_addr / kL0SlotBytes] =
                true;
        } else if (const auto* mmad = std::get_if<Mmad>(&operation)) {
            const auto tile = static_cast<std::size_t>(mmad->c_addr / kTileBytes);
            for (std::int64_t panel = 0; panel < kPanels; ++panel) {
                const std::int64_t address = panel_address(tile, panel);
                if (address >= mmad->c_addr &&
                    panel_address(tile, panel) < mmad->c_addr + mmad->n / 16 * panel_bytes(tile)) {
                    computed_[tile][static_cast<std::size_t>(panel)] = true;
                }
            }
        } else if (const auto* fixpipe = std::get_if<Fixpipe>(&operation)) {
            output_ += fixpipe->m_size * fixpipe->n_size * 4;
        } else if (const auto* set = std::get_if<SetFlag>(&operation)) {
            pending_.push_back({set->src, set->dst, set->id});
        } else if (const auto* wait = std::get_if<WaitFlag>(&operation)) {
            const auto same = [&](const WaitFlag& flag) {
                return flag.src == wait->src && flag.dst == wait->dst && flag.id == wait->id;
            };
            pending_.erase(std::find_if(pending_.begin(), pending_.end(), same));
        }
    }
    static std::int64_t panel_bytes(std::size_t tile) {
        return ceil_div(kTileRows[tile], 16) * kL0cFractalBytes;
    }

    /// Consumes every flag that is still set.
    void drain() {
        while (!pending_.empty()) offer(pending_.front());
        constexpr int kUnusedId = 2;
        offer(SetFlag{Pipe::M, Pipe::FIX, kUnusedId});
        offer(WaitFlag{Pipe::M, Pipe::FIX, kUnusedId});
        output_ = std::min(output_, kOutputBytes - std::int64_t{kTiles} * kTileBytes);
        for (std::size_t tile = 0; tile < kTiles; ++tile) {
            for (std::int64_t panel = 0; panel < kPanels; ++panel) {
                offer(store(tile, panel, panel, UnitFlagMode::toggle));
            }
        }
    }

    std::mt19937_64 random_;
    RaceChecker checker_;
    std::vector<Operation> operations_;
    std::array<bool, kL1Slots> l1_filled_{};
    std::array<bool, kL0Slots> l0a_filled_{}, l0b_filled_{};
    std::array<std::array<bool, kPanels>, kTiles> computed_{};
    std::int64_t output_ = 0;
    std::vector<WaitFlag> pending_; ///< flags that are set and not waited for
};

} // namespace aicore::test
