#include "tb/report/run_report.h"

#include "hw/config/platform_fields.h"
#include "tb/observe/core_names.h"
#include "tb/report/text_table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace aicore::tb {
namespace {

constexpr std::size_t kReasonsShown = 3;
constexpr double kShortestRateSeconds = 0.1; // below it the simulation's start is what one measures

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Time of the cycles at the clock, in the largest unit that leaves a whole part.
std::string time_text(Cycles cycles, int clock_mhz) {
    const double us = static_cast<double>(cycles.count()) / clock_mhz;
    if (us < 1) return fixed(us * 1e3, 1) + " ns";
    if (us < 1e3) return fixed(us, 3) + " us";
    if (us < 1e6) return fixed(us / 1e3, 3) + " ms";
    return fixed(us / 1e6, 3) + " s";
}

/// Cube cores that have a program.
std::int64_t cube_cores(const ObserverHub& hub) {
    return std::count_if(hub.pipes().begin(), hub.pipes().end(), [](const PipeInfo* pipe) {
        return pipe->pipe == Pipe::M && pipe->core->in_use;
    });
}

std::string cube_text(const RunReport& report) {
    const std::int64_t fractal_cycles = report.cube.fractal_cycles().count();
    const double seconds =
        static_cast<double>(report.cycles.count()) / (report.platform.clock.frequency_mhz * 1e6);
    const double operations = 2.0 * static_cast<double>(report.cube.products());
    return grouped(fractal_cycles) + " cycles of multiplying, " +
           percent(fractal_cycles, report.cycles.count() * cube_cores(report.hub)) +
           " of the run; " + fixed(operations / seconds / 1e12, 2) + " tera operations/s";
}

/// "event_flag 12.0 %, link_busy 2.0 %": the reasons that cost most, largest first.
std::string waits_for(const PipeCounts& counts, std::int64_t cycles) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < counts.waiting.size(); ++i) {
        if (counts.waiting[i].count() > 0) order.emplace_back(-counts.waiting[i].count(), i);
    }
    std::sort(order.begin(), order.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(order.size(), kReasonsShown); ++i) {
        text += i == 0 ? "" : ", ";
        text += to_string(static_cast<WaitReason>(order[i].second));
        text += ' ' + percent(-order[i].first, cycles);
    }
    return text + (order.size() > kReasonsShown ? ", ..." : "");
}

/// The table behind an empty line; nothing when it has only its head.
void print_section(std::ostream& out, const TextTable& table) {
    if (table.rows() <= 1) return;
    out << '\n';
    table.print(out);
}

void print_pipes(std::ostream& out, const RunReport& report) {
    const std::int64_t cycles = report.cycles.count();
    TextTable table(true);
    table.add({"pipe", "instructions", "busy cycles", "busy", "waiting", "idle", "waits for"});
    for (const PipeInfo* info : report.hub.pipes()) {
        const PipeCounts& counts = report.statistics.pipe(info->index);
        if (!info->core->in_use) continue;
        if (counts.instructions == 0 && counts.idle == report.cycles) continue;
        table.add({info->path, grouped(counts.instructions), grouped(counts.busy.count()),
                   percent(counts.busy.count(), cycles),
                   percent(counts.waiting_total().count(), cycles),
                   percent(counts.idle.count(), cycles), waits_for(counts, cycles)});
    }
    print_section(out, table);
}

/// Rate of each link as the platform gives it, by the link's name.
std::map<std::string, std::string> configured_rates(Platform platform) {
    const std::string prefix = "links.", suffix = ".bytes_per_cycle";
    std::map<std::string, std::string> rates;
    for (const PlatformField& field : platform_fields(platform)) {
        const std::string& path = field.path;
        if (path.size() <= prefix.size() + suffix.size() || path.rfind(prefix, 0) != 0) continue;
        const std::size_t end = path.size() - suffix.size();
        if (path.compare(end, suffix.size(), suffix) != 0) continue;
        rates[path.substr(prefix.size(), end - prefix.size())] = field.write();
    }
    return rates;
}

void print_links(std::ostream& out, const RunReport& report) {
    const std::map<std::string, std::string> rates = configured_rates(report.platform);
    TextTable table(false);
    table.add({"link", "bytes", "busy cycles", "busy", "B/cycle", "configured"});
    for (const LinkInfo* info : report.hub.links()) {
        const LinkCounts& counts = report.statistics.link(info->index);
        if (counts.bytes.count() == 0) continue;
        const auto rate = rates.find(last_name(info->path));
        const double achieved = static_cast<double>(counts.bytes.count()) /
                                static_cast<double>(std::max<std::int64_t>(1, counts.busy.count()));
        table.add({info->path, grouped(counts.bytes.count()), grouped(counts.busy.count()),
                   percent(counts.busy.count(), report.cycles.count()), fixed(achieved, 1),
                   rate == rates.end() ? "-" : rate->second});
    }
    print_section(out, table);
}

void print_ub_conflicts(std::ostream& out, const RunReport& report) {
    TextTable table(true);
    table.add({"UB bank conflicts", "cycles"});
    for (const auto& [names, cycles] : report.statistics.ub_conflicts()) {
        table.add({names, grouped(cycles)});
    }
    print_section(out, table);
}

std::string memory_text(const MemoryTraffic& memory) {
    const std::int64_t reads = memory.l2_read_hits + memory.l2_read_misses;
    std::string text = grouped(reads) + " reads, " + grouped(memory.l2_read_hits) +
                       " of them held by L2; HBM " + grouped(memory.hbm_read.count()) +
                       " bytes read, " + grouped(memory.hbm_written.count()) + " written back";
    if (memory.hccs_read + memory.hccs_written > Bytes(0)) {
        text += "; HCCS " + grouped(memory.hccs_read.count()) + " bytes read, " +
                grouped(memory.hccs_written.count()) + " written";
    }
    return text;
}

} // namespace

std::string describe_check(const TensorCheck& check) {
    std::string text = check.tensor + ": ";
    if (check.mismatches == 0) {
        text += grouped(check.checked) + " elements, ";
        if (check.rule == GoldenRule::exact) return text + "all bits as expected";
        return text + "all within the tolerance, largest error " + number(check.max_abs_error);
    }
    text += grouped(check.mismatches) + " of " + grouped(check.checked) + " elements ";
    text += check.rule == GoldenRule::exact ? "differ" : "outside the tolerance";
    if (check.passed) text += " (allowed)";
    text += ", largest error " + number(check.max_abs_error) + ", first at [";
    for (std::size_t i = 0; i < check.first_mismatch.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(check.first_mismatch[i]);
    }
    return text + "]: " + number(check.actual) + ", expected " + number(check.expected);
}

void print_run_report(std::ostream& out, const RunReport& report) {
    const Platform& platform = report.platform;
    const double million_cycles = static_cast<double>(report.cycles.count()) / 1e6;
    out << report.title << '\n';
    out << "platform  " << platform.name << ", " << platform.clock.frequency_mhz << " MHz\n";
    out << "cycles    " << grouped(report.cycles.count()) << " = "
        << time_text(report.cycles, platform.clock.frequency_mhz) << "; simulated in "
        << fixed(report.wall_seconds, 2) << " s";
    if (report.wall_seconds >= kShortestRateSeconds) {
        out << ", " << fixed(million_cycles / report.wall_seconds, 2) << " Mcycles/s";
    }
    out << '\n';
    if (report.launches.size() > 1) {
        out << "launches  ";
        for (std::size_t i = 0; i < report.launches.size(); ++i) {
            out << (i == 0 ? "" : " + ") << grouped(report.launches[i].count());
        }
        out << " cycles\n";
    }
    if (report.cube.mmads() > 0) out << "cube      " << cube_text(report) << '\n';
    if (report.checks.empty()) out << "result    not checked, no tensor has a golden\n";
    for (const TensorCheck& check : report.checks) {
        out << "result    " << (check.passed ? "" : "WRONG, ") << describe_check(check) << '\n';
    }
    out << "memory    " << memory_text(report.memory) << '\n';
    print_pipes(out, report);
    print_links(out, report);
    print_ub_conflicts(out, report);
    if (report.files.empty()) return;
    out << '\n';
    TextTable files(true);
    for (const WrittenFile& file : report.files) files.add({file.what, file.path});
    files.print(out);
}

} // namespace aicore::tb
