#include "tb/observe/gtkw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace aicore::tb {
namespace {

// Display flags of the save file format: bits of hexadecimal "@" lines.
constexpr const char* kFlagsBinary = "@28\n";
constexpr const char* kFlagsHex = "@22\n";
constexpr const char* kFlagsDecimal = "@24\n";
constexpr const char* kFlagsText = "@20\n";
constexpr const char* kGroupOpens = "@800200\n";
constexpr const char* kGroupOpensClosed = "@c00200\n";
constexpr const char* kGroupEnds = "@1000200\n";
constexpr const char* kGroupEndsClosed = "@1401200\n";

constexpr std::int64_t kVisibleCycles = 200; // of a long window, at first
constexpr double kWavePixels = 850.0;
constexpr double kFramePixels = 200.0; // the viewer's zoom counts in frames of this width

bool is_count(const VcdVariable& variable) {
    const std::string& path = variable.path;
    const std::string name = "queue_fill";
    return variable.kind == VcdVariable::Kind::integer ||
           (path.size() > name.size() &&
            path.compare(path.size() - name.size(), name.size(), name) == 0);
}

const char* flags_of(const VcdVariable& variable) {
    if (variable.kind == VcdVariable::Kind::text) return kFlagsText;
    if (is_count(variable)) return kFlagsDecimal;
    return variable.bits == 1 ? kFlagsBinary : kFlagsHex;
}

std::string trace_name(const VcdVariable& variable) {
    if (variable.kind != VcdVariable::Kind::wire || variable.bits == 1) return variable.path;
    return variable.path + "[" + std::to_string(variable.bits - 1) + ":0]";
}

/// A trace under its path (without `prefix`, when it has that), with blanks for dots: the viewer
/// shows only what stands after the last dot.
std::string trace(const VcdVariable& variable, const std::string& prefix) {
    const std::string name = trace_name(variable);
    std::string alias =
        name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : name;
    std::replace(alias.begin(), alias.end(), '.', ' ');
    return flags_of(variable) + ("+{" + alias + "} ") + name + "\n";
}

/// The zoom line: the viewer shows 2^-zoom time units per frame; -1: a marker that is not set.
std::string zoom_line(const VcdOptions& options) {
    const std::int64_t window = options.to.count() - options.from.count() + 1;
    const double shown = static_cast<double>(std::min(window, kVisibleCycles));
    const double frame =
        shown * static_cast<double>(options.period_fs) * kFramePixels / kWavePixels;
    char text[32];
    std::snprintf(text, sizeof text, "*%.6f", -std::log2(frame));
    std::string line = text;
    constexpr int kMarkers = 27;
    for (int i = 0; i < kMarkers; ++i) line += " -1";
    return line + "\n";
}

} // namespace

void write_gtkw(OutputFile& out, const std::string& vcd_path, const VcdObserver& waveform) {
    namespace fs = std::filesystem;
    const bool neighbours = fs::path(vcd_path).parent_path() == fs::path(out.path()).parent_path();
    const std::string dump =
        neighbours ? fs::path(vcd_path).filename().string() : fs::absolute(vcd_path).string();
    const VcdOptions& options = waveform.writer().options();

    std::string text = "[dumpfile] \"" + dump + "\"\n";
    text += "[timestart] " + std::to_string(waveform.writer().time_of(options.from)) + "\n";
    text += "[size] 1400 900\n";
    text += zoom_line(options);
    const std::vector<std::string> cores = waveform.cores();
    for (const std::string& core : cores) text += "[treeopen] " + core + ".\n";
    text += "[signals_width] 240\n[sst_width] 180\n";
    if (options.clock) text += std::string(kFlagsBinary) + "chip.clk\n";
    const std::string prefix = cores.size() == 1 ? cores.front() + "." : "";
    bool closed = false;
    for (const WaveGroup& group : waveform.groups()) {
        text += std::string(closed ? kGroupOpensClosed : kGroupOpens) + "-" + group.title + "\n";
        for (const VcdVariable& variable : group.variables) {
            text += trace(variable, prefix);
        }
        text += std::string(closed ? kGroupEndsClosed : kGroupEnds) + "-" + group.title + "\n";
        closed = true;
    }
    out.write(text);
}

} // namespace aicore::tb
