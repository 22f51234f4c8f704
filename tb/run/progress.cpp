#include "tb/run/progress.h"

#include <algorithm>

#include <unistd.h>

namespace aicore::tb {
namespace {

constexpr std::chrono::milliseconds kTerminalPeriod{200};
constexpr std::chrono::seconds kLogPeriod{10};

std::string duration_text(double seconds) {
    char text[32];
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    if (whole < 60) {
        std::snprintf(text, sizeof text, "%d s", static_cast<int>(whole));
    } else {
        std::snprintf(text, sizeof text, "%lld min %02d s", static_cast<long long>(whole / 60),
                      static_cast<int>(whole % 60));
    }
    return text;
}

} // namespace

std::string progress_text(Cycles now, std::uint64_t done, std::uint64_t total, double seconds) {
    const double million_cycles = static_cast<double>(now.count()) / 1e6;
    const double part =
        total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    char text[96];
    std::snprintf(text, sizeof text, "%d %%, %.2f Mcycles, %.2f Mcycles/s",
                  static_cast<int>(part * 100), million_cycles,
                  million_cycles / std::max(seconds, 1e-6));
    if (part == 0) return text;
    return std::string(text) + ", " + duration_text(seconds * (1 - part) / part) + " left";
}

ProgressLine::ProgressLine(std::FILE* out, std::uint64_t total)
    : out_(out), is_terminal_(isatty(fileno(out)) == 1), total_(total), start_(Clock::now()),
      last_(start_) {}

ProgressLine::~ProgressLine() {
    if (shown_ > 0) std::fprintf(out_, "\r%*s\r", static_cast<int>(shown_), "");
    std::fflush(out_);
}

void ProgressLine::update(Cycles now, std::uint64_t done) {
    const Clock::time_point time = Clock::now();
    if (time - last_ < (is_terminal_ ? Clock::duration(kTerminalPeriod) : kLogPeriod)) return;
    last_ = time;
    const double seconds = std::chrono::duration<double>(time - start_).count();
    const std::string text = progress_text(now, done, total_, seconds);
    if (is_terminal_) {
        // Blanks cover what a longer line left behind.
        std::fprintf(out_, "\r%-*s", static_cast<int>(std::max(shown_, text.size())), text.c_str());
        shown_ = text.size();
    } else {
        std::fprintf(out_, "%s\n", text.c_str());
    }
    std::fflush(out_);
}

} // namespace aicore::tb
