#include "tb/validate/measuring.h"

#include "hw/config/data_files.h"
#include "tb/validate/validate_command.h"
#include "tb/validate/validation_reader.h"
#include "tests/support/sim_test.h"

#include <sstream>

namespace aicore::tb {
namespace {

using test::SimTest;

class Measuring : public SimTest {
protected:
    std::map<std::string, double> simulate(const std::string& rows) {
        return simulate_rows(load_validation_text("rows:\n" + rows, "f"), platform, {});
    }

    const std::string platform = find_data_file("platform.yaml");
};

constexpr const char* kEnd = ", published: 1, workload: w, source: s, calibrated: false}\n";

/// A lone load of 16 KB on the row's own platform.
std::string load_row(const std::string& id, const std::string& keys) {
    return "  - {id: " + id +
           ", program: [{op: load2d, src_addr: 0, dst: L0A, dst_addr: 0, "
           "elem_bytes: 2, repeat: 32}], measure: {kind: lone, pipe: MTE1}" +
           keys + kEnd;
}

TEST_F(Measuring, EveryRowStartsFromPowerOnAndOnItsPlatform) {
    const auto figures =
        simulate(load_row("a", "") + load_row("b", ", set: [links.l1_to_l0a.latency_cycles=100]") +
                 load_row("c", "") + load_row("d", ", set: [links.l1_to_l0a.bytes_per_cycle=128]"));
    EXPECT_EQ(figures,
              (std::map<std::string, double>{{"a", 92}, {"b", 164}, {"c", 92}, {"d", 156}}));
}

TEST_F(Measuring, ARowMayNameItsPlatform) {
    const auto figures =
        simulate(load_row("a", ", platform: '3510'") + load_row("b", "") +
                 load_row("c", ", platform: '3510', set: [links.l1_to_l0a.latency_cycles=100]"));
    EXPECT_EQ(figures, (std::map<std::string, double>{{"a", 94}, {"b", 92}, {"c", 164}}));
}

TEST_F(Measuring, UnitFlagsDoNotOutliveARow) {
    const std::string mmad =
        "{op: mmad, a_addr: 0, b_addr: 0, c_addr: 0, ab_dtype: float16, m: 16, "
        "n: 16, k: 16, c_init_zero: true, unit_flag: 3}";
    const auto row = [&mmad](const std::string& id) {
        return "  - {id: " + id + ", program: [" + mmad + "], measure: {kind: lone, pipe: M}" +
               kEnd;
    };
    const auto figures = simulate(row("a") + row("b"));
    EXPECT_EQ(figures.at("a"), 61);
    EXPECT_EQ(figures.at("b"), 61);
}

TEST_F(Measuring, RunThatHangs) {
    const std::string row = std::string("  - {id: a, program: [{op: wait_flag, src: M, dst: FIX, "
                                        "id: 0}], measure: {kind: total}") +
                            kEnd;
    try {
        simulate(row);
        ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "a: the program hangs");
    }
}

TEST_F(Measuring, IllegalProgramIsFoundBeforeARun) {
    const std::string row = std::string("  - {id: a, program: [{op: set_flag, src: M, dst: FIX, "
                                        "id: 9}], measure: {kind: total}") +
                            kEnd;
    try {
        simulate(row);
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("f:2:", 0), 0U) << error.what();
    }
}

TEST_F(Measuring, CommandShowsTheChosenRows) {
    ValidateOptions options;
    options.rows_file = find_data_file(kValidationRows);
    options.platform_file = platform;
    options.ids = {"kloop_mean_error"}; // needs four others
    options.json = true;
    std::ostringstream out;
    EXPECT_EQ(validate_command(options, out), 0);
    EXPECT_NE(out.str().find("\"id\": \"kloop_mean_error\""), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("\"id\": \"kloop_256\""), std::string::npos) << out.str();

    options.overrides = {"engines.cube.instruction_gap_cycles=20"};
    EXPECT_EQ(validate_command(options, out), kToleranceMissed);
    options.ids = {"no_such_row"};
    EXPECT_THROW(validate_command(options, out), InputError);
}

} // namespace
} // namespace aicore::tb
