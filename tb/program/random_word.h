// Random words without a state: the same on every machine, each without the ones before it.
#pragma once

#include <cstdint>

namespace aicore::tb {

/// Output of the SplitMix64 generator after `position` + 1 steps from `seed`.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t z = seed + (position + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

} // namespace aicore::tb
