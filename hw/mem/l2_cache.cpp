#include "hw/mem/l2_cache.h"

#include "hw/isa/burst_splitter.h"

#include <algorithm>

namespace aicore {

namespace {

std::size_t count_sets(const L2Config& config) {
    return static_cast<std::size_t>(config.size_bytes.count() / kGmLineBytes / config.ways);
}

} // namespace

L2Cache::L2Cache(const L2Config& config)
    : ways_(static_cast<std::size_t>(config.ways)), sets_(count_sets(config)) {}

std::size_t L2Cache::set_index(Line line) const {
    // Neighbours lie in neighbouring sets; each turn begins elsewhere, so that rows a power of two
    // apart do not meet in few sets [inferred].
    constexpr Line kSkew = 5471;
    return (line + line / sets_.size() * kSkew) % sets_.size();
}

bool L2Cache::holds(Line line) const {
    const auto& ways = sets_[set_index(line)];
    return std::any_of(ways.begin(), ways.end(), [line](const Way& w) { return w.line == line; });
}

bool L2Cache::promote(Set& ways, Line line, bool write) {
    const auto found =
        std::find_if(ways.begin(), ways.end(), [line](const Way& way) { return way.line == line; });
    if (found == ways.end()) return false;
    found->dirty = found->dirty || write;
    std::rotate(ways.begin(), found, found + 1);
    return true;
}

L2Cache::Result L2Cache::use(Line line, bool write) {
    Set& ways = set_of(line);
    if (promote(ways, line, write)) return {true, std::nullopt};
    Result result;
    if (ways.size() == ways_) {
        if (ways.back().dirty) result.written_back = ways.back().line;
        ways.pop_back();
    } else if (ways.capacity() == 0) {
        ways.reserve(ways_);
    }
    ways.insert(ways.begin(), {line, write, Cycles(0)});
    return result;
}

std::optional<Cycles> L2Cache::use_if_held(Line line) {
    Set& ways = set_of(line);
    if (!promote(ways, line, false)) return std::nullopt;
    return ways.front().filled_at;
}

void L2Cache::clear() {
    for (Set& ways : sets_) ways.clear();
}

} // namespace aicore
