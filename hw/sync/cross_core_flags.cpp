#include "hw/sync/cross_core_flags.h"

#include <algorithm>
#include <sstream>

namespace aicore {

CrossCoreFlags::CrossCoreFlags(const sc_core::sc_module_name& name, Cycles latency,
                               std::vector<Place> cores)
    : sc_module(name), latency_(std::max(latency, Cycles(1))), cores_(std::move(cores)),
      in_grid_(cores_.size(), true), counters_(cores_.size() * kCrossCoreIds),
      sync_alls_(cores_.size()) {
    SC_METHOD(on_arrival);
    sensitive << arrival_ev_;
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

std::vector<CrossCoreFlags::Place> CrossCoreFlags::places_of(const ChipConfig& chip, int first,
                                                             int count) {
    std::vector<Place> places;
    const int vector_cores = chip.vector_cores_per_ai_core;
    for (int i = first; i < first + count; ++i) {
        places.push_back({"aic" + std::to_string(i), true, i});
        for (int j = 0; j < vector_cores; ++j) {
            places.push_back({"aiv" + std::to_string(i * vector_cores + j), false, i});
        }
    }
    return places;
}

void CrossCoreFlags::set_grid(const std::vector<bool>& in_grid) {
    in_grid_ = in_grid;
    std::fill(sync_alls_.begin(), sync_alls_.end(), 0);
}

std::vector<int> CrossCoreFlags::absent_from_sync_all(int core, bool aiv_only) const {
    std::vector<int> absent;
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        const bool takes_part = in_grid_[i] && !(aiv_only && cores_[i].is_cube);
        if (takes_part && sync_alls_[i] < sync_alls_[static_cast<std::size_t>(core)]) {
            absent.push_back(static_cast<int>(i));
        }
    }
    return absent;
}

void CrossCoreFlags::set(int core, int mode, int id, std::uint64_t instruction, SourcePlace place) {
    sets_.push_back({core, mode, id, instruction, place});
    commit_.request();
}

bool CrossCoreFlags::take(int core, int id) {
    if (count(core, id) <= 0) return false;
    change(clk->now(), core, id, -1, nullptr);
    return true;
}

void CrossCoreFlags::wake_when_counted(int core, int id, sc_core::sc_event& wake) {
    at(core, id).waiter = &wake;
}

int CrossCoreFlags::collected(int core, int id) const {
    const std::array<int, kModes>& sets = at(core, id).sets;
    return sets[0] + sets[1] + sets[2];
}

void CrossCoreFlags::change(Cycles now, int core, int id, int difference, const History* set) {
    Counter& counter = at(core, id);
    counter.count += difference;
    if (on_change) on_change(now, core, id, counter.count, set);
}

template <typename Predicate>
std::vector<int> CrossCoreFlags::select(Predicate predicate) const {
    std::vector<int> chosen;
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        if (in_grid_[i] && predicate(cores_[i])) chosen.push_back(static_cast<int>(i));
    }
    return chosen;
}

std::vector<int> CrossCoreFlags::participants(int core, int mode) const {
    const Place& own = cores_[static_cast<std::size_t>(core)];
    return select([&](const Place& other) {
        return other.is_cube == own.is_cube && (mode == 0 || other.ai_core == own.ai_core);
    });
}

std::vector<int> CrossCoreFlags::recipients(int core, int mode) const {
    if (mode != 2) return participants(core, mode);
    const Place& own = cores_[static_cast<std::size_t>(core)];
    return select([&](const Place& other) {
        return other.is_cube != own.is_cube && other.ai_core == own.ai_core;
    });
}

void CrossCoreFlags::commit() {
    // In a stated order: the one of the cores. Sets of one core keep theirs.
    std::stable_sort(sets_.begin(), sets_.end(),
                     [](const Set& a, const Set& b) { return a.core < b.core; });
    const Cycles now = clk->now();
    for (const Set& set : sets_) collect(set, now);
    sets_.clear();
    arrive(now);
}

void CrossCoreFlags::on_arrival() {
    if (rst_n.read()) commit_.request();
}

void CrossCoreFlags::collect(const Set& set, Cycles now) {
    const auto mode = static_cast<std::size_t>(set.mode);
    ++at(set.core, set.id).sets[mode];
    const std::vector<int> all = participants(set.core, set.mode);
    const bool complete = std::all_of(all.begin(), all.end(),
                                      [&](int core) { return at(core, set.id).sets[mode] > 0; });
    if (!complete) return;
    for (const int core : all) --at(core, set.id).sets[mode];
    arrivals_.push_back({now + latency_ - Cycles(1),
                         recipients(set.core, set.mode),
                         set.id,
                         {now, set.core, set.instruction, set.place}});
}

/// Counts that are seen from the next edge on.
void CrossCoreFlags::arrive(Cycles now) {
    const bool was_busy = !arrivals_.empty();
    while (!arrivals_.empty() && arrivals_.front().at <= now) {
        const Arrival arrival = std::move(arrivals_.front());
        arrivals_.pop_front();
        for (const int core : arrival.recipients) {
            Counter& counter = at(core, arrival.id);
            if (counter.count == kMostCrossCoreCount) {
                std::ostringstream text;
                text << "cycle " << now << ": cross-core flag " << arrival.id << " of "
                     << cores_[static_cast<std::size_t>(core)].name << " exceeds "
                     << kMostCrossCoreCount << ": set by "
                     << cores_[static_cast<std::size_t>(arrival.from.core)].name << " at line "
                     << arrival.from.place.line << ", which does not wait for its consumer";
                if (on_overflow) on_overflow(core, text.str());
                continue;
            }
            change(now, core, arrival.id, 1, &arrival.from);
            counter.counted = arrival.from;
            if (counter.waiter != nullptr) {
                counter.waiter->notify(clk->period());
                counter.waiter = nullptr;
            }
        }
    }
    if (!arrivals_.empty()) {
        arrival_ev_.notify(clk->until(arrivals_.front().at));
    } else if (was_busy) {
        drained_ev_.notify(sc_core::SC_ZERO_TIME);
    }
}

void CrossCoreFlags::on_reset() {
    sets_.clear();
    arrivals_.clear();
    arrival_ev_.cancel();
    std::fill(counters_.begin(), counters_.end(), Counter{});
    std::fill(sync_alls_.begin(), sync_alls_.end(), 0);
}

} // namespace aicore
