// How the commands of the program are added to its command line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace aicore::tb {

/// Largest number that options take: cycles that a run can't reach, but whose time does not
/// overflow.
inline constexpr std::int64_t kMaxOptionValue = 1'000'000'000'000;

/// A check that an option's value is one of `words`; help shows them as `type_name` does.
inline CLI::Validator one_of(std::vector<std::string> words) {
    return CLI::IsMember(std::move(words)).description("");
}

/// A check that an option's value is an integer of at least `min`.
inline CLI::Validator at_least(std::int64_t min) {
    return CLI::Range(min, kMaxOptionValue).description("");
}

/// Does the work of the command that was given; returns the exit code. May throw.
using CommandAction = std::function<int()>;

} // namespace aicore::tb
