#include "tb/observe/statistics.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace aicore::tb {
namespace {

constexpr std::size_t kReasonsShown = 3;

/// Rows of equal columns; the first and, if stated, the last one are left-aligned.
class Table {
public:
    explicit Table(bool text_at_end) : text_at_end_(text_at_end) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    void print(std::ostream& out) const {
        std::vector<std::size_t> widths(rows_.front().size(), 0);
        for (const std::vector<std::string>& row : rows_) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                widths[i] = std::max(widths[i], row[i].size());
            }
        }
        for (const std::vector<std::string>& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string pad(widths[i] - row[i].size(), ' ');
                const bool left = i == 0 || (text_at_end_ && i + 1 == row.size());
                if (i > 0) line += "  ";
                line += left ? row[i] + pad : pad + row[i];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }

private:
    bool text_at_end_;
    std::vector<std::vector<std::string>> rows_;
};

std::string with_one_decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string ratio(std::int64_t part, std::int64_t whole, double scale) {
    if (whole == 0) return "-";
    return with_one_decimal(scale * static_cast<double>(part) / static_cast<double>(whole));
}

/// "event_flag 120, link_busy 20": the reasons that cost most, largest first.
std::string dominant_reasons(const PipeCounts& counts) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < counts.waiting.size(); ++i) {
        if (counts.waiting[i].count() > 0) order.emplace_back(-counts.waiting[i].count(), i);
    }
    std::sort(order.begin(), order.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(order.size(), kReasonsShown); ++i) {
        if (i > 0) text += ", ";
        text += to_string(static_cast<WaitReason>(order[i].second));
        text += ' ' + std::to_string(-order[i].first);
    }
    if (order.size() > kReasonsShown) text += ", ...";
    return text;
}

} // namespace

void Statistics::print_table(std::ostream& out) const {
    Table pipes(true);
    pipes.add({"pipe", "instructions", "busy cycles", "busy %", "waiting cycles", "waiting for"});
    std::int64_t cycles = 0;
    for (const PipeInfo* info : hub_.pipes()) {
        const PipeCounts& counts = pipe(info->index);
        cycles = (counts.busy + counts.waiting_total() + counts.idle).count();
        pipes.add({info->path, std::to_string(counts.instructions),
                   std::to_string(counts.busy.count()), ratio(counts.busy.count(), cycles, 100.0),
                   std::to_string(counts.waiting_total().count()), dominant_reasons(counts)});
    }
    pipes.print(out);
    if (hub_.links().empty()) return;

    Table links(false);
    links.add({"link", "bytes", "busy cycles", "busy %", "B/cycle"});
    for (const LinkInfo* info : hub_.links()) {
        const LinkCounts& counts = link(info->index);
        links.add({info->name, std::to_string(counts.bytes.count()),
                   std::to_string(counts.busy.count()), ratio(counts.busy.count(), cycles, 100.0),
                   ratio(counts.bytes.count(), counts.busy.count(), 1.0)});
    }
    out << '\n';
    links.print(out);
}

} // namespace aicore::tb
