#include "hw/config/platform_loader.h"

#include "hw/config/data_files.h"
#include "hw/config/strict_yaml.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace aicore {
namespace {

const std::string kPlatform = std::string(AICORE_SOURCE_DIR) + "/platform.yaml";

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

Platform with(const std::vector<std::string>& overrides) {
    return load_platform(kPlatform, overrides);
}

/// The message about one override, without the "--set path=value: " it begins with.
std::string set_error(const std::string& assignment) {
    const std::string message = error_of([&] { with({assignment}); });
    const std::string prefix = "--set " + assignment + ": ";
    if (message.compare(0, prefix.size(), prefix) != 0) return "no prefix: " + message;
    return message.substr(prefix.size());
}

/// A folder of its own for the files of a test.
class PlatformFiles : public ::testing::Test {
protected:
    PlatformFiles()
        : folder_(std::filesystem::path(::testing::TempDir()) /
                  ("platform_files_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~PlatformFiles() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = folder_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return file.string();
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string folder() const { return folder_.string(); }

    /// A file that extends the repository's platform in line 1; `text` begins in line 2.
    std::string derive(const std::string& text) const {
        return write("derived.yaml", "extends: " + kPlatform + "\n" + text);
    }
    /// The message about such a file, without the file's name in front.
    std::string derive_error(const std::string& text) const {
        const std::string file = derive(text);
        const std::string message = error_of([&] { load_platform(file, {}); });
        return message.compare(0, file.size(), file) == 0 ? message.substr(file.size()) : message;
    }

private:
    std::filesystem::path folder_;
};

TEST(PlatformLoader, ReadsThePlatformOfTheRepository) {
    const Platform p = with({});
    EXPECT_EQ(p.name, "ascend_2201");
    EXPECT_EQ(p.arch, 2201);
    EXPECT_EQ(p.memories.gm.size_bytes, Bytes(std::int64_t{64} << 30));
    EXPECT_EQ(p.memories.l1.usable(), Bytes(524288 - 256));
    EXPECT_EQ(p.memories.l0c.alignment_bytes, Bytes(64));
    EXPECT_EQ(p.memories.l1_banks.bank_groups, 8);
    EXPECT_EQ(p.memories.l0c_banks.row_bytes, Bytes(64));
    EXPECT_EQ(p.memories.power_on_byte, 0xa5);
    EXPECT_EQ(p.links.l1_to_l0a.bytes_per_cycle, BytesPerCycle(256));
    EXPECT_EQ(p.links.l1_to_l0a.elements_per_cycle, 0);
    EXPECT_EQ(p.links.l1_to_l0a.min_instruction_cycles, Cycles(0));
    EXPECT_EQ(p.links.l0c_to_gm.elements_per_cycle, 64);
    EXPECT_EQ(p.links.l0c_to_gm.min_instruction_cycles, Cycles(84));
    EXPECT_EQ(p.engines.cube.pipe.queue_depth, 16);
    EXPECT_EQ(p.engines.cube.drain_cycles, Cycles(17));
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::float16), 1);
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::float32), 2);
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::float32, true), 1);
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::int4), 1);
    EXPECT_THROW(p.engines.cube.cycles_per_fractal(DataType::int32), std::invalid_argument);
    EXPECT_EQ(p.engines.vector.cycles_per_repeat.gatherb, CycleHundredths(180));
    EXPECT_EQ(p.engines.vector.cycles_per_repeat.cmax_cmin, CycleHundredths(700));
    EXPECT_EQ(p.engines.mte2.outstanding_bursts, 68);
    EXPECT_EQ(p.engines.fixpipe.write_drain_cycles, Cycles(2));
    EXPECT_EQ(p.sync.event_ids, 8);
}

TEST(PlatformLoader, LimitsOfInstructionsAreTheUsableSizes) {
    const IsaLimits limits =
        isa_limits(with({"memories.fb.reserved_bytes=64", "sync.event_ids=4"}));
    EXPECT_EQ(limits.gm_bytes, std::int64_t{64} << 30);
    EXPECT_EQ(limits.l1_bytes, 524032);
    EXPECT_EQ(limits.l0a_bytes, 65536);
    EXPECT_EQ(limits.l0b_bytes, 65536);
    EXPECT_EQ(limits.l0c_bytes, 131072);
    EXPECT_EQ(limits.bt_bytes, 1024);
    EXPECT_EQ(limits.fb_bytes, 1984);
    EXPECT_EQ(limits.event_ids, 4);
    EXPECT_EQ(limits.fb1_bytes, 1024);
    EXPECT_EQ(limits.fb2_bytes, 2048);
    EXPECT_EQ(limits.fb3_bytes, 2048);
    EXPECT_EQ(limits.arch, 2201);
}

TEST(PlatformLoader, Arch3510ExtendsTheBase) {
    const Platform p = load_platform(find_platform_file("3510"), {});
    EXPECT_EQ(p.name, "ascend_3510");
    EXPECT_EQ(p.arch, 3510);
    EXPECT_EQ(p.memories.l0c.size_bytes, Bytes(256 * 1024));
    EXPECT_EQ(p.memories.bt.size_bytes, Bytes(4096));
    EXPECT_EQ(p.memories.ub.usable(), Bytes(253952));
    EXPECT_EQ(p.links.l0c_to_ub.bytes_per_cycle, BytesPerCycle(128));
    EXPECT_EQ(p.links.l0c_to_ub_dual.bytes_per_cycle, BytesPerCycle(256));
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::float32), 8);
    EXPECT_EQ(p.engines.cube.l0a_layout, L0aLayout::Nz);
    EXPECT_EQ(p.memories.l1.size_bytes, with({}).memories.l1.size_bytes); // of the base
    const IsaLimits limits = isa_limits(p);
    EXPECT_EQ(limits.ub_bytes, 253952);
    EXPECT_TRUE(limits.fixpipe_reaches_ub);
    EXPECT_EQ(limits.fixpipe.nz_dst_stride, PanelStrideUnit::elements);
    EXPECT_FALSE(isa_limits(with({})).fixpipe_reaches_ub) << "no path to it on arch 2201";
    EXPECT_EQ(find_platform_file(""), find_platform_file("2201"));
    EXPECT_EQ(find_platform_file("a/b.yaml"), "a/b.yaml");
}

TEST(PlatformLoader, OverridesComeLast) {
    const Platform p = with({"links.l1_to_l0a.bytes_per_cycle=128", "memories.power_on_byte=0x10",
                             "engines.cube.cycles_per_fractal.int8=3", "platform=other",
                             "links.l1_to_l0a.bytes_per_cycle=64"});
    EXPECT_EQ(p.links.l1_to_l0a.bytes_per_cycle, BytesPerCycle(64));
    EXPECT_EQ(p.memories.power_on_byte, 16);
    EXPECT_EQ(p.engines.cube.cycles_per_fractal(DataType::int8), 3);
    EXPECT_EQ(p.name, "other");
    EXPECT_EQ(p.links.l1_to_l0b.bytes_per_cycle, BytesPerCycle(128));
}

TEST(PlatformLoader, OverridesThatNameNoKey) {
    EXPECT_EQ(set_error("clock.speed=1"), "unknown key, expected one of: clock.frequency_mhz");
    EXPECT_EQ(set_error("links.l1_to_l0a.bytes=1"),
              "unknown key, expected one of: links.l1_to_l0a.bytes_per_cycle, "
              "links.l1_to_l0a.latency_cycles, links.l1_to_l0a.elements_per_cycle, "
              "links.l1_to_l0a.min_instruction_cycles");
    EXPECT_EQ(set_error("nope=1"),
              "unknown key, expected one of: platform, arch, chip, clock, memories, "
              "links, engines, numerics, sync");
    EXPECT_EQ(set_error("sync=1"), "not a single value, expected one of: sync.event_ids, "
                                   "sync.cross_core_latency_cycles");
    EXPECT_EQ(set_error("sync.event_ids"), "expected path=value");
}

TEST(PlatformLoader, OverridesWithWrongValues) {
    EXPECT_EQ(set_error("links.l1_to_l0a.bytes_per_cycle=0"),
              "expected an integer 1..65536, found 0");
    EXPECT_EQ(set_error("links.l1_to_l0a.bytes_per_cycle=fast"),
              "expected an integer 1..65536, found fast");
    EXPECT_EQ(set_error("links.l1_to_l0a.latency_cycles=-1"),
              "expected an integer 0..1000000, found -1");
    EXPECT_EQ(set_error("engines.cube.queue_depth=4097"),
              "expected an integer 1..4096, found 4097");
    EXPECT_EQ(set_error("engines.mte1.in_flight=0"), "expected an integer 1..4096, found 0");
    EXPECT_EQ(set_error("engines.mte1.instruction_gap_cycles=-1"),
              "expected an integer 0..1000000, found -1");
    EXPECT_EQ(set_error("engines.mte2.outstanding_bursts=65537"),
              "expected an integer 32..65536, found 65537");
    EXPECT_EQ(set_error("clock.frequency_mhz=0"), "expected an integer 1..10000, found 0");
    EXPECT_EQ(set_error("memories.power_on_byte=256"), "expected an integer 0..255, found 256");
    EXPECT_EQ(set_error("sync.event_ids=9"), "expected an integer 1..8, found 9");
    EXPECT_EQ(set_error("sync.event_ids="), "expected an integer 1..8, found nothing");
    EXPECT_EQ(set_error("engines.cube.summation=tree"),
              "expected one of: sequential, pairwise, exact, exact_then_add; found tree");
    EXPECT_EQ(set_error("engines.vector.cycles_per_repeat.gatherb=0.99"),
              "expected a decimal 1..1024 with at most two places, found 0.99");
    EXPECT_EQ(set_error("engines.vector.cycles_per_repeat.div=4.125"),
              "expected a decimal 1..1024 with at most two places, found 4.125");
    EXPECT_EQ(set_error("platform="), "expected a name, found nothing");
}

TEST(PlatformLoader, RulesBetweenKeysNameTheOneGivenLast) {
    EXPECT_EQ(set_error("engines.cube.drain_cycles=61"),
              "expected at most engines.cube.startup_cycles (60), found 61");
    EXPECT_EQ(set_error("engines.cube.startup_cycles=16"),
              "expected at least engines.cube.drain_cycles (17), found 16");
    EXPECT_EQ(set_error("engines.fixpipe.write_drain_cycles=14"),
              "expected at most links.l0c_to_gm.latency_cycles (13), found 14");
    EXPECT_EQ(set_error("links.l0c_to_l1.latency_cycles=1"),
              "expected at least engines.fixpipe.write_drain_cycles (2), found 1");
    EXPECT_EQ(set_error("memories.l0a.size_bytes=65537"),
              "expected a multiple of memories.l0a.alignment_bytes (512), found 65537");
    EXPECT_EQ(set_error("memories.l0a.alignment_bytes=768"),
              "expected memories.l0a.alignment_bytes (768) to divide memories.l0a.size_bytes "
              "(65536), found 768");
    EXPECT_EQ(set_error("memories.l1.reserved_bytes=524320"),
              "expected at most memories.l1.size_bytes (524288), found 524320");
    EXPECT_EQ(
        set_error("memories.l1_banks.bank_groups=7"),
        "expected memories.l1_banks.bank_groups * memories.l1_banks.banks_per_group * "
        "memories.l1_banks.row_bytes (448) to divide memories.l1.size_bytes (524288), found 7");
    EXPECT_EQ(set_error("memories.l0c.size_bytes=1536"),
              "expected a multiple of memories.l0c_banks.banks * memories.l0c_banks.row_bytes "
              "(1024), found 1536");
    EXPECT_EQ(set_error("memories.hccs.peer_address=512"),
              "expected at least memories.gm.size_bytes (68719476736), found 512");
    EXPECT_EQ(set_error("memories.gm.size_bytes=2199023255552"),
              "expected at most memories.hccs.peer_address (1099511627776), found 2199023255552");
    EXPECT_EQ(set_error("memories.hccs.peer_address=68719476737"),
              "expected a multiple of the line of 512 bytes, found 68719476737");
}

TEST(PlatformLoader, APlatformMayHaveNoPeer) {
    const IsaLimits there = isa_limits(with({"memories.gm.reserved_bytes=4096"}));
    EXPECT_EQ(there.peer_gm_address, std::uint64_t{1} << 40);
    EXPECT_EQ(there.peer_gm_bytes, (std::int64_t{64} << 30) - 4096);
    const IsaLimits none =
        isa_limits(with({"memories.hccs.bytes_per_cycle=0", "memories.hccs.peer_address=0"}));
    EXPECT_EQ(none.peer_gm_bytes, 0);
}

TEST(PlatformLoader, DumpReadsBackToTheSamePlatform) {
    const std::string file = ::testing::TempDir() + "platform_dump_" + std::to_string(getpid());
    for (const char* name :
         {"ascend_2201", "a: b", "# no comment", "null", " spaces ", "- 'x\"\n"}) {
        const Platform original =
            with({std::string("platform=") + name, "engines.mte3.queue_depth=5",
                  "links.gm_to_l1.min_instruction_cycles=7", "memories.power_on_byte=0"});
        const std::string text = dump_platform(original);
        std::ofstream(file) << text;
        const Platform copy = load_platform(file, {});
        EXPECT_EQ(copy.name, name);
        EXPECT_EQ(copy.engines.mte3.pipe.queue_depth, 5);
        EXPECT_EQ(copy.links.gm_to_l1.min_instruction_cycles, Cycles(7));
        EXPECT_EQ(dump_platform(copy), text);
    }
    std::filesystem::remove(file);
}

TEST(PlatformLoader, DumpHoldsTheEffectiveValues) {
    const std::string text = dump_platform(with({"clock.frequency_mhz=1800"}));
    const std::string head =
        "platform: ascend_2201\narch: 2201\nchip:\n  ai_cores: 1\n  vector_cores_per_ai_core: 2\n"
        "clock:\n  frequency_mhz: 1800\n";
    EXPECT_EQ(text.substr(0, head.size()), head);
    EXPECT_NE(text.find("\n    cycles_per_fractal:\n      float16: 1\n"), std::string::npos);
}

TEST(PlatformLoader, DumpWritesDecimalsAsShortAsTheyAre) {
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"1", "1"},         {"1.8", "1.8"}, {"1.80", "1.8"},    {"6.85", "6.85"},
        {"10.05", "10.05"}, {"2.00", "2"},  {"1024.00", "1024"}};
    for (const auto& [given, written] : texts) {
        const std::string text =
            dump_platform(with({"engines.vector.cycles_per_repeat.gatherb=" + given}));
        EXPECT_NE(text.find("\n      gatherb: " + written + "\n"), std::string::npos) << given;
    }
}

TEST_F(PlatformFiles, DerivedFileOverridesSingleKeys) {
    write("middle/b.yaml",
          "extends: " + kPlatform + "\nplatform: b\nlinks:\n  l1_to_l0a: {latency_cycles: 5}\n");
    const std::string file =
        write("c.yaml",
              "extends: middle/b.yaml\nplatform: c\nlinks:\n  l1_to_l0a: {bytes_per_cycle: 7}\n");
    const Platform p = load_platform(file, {"engines.mte1.in_flight=9"});
    EXPECT_EQ(p.name, "c");
    EXPECT_EQ(p.links.l1_to_l0a.latency_cycles, Cycles(5));
    EXPECT_EQ(p.links.l1_to_l0a.bytes_per_cycle, BytesPerCycle(7));
    EXPECT_EQ(p.engines.mte1.pipe.in_flight, 9);
    EXPECT_EQ(p.engines.mte1.pipe.queue_depth, 32);
}

TEST_F(PlatformFiles, ErrorsHaveTheirPlace) {
    EXPECT_EQ(derive_error("clock:\n  frequency_mhz: 1850\n  speed: 3\n"),
              ":4:3: clock.speed: unknown key, expected one of: frequency_mhz");
    EXPECT_EQ(
        derive_error("clock.frequency_mhz: 1\n"),
        ":2:1: clock.frequency_mhz: unknown key, expected one of: platform, arch, chip, clock, "
        "memories, links, engines, numerics, sync, extends");
    EXPECT_EQ(derive_error("clock: {frequency_mhz: 1, frequency_mhz: 2}\n"),
              ":2:27: clock.frequency_mhz: duplicate key, first at line 2");
    EXPECT_EQ(derive_error("links:\n  l1_to_l0a:\n    bytes_per_cycle: 0\n"),
              ":4:22: links.l1_to_l0a.bytes_per_cycle: expected an integer 1..65536, found 0");
    EXPECT_EQ(derive_error("engines:\n  mte1: {queue_depth: 010}\n"),
              ":3:23: engines.mte1.queue_depth: expected an integer 1..4096, found 010 (write it "
              "without leading zeros)");
    EXPECT_EQ(derive_error("engines:\n  vector: {cycles_per_repeat: {compare: 1.875}}\n"),
              ":3:41: engines.vector.cycles_per_repeat.compare: expected a decimal 1..1024 with at "
              "most two places, found 1.875");
    EXPECT_EQ(derive_error("sync: 3\n"), ":2:7: sync: expected a map, found 3");
    EXPECT_EQ(derive_error("sync:\n  event_ids: {a: 1}\n"),
              ":3:14: sync.event_ids: expected an integer 1..8, found a map");
    EXPECT_EQ(derive_error("engines:\n  cube:\n    startup_cycles: 10\n"),
              ":4:21: engines.cube.startup_cycles: expected at least engines.cube.drain_cycles "
              "(17), found 10");
    EXPECT_EQ(derive_error("a: 'b\n"), ":2:6: illegal EOF in scalar");
}

TEST_F(PlatformFiles, ErrorsInABaseNameTheBase) {
    const std::string base = write("base.yaml", "platform: b\nclocks: 3\n");
    const std::string file = write("derived.yaml", "extends: base.yaml\n");
    EXPECT_EQ(
        error_of([&] { load_platform(file, {}); }),
        base + ":2:1: clocks: unknown key, expected one of: platform, arch, chip, clock, memories, "
               "links, engines, numerics, sync, extends");
}

TEST_F(PlatformFiles, ExtendsThatLeadsNowhere) {
    const std::string file = write("a.yaml", "platform: a\nextends: none.yaml\n");
    EXPECT_EQ(error_of([&] { load_platform(file, {}); }),
              file + ":2:10: extends: expected a file, found no " + path("none.yaml"));
    const std::string list = write("b.yaml", "extends: [a.yaml]\n");
    EXPECT_EQ(error_of([&] { load_platform(list, {}); }),
              list + ":1:10: extends: expected a string, found a list");
}

TEST_F(PlatformFiles, ExtendsInACircle) {
    const std::string a = write("a.yaml", "extends: b.yaml\n");
    const std::string b = write("b.yaml", "platform: b\nextends: ./a.yaml\n");
    EXPECT_EQ(error_of([&] { load_platform(a, {}); }),
              b + ":2:10: extends: expected no cycle, found " + a + " -> " + b + " -> " + a);
    const std::string self = write("self.yaml", "extends: self.yaml\n");
    EXPECT_EQ(error_of([&] { load_platform(self, {}); }),
              self + ":1:10: extends: expected no cycle, found " + self + " -> " + self);
}

TEST_F(PlatformFiles, EveryRequiredKeyMustBeGiven) {
    std::istringstream complete(dump_platform(with({})));
    std::string text;
    for (std::string line; std::getline(complete, line);) {
        if (line.find("event_ids") == std::string::npos) text += line + "\n";
    }
    const std::string file = write("incomplete.yaml", text);
    EXPECT_EQ(error_of([&] { load_platform(file, {}); }), file + ": missing key sync.event_ids");
    EXPECT_EQ(load_platform(file, {"sync.event_ids=8"}).sync.event_ids, 8);

    const std::string name_only = write("name.yaml", "platform: x\n");
    EXPECT_EQ(
        error_of([&] { load_platform(name_only, {}); }).find(name_only + ": missing key arch"), 0u);
}

TEST_F(PlatformFiles, FilesWithoutAMap) {
    const std::string empty = write("empty.yaml", "");
    EXPECT_EQ(error_of([&] { load_platform(empty, {}); }),
              empty + ": expected a map, found nothing");
    EXPECT_EQ(error_of([&] { load_platform(path("none.yaml"), {}); }),
              path("none.yaml") + ": cannot read: No such file or directory");
}

TEST_F(PlatformFiles, DataFilesAreFound) {
    unsetenv("AICORE_SC_DATA");
    EXPECT_EQ(find_data_file("platform.yaml"), kPlatform);
    const std::string message = error_of([] { find_data_file("none.yaml"); });
    EXPECT_EQ(message.find("none.yaml: not found in "), 0u) << message;
    EXPECT_NE(message.find("share/aicore-sc, " AICORE_SOURCE_DIR), std::string::npos) << message;

    setenv("AICORE_SC_DATA", folder().c_str(), 1);
    EXPECT_EQ(error_of([] { find_data_file("platform.yaml"); }),
              "platform.yaml: not found in " + folder());
    const std::string file = write("platform.yaml", "");
    EXPECT_EQ(find_data_file("platform.yaml"), file);
    unsetenv("AICORE_SC_DATA");
}

} // namespace
} // namespace aicore
