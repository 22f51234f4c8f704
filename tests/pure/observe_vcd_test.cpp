// Waveform: the VCD is read back with a small reader and compared with what was scheduled.
#include "tb/observe/gtkw.h"
#include "tb/observe/vcd_observer.h"
#include "tb/observe/vcd_writer.h"
#include "tests/pure/observe_support.h"

#include <gtest/gtest.h>

#include <map>

namespace aicore::tb::test {
namespace {

constexpr std::int64_t kPeriod = 1000;

/// Paths with their changes: time -> value as text.
struct Wave {
    std::map<std::string, std::map<std::int64_t, std::string>> changes;
    std::map<std::string, std::string> types; ///< "wire 13"
    std::int64_t first_time = -1, last_time = -1;

    std::string at(const std::string& path, std::int64_t cycle) const {
        const auto& values = changes.at(path);
        auto after = values.upper_bound(cycle * kPeriod);
        return after == values.begin() ? "undefined" : std::prev(after)->second;
    }
};

Wave read_vcd(const std::string& text) {
    Wave wave;
    std::map<std::string, std::string> paths;
    std::vector<std::string> scopes;
    std::istringstream in(text);
    std::string word;
    while (in >> word && word != "$enddefinitions") {
        if (word == "$scope") {
            in >> word >> word;
            scopes.push_back(word);
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$var") {
            std::string type, bits, identifier, name;
            in >> type >> bits >> identifier >> name;
            std::string path;
            for (const std::string& scope : scopes) path += scope + ".";
            EXPECT_EQ(paths.count(identifier), 0U) << identifier;
            paths[identifier] = path + name;
            wave.types[path + name] = type + " " + bits;
            wave.changes[path + name];
        }
    }
    in >> word;
    std::int64_t time = -1;
    while (in >> word) {
        if (word == "$dumpvars" || word == "$end") continue;
        if (word[0] == '#') {
            const std::int64_t next = std::stoll(word.substr(1));
            EXPECT_GT(next, time) << "time must move forward";
            time = next;
            if (wave.first_time < 0) wave.first_time = time;
            wave.last_time = time;
        } else if (word[0] == 's' || word[0] == 'b') {
            std::string identifier;
            in >> identifier;
            wave.changes.at(paths.at(identifier))[time] = word.substr(1);
        } else {
            wave.changes.at(paths.at(word.substr(1)))[time] = word.substr(0, 1);
        }
    }
    return wave;
}

VcdOptions options(bool clock = false) {
    VcdOptions result;
    result.period_fs = kPeriod;
    result.clock = clock;
    return result;
}

std::string record(const SmallCore& core, const VcdOptions& chosen, const std::vector<Call>& calls,
                   int end) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdObserver observer(core.hub, chosen, VcdLayout{});
    observer.start(out);
    play(observer, calls);
    observer.finish(Cycles(end));
    out.close();
    return file.content();
}

const CoreInfo kCore{"aic0", 0, true};

Call event_flag(int cycle, Pipe src, Pipe dst, int id, bool value) {
    return [=](Observer& o) { o.on_event_flag(Cycles(cycle), kCore, src, dst, id, value); };
}
Call unit_flag(int cycle, int block, bool value) {
    return [=](Observer& o) { o.on_unit_flag(Cycles(cycle), kCore, block, value); };
}
Call l0c(int cycle, std::uint32_t banks, bool write) {
    return [=](Observer& o) { o.on_l0c_access(Cycles(cycle), kCore, banks, write); };
}
Call fill(int cycle, const PipeInfo& pipe, int value) {
    return [=, &pipe](Observer& o) { o.on_queue_fill(Cycles(cycle), pipe, value); };
}

std::vector<CycleOfPipes> small_run(const SmallCore& core) {
    return {
        {{fill(2, core.cube, 1)},
         {activity(2, core.mte1, PipeActivity::executing), executing(2, core.mte1, 1, load2d(4)),
          transfer(core.to_l0a, 4, 12, 2048), transfer(core.to_l0a, 12, 14, 512)},
         {activity(2, core.cube, PipeActivity::waiting, WaitReason::event_flag)}},
        {{done(20, core.mte1, 1, load2d(4)), activity(20, core.mte1, PipeActivity::idle),
          event_flag(20, Pipe::MTE1, Pipe::M, 3, true)},
         {unit_flag(20, 200, true)}},
        {{activity(21, core.cube, PipeActivity::executing),
          executing(21, core.cube, 2, mmad(16, 16, 16)), fill(21, core.cube, 0),
          event_flag(21, Pipe::MTE1, Pipe::M, 3, false),
          stall(25, core.cube, WaitReason::bank_conflict, 3)}},
        {{l0c(30, 0x00f0, false), l0c(30, 0x0001, true)}, {l0c(30, 0x0f00, false)}},
        {{l0c(31, 0x00f0, false)}},
        {{done(40, core.cube, 2, mmad(16, 16, 16)), activity(40, core.cube, PipeActivity::idle)},
         {unit_flag(40, 200, false), unit_flag(40, 0, true)}}};
}

TEST(VcdObserver, ShowsTheStatesOfPipes) {
    SmallCore core;
    const Wave wave = read_vcd(record(core, options(), in_order(small_run(core), false), 50));
    EXPECT_EQ(wave.at("aic0.cube.state", 0), "idle");
    EXPECT_EQ(wave.at("aic0.cube.state", 2), "waiting");
    EXPECT_EQ(wave.at("aic0.cube.reason", 20), "event_flag");
    EXPECT_EQ(wave.at("aic0.cube.state", 21), "executing");
    EXPECT_EQ(wave.at("aic0.cube.opcode", 21), "mmad");
    EXPECT_EQ(wave.at("aic0.cube.instruction", 21), "10");
    EXPECT_EQ(wave.at("aic0.cube.reason", 24), "none");
    EXPECT_EQ(wave.at("aic0.cube.state", 25), "waiting");
    EXPECT_EQ(wave.at("aic0.cube.reason", 27), "bank_conflict");
    EXPECT_EQ(wave.at("aic0.cube.state", 28), "executing");
    EXPECT_EQ(wave.at("aic0.cube.state", 40), "idle");
    EXPECT_EQ(wave.at("aic0.cube.instruction", 40), "0");
    EXPECT_EQ(wave.at("aic0.cube.opcode", 40), "none");
    EXPECT_EQ(wave.at("aic0.cube.queue_fill", 5), "1");
    EXPECT_EQ(wave.at("aic0.cube.queue_fill", 21), "0");
    EXPECT_EQ(wave.types.at("aic0.cube.state"), "string 1");
    EXPECT_EQ(wave.types.at("aic0.cube.instruction"), "integer 32");
    EXPECT_EQ(wave.types.at("aic0.cube.queue_fill"), "wire 13");
    EXPECT_EQ(wave.last_time, 51 * kPeriod);
}

TEST(VcdObserver, ShowsLinksFlagsAndBanks) {
    SmallCore core;
    const Wave wave = read_vcd(record(core, options(), in_order(small_run(core), false), 50));
    const std::string link = "aic0.links.l1_to_l0a.busy";
    EXPECT_EQ(wave.changes.at(link), (std::map<std::int64_t, std::string>{
                                         {0, "0"}, {4 * kPeriod, "1"}, {14 * kPeriod, "0"}}));
    EXPECT_EQ(wave.at("aic0.events.MTE1_to_M", 20), "1000");
    EXPECT_EQ(wave.at("aic0.events.MTE1_to_M", 21), "0");
    EXPECT_EQ(wave.at("aic0.l0c.unit_flag_200", 20), "1");
    EXPECT_EQ(wave.at("aic0.l0c.unit_flags", 20), "1" + std::string(200, '0'));
    EXPECT_EQ(wave.at("aic0.l0c.unit_flags", 40), "1");
    EXPECT_EQ(wave.at("aic0.l0c.unit_flag_0", 40), "1");
    EXPECT_EQ(wave.at("aic0.l0c.bank_read", 29), "0");
    EXPECT_EQ(wave.at("aic0.l0c.bank_read", 30), "111111110000");
    EXPECT_EQ(wave.at("aic0.l0c.bank_read", 31), "11110000");
    EXPECT_EQ(wave.at("aic0.l0c.bank_read", 32), "0");
    EXPECT_EQ(wave.at("aic0.l0c.bank_write", 30), "1");
    EXPECT_EQ(wave.at("aic0.l0c.bank_write", 31), "0");
    EXPECT_EQ(wave.types.at("aic0.l0c.unit_flags"), "wire 256");
    // Six ordered pairs of three pipes, and none with a pipe that the core lacks.
    EXPECT_EQ(wave.types.count("aic0.events.FIX_to_M"), 1U);
    EXPECT_EQ(wave.types.count("aic0.events.MTE2_to_M"), 0U);
}

TEST(VcdObserver, ShowsCountersOfCrossCoreFlags) {
    SmallCore core;
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdLayout layout;
    layout.cross_core_ids = 16;
    VcdObserver observer(core.hub, options(), layout);
    observer.start(out);
    observer.on_cross_core_flag(Cycles(5), kCore, 15, 1);
    observer.on_cross_core_flag(Cycles(7), kCore, 15, 0); // a wait takes one ...
    observer.on_cross_core_flag(Cycles(7), kCore, 15, 1); // ... at the edge of the next count
    observer.on_cross_core_flag(Cycles(9), kCore, 15, 15);
    observer.on_reset(Cycles(20));
    observer.finish(Cycles(3));
    out.close();
    const Wave wave = read_vcd(file.content());
    EXPECT_EQ(wave.types.at("aic0.cross_core.flag_0"), "wire 4");
    EXPECT_EQ(wave.changes.at("aic0.cross_core.flag_15"),
              (std::map<std::int64_t, std::string>{
                  {0, "0"}, {5 * kPeriod, "1"}, {9 * kPeriod, "1111"}, {20 * kPeriod, "0"}}));
    EXPECT_EQ(wave.changes.at("aic0.cross_core.flag_0").size(), 1U);
}

TEST(VcdObserver, ResetRestoresEverythingAndTimeGoesOn) {
    SmallCore core;
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdObserver observer(core.hub, options(), VcdLayout{});
    observer.start(out);
    play(observer,
         {activity(10, core.cube, PipeActivity::executing),
          executing(10, core.cube, 1, mmad(16, 16, 16)), unit_flag(12, 7, true),
          stall(15, core.cube, WaitReason::unit_flag, 20), transfer(core.to_l0a, 15, 30, 100)});
    observer.on_reset(Cycles(20));
    play(observer,
         {activity(5, core.cube, PipeActivity::executing), executing(5, core.cube, 1, load2d(1))});
    observer.finish(Cycles(10));
    out.close();
    const Wave wave = read_vcd(file.content());
    EXPECT_EQ(wave.at("aic0.cube.state", 19), "waiting");
    EXPECT_EQ(wave.at("aic0.cube.state", 20), "idle");
    EXPECT_EQ(wave.at("aic0.cube.reason", 20), "none");
    EXPECT_EQ(wave.at("aic0.cube.opcode", 20), "none");
    EXPECT_EQ(wave.at("aic0.l0c.unit_flags", 20), "0");
    EXPECT_EQ(wave.at("aic0.links.l1_to_l0a.busy", 20), "0");
    EXPECT_EQ(wave.at("aic0.cube.opcode", 25), "load2d");
    EXPECT_EQ(wave.at("aic0.cube.state", 25), "executing");
    EXPECT_EQ(wave.last_time, 31 * kPeriod);
}

TEST(VcdObserver, DoesNotDependOnTheOrderOfPipes) {
    SmallCore core;
    const auto cycles = small_run(core);
    EXPECT_EQ(record(core, options(true), in_order(cycles, false), 50),
              record(core, options(true), in_order(cycles, true), 50));
}

TEST(VcdObserver, WritesOnlyTheWindow) {
    SmallCore core;
    VcdOptions window = options(true);
    window.from = Cycles(10);
    window.to = Cycles(24);
    const Wave wave = read_vcd(record(core, window, in_order(small_run(core), false), 50));
    EXPECT_EQ(wave.first_time, 10 * kPeriod);
    EXPECT_EQ(wave.last_time, 25 * kPeriod);
    // Changes before the window are in its first values.
    EXPECT_EQ(wave.at("aic0.cube.state", 10), "waiting");
    EXPECT_EQ(wave.at("aic0.cube.state", 21), "executing");
    EXPECT_EQ(wave.changes.at("aic0.mte1.opcode").begin()->second, "load2d");
    const auto& clk = wave.changes.at("chip.clk");
    ASSERT_EQ(clk.size(), 30U);
    EXPECT_EQ(clk.begin()->first, 10 * kPeriod);
    EXPECT_EQ(clk.begin()->second, "1");
    EXPECT_EQ(clk.rbegin()->first, 24 * kPeriod + kPeriod / 2);
    EXPECT_EQ(clk.rbegin()->second, "0");
}

TEST(VcdObserver, DeclaresOnlyTheChosenScopes) {
    SmallCore core;
    VcdOptions chosen = options();
    chosen.scopes = {"aic0.cube", "aic0.links.l1_to_l0b", "aic0.cub", "aic1"};
    const Wave wave = read_vcd(record(core, chosen, in_order(small_run(core), false), 50));
    EXPECT_EQ(wave.types.size(), 6U);
    EXPECT_EQ(wave.types.count("aic0.cube.reason"), 1U);
    EXPECT_EQ(wave.types.count("aic0.links.l1_to_l0b.busy"), 1U);
    const VcdObserver observer(core.hub, chosen, VcdLayout{});
    EXPECT_EQ(observer.writer().unmatched_scopes(), (std::vector<std::string>{"aic0.cub", "aic1"}));
}

TEST(VcdWriter, WritesExactText) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdWriter writer(options(true));
    const auto a = writer.add_wire("top.a", 1);
    const auto b = writer.add_wire("top.sub.b", 4);
    const auto s = writer.add_text("top.sub.s", "off");
    writer.set_clock("top.clk");
    writer.start(out);
    writer.set_text(Cycles(1), s, "on now");
    writer.set_value(Cycles(1), b, 5);
    writer.set_value(Cycles(1), a, 1);
    writer.set_value(Cycles(0), a, 0);
    writer.finish(Cycles(2));
    out.close();
    EXPECT_EQ(file.content(), "$date not recorded $end\n$version aicore-sc $end\n"
                              "$timescale 1 fs $end\n$scope module top $end\n"
                              "$var wire 1 ! a $end\n$var wire 1 $ clk $end\n"
                              "$scope module sub $end\n$var wire 4 \" b [3:0] $end\n"
                              "$var string 1 # s $end\n$upscope $end\n$upscope $end\n"
                              "$enddefinitions $end\n"
                              "#0\n$dumpvars\n0!\nb0 \"\nsoff #\n1$\n$end\n"
                              "#500\n0$\n#1000\n1$\n1!\nb101 \"\nson_now #\n"
                              "#1500\n0$\n#2000\n1$\n#2500\n0$\n#3000\n");
}

TEST(VcdWriter, SpansMayTouchAndOverlap) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdWriter writer(options());
    const auto busy = writer.add_wire("top.busy", 1);
    writer.start(out);
    writer.set_span(Cycles(5), Cycles(10), busy, 1);
    writer.set_span(Cycles(8), Cycles(12), busy, 1);
    writer.set_span(Cycles(12), Cycles(15), busy, 1);
    writer.finish(Cycles(20));
    out.close();
    EXPECT_EQ(
        read_vcd(file.content()).changes.at("top.busy"),
        (std::map<std::int64_t, std::string>{{0, "0"}, {5 * kPeriod, "1"}, {15 * kPeriod, "0"}}));
}

TEST(VcdWriter, PlacesChangesThatAreReportedLate) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdWriter writer(options());
    const auto a = writer.add_wire("top.a", 1);
    writer.start(out);
    EXPECT_THROW(writer.add_wire("top.b", 1), std::logic_error);
    writer.advance(Cycles(500));
    writer.set_span(Cycles(100), Cycles(110), a, 1);
    EXPECT_EQ(writer.late_changes(), 0);
    // Beyond the held-back cycles only the order of the file can be kept.
    writer.advance(Cycles(200) + VcdWriter::kHoldBack);
    writer.set_value(Cycles(150), a, 1);
    EXPECT_EQ(writer.late_changes(), 1);
    writer.finish(Cycles(2000));
    out.close();
    EXPECT_EQ(read_vcd(file.content()).changes.at("top.a"),
              (std::map<std::int64_t, std::string>{
                  {0, "0"}, {100 * kPeriod, "1"}, {110 * kPeriod, "0"}, {200 * kPeriod, "1"}}));
}

TEST(VcdWriter, FileGrowsDuringTheRun) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdWriter writer(options());
    const auto a = writer.add_wire("top.a", 1);
    writer.start(out);
    for (int cycle = 0; cycle < 20'000; ++cycle) {
        writer.advance(Cycles(cycle));
        writer.set_value(Cycles(cycle), a, cycle % 2 == 0 ? 1 : 0);
    }
    const std::string part = file.content();
    EXPECT_GE(part.size(), 2U * 64U * 1024U);
    writer.finish(Cycles(20'000));
    out.close();
    EXPECT_EQ(file.content().compare(0, part.size(), part), 0);
}

TEST(VcdWriter, RefusesAnEmptyWindow) {
    VcdOptions window = options();
    window.from = Cycles(10);
    window.to = Cycles(9);
    EXPECT_THROW(VcdWriter{window}, std::invalid_argument);
    EXPECT_THROW(VcdWriter{VcdOptions{}}, std::invalid_argument);
}

TEST(VcdWriter, IdentifiersStayDistinctBeyondOneCharacter) {
    const TemporaryFile file("wave.vcd");
    OutputFile out(file.path());
    VcdWriter writer(options());
    for (int i = 0; i < 10'000; ++i) writer.add_wire("top.w" + std::to_string(i), 1);
    writer.start(out);
    writer.finish(Cycles(1));
    out.close();
    EXPECT_EQ(read_vcd(file.content()).types.size(), 10'000U);
}

TEST(Gtkw, GroupsTheDeclaredVariables) {
    SmallCore core;
    VcdOptions chosen = options(true);
    chosen.scopes = {"aic0.cube", "aic0.links", "aic0.events.MTE1_to_M"};
    chosen.from = Cycles(7);
    const VcdObserver observer(core.hub, chosen, VcdLayout{});
    const TemporaryFile file("wave.vcd.gtkw");
    OutputFile out(file.path());
    const std::string dump =
        (std::filesystem::path(file.path()).parent_path() / "wave.vcd").string();
    write_gtkw(out, dump, observer);
    out.close();
    const std::string text = file.content();
    EXPECT_EQ(text.find("[dumpfile] \"wave.vcd\"\n[timestart] 7000\n"), 0U);
    EXPECT_NE(text.find("[treeopen] aic0.\n"), std::string::npos);
    EXPECT_NE(text.find("\n@28\nchip.clk\n"), std::string::npos);
    EXPECT_NE(text.find("-Pipes\n"), std::string::npos);
    EXPECT_NE(text.find("@20\n+{cube state} aic0.cube.state\n"), std::string::npos);
    EXPECT_NE(text.find("@24\n+{cube queue_fill[12:0]} aic0.cube.queue_fill[12:0]\n"),
              std::string::npos);
    EXPECT_NE(text.find("@28\n+{links l1_to_l0a busy} aic0.links.l1_to_l0a.busy\n"),
              std::string::npos);
    EXPECT_NE(text.find("@22\n+{events MTE1_to_M[7:0]} aic0.events.MTE1_to_M[7:0]\n"),
              std::string::npos);
    EXPECT_EQ(text.find("-Unit flags"), std::string::npos);
}

} // namespace
} // namespace aicore::tb::test
