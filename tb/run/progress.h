// The progress line of a long run.
#pragma once

#include "tlm/units.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace aicore::tb {

/// "43 %, 7.24 Mcycles, 2.13 Mcycles/s, 4 s left". `done` of `total` instructions are complete;
/// what is left is estimated from them.
std::string progress_text(Cycles now, std::uint64_t done, std::uint64_t total, double seconds);

/// Shows progress while a run goes: on a terminal one line that is written over at most 5 times a
/// second, else a line every 10 seconds.
class ProgressLine {
public:
    /// `out` must outlive this object. `total`: instructions of the whole run.
    ProgressLine(std::FILE* out, std::uint64_t total);
    /// Takes the line away.
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void update(Cycles now, std::uint64_t done);

private:
    using Clock = std::chrono::steady_clock;

    std::FILE* out_;
    bool is_terminal_;
    std::uint64_t total_;
    Clock::time_point start_, last_;
    std::size_t shown_ = 0; ///< characters on the terminal's line
};

} // namespace aicore::tb
