#include "tb/validate/validation_reader.h"

#include "hw/config/data_files.h"
#include "hw/config/platform_loader.h"
#include "tb/program/program_check.h"
#include "tb/validate/validate_command.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

namespace aicore::tb {
namespace {

std::string error_of(const std::string& rows) {
    try {
        load_validation_text("rows:\n" + rows, "f");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// A row in one line with `changes` in place of its last keys.
std::string row(const std::string& work, const std::string& changes = "published: 1") {
    return "  - {id: a, workload: w, source: s, calibrated: true, " + work + ", " + changes + "}\n";
}

constexpr const char* kTheory = "theory: {m: 1, n: 1, k: 1, loops: 1, dtype: float16}";
constexpr const char* kProgram = "program: [], measure: {kind: total}";

TEST(ValidationReader, KeysOfARow) {
    const auto rows = load_validation_text(R"(rows:
  - id: some_row
    workload: what runs
    program: [{op: clear_unit_flags}]
    measure: {kind: interval, pipe: FIX, first: 1, last: 4}
    platform: '3510'
    set: [a.b=1, c=2]
    published: 12.5
    tolerance_cycles: 3
    rule: at_least
    calibrated: true
    source: somewhere
)",
                                           "f");
    ASSERT_EQ(rows.size(), 1U);
    const ValidationRow& row = rows.front();
    EXPECT_EQ(row.id, "some_row");
    EXPECT_EQ(row.workload, "what runs");
    EXPECT_EQ(row.source, "somewhere");
    EXPECT_TRUE(std::holds_alternative<ProgramWork>(row.work));
    EXPECT_EQ(row.measure.figure, Figure::interval);
    EXPECT_EQ(row.measure.pipe, Pipe::FIX);
    EXPECT_EQ(row.measure.first, 1U);
    EXPECT_EQ(row.measure.last, 4U);
    EXPECT_EQ(row.platform, "3510");
    EXPECT_EQ(row.platform_set, (std::vector<std::string>{"a.b=1", "c=2"}));
    EXPECT_EQ(row.published.evaluate({}), 12.5);
    EXPECT_EQ(row.tolerance_cycles, 3);
    EXPECT_FALSE(row.tolerance_percent.has_value());
    EXPECT_EQ(row.rule, Rule::at_least);
    EXPECT_TRUE(row.calibrated);
}

TEST(ValidationReader, SweepGivesARowForEachValue) {
    const auto rows = load_validation_text(R"(rows:
  - id: r_{n}
    sweep: {n: [2, 3], c: [20, 30]}
    workload: '{n} by {n}'
    gemm: {m: n, n: n * 16, k: 7, dtype: int8, out_dtype: int32, tile: [16, n, 32],
           double_buffer: false, unit_flag: false}
    measure: {kind: total}
    published: '{c} + 1'
    calibrated: false
    source: s
)",
                                           "f");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].id, "r_2");
    EXPECT_EQ(rows[1].workload, "3 by 3");
    EXPECT_EQ(rows[1].published.evaluate({}), 31);
    const GemmSpec& spec = std::get<GemmWork>(rows[1].work).spec;
    EXPECT_EQ(spec.m, 3);
    EXPECT_EQ(spec.n, 48);
    EXPECT_EQ(spec.k, 7);
    EXPECT_EQ(spec.dtype, DataType::int8);
    EXPECT_EQ(spec.out_dtype, DataType::int32);
    EXPECT_EQ(spec.tile_n, 3);
    EXPECT_FALSE(spec.double_buffer);
    EXPECT_FALSE(spec.unit_flag);
}

TEST(ValidationReader, NeedsAreRowsBefore) {
    const std::string good = row(kTheory) + "  - {id: b, workload: w, source: s, calibrated: true, "
                                            "formula: a + 1, published: a}\n";
    EXPECT_EQ(error_of(good), "no error");
    EXPECT_EQ(error_of(row("formula: b + 1")),
              "f:2:5: rows[0]: a uses b, which is no row before it");
    EXPECT_EQ(error_of(row("mean_error: [a]")),
              "f:2:5: rows[0]: a uses a, which is no row before it");
    EXPECT_EQ(error_of(row(kTheory, "published: 2 * b")),
              "f:2:5: rows[0]: a uses b, which is no row before it");
}

TEST(ValidationReader, Mistakes) {
    const auto has = [](const std::string& rows, const std::string& message) {
        EXPECT_NE(error_of(rows).find(message), std::string::npos) << error_of(rows);
    };
    has(row(kTheory) + row(kTheory), "f:3:10: rows[1].id: a is the id of another row");
    has(row(kTheory, "published: 1, toleranse: 2"), "toleranse");
    has(row(kTheory, "tolerance_percent: 1"), "published");
    has(row(kTheory, "published: 1 +"), "published: 1 +: ");
    has(row(kTheory, "published: 1, tolerance_percent: -1"), "must not be negative");
    has(row(kTheory, "published: 1, tolerance_percent: 1, tolerance_cycles: 1"),
        "the row has a tolerance_percent already");
    has(row(kTheory, "published: 1, rule: near"), "\"near\": expected one of");
    has(row(kTheory, "published: 1, measure: {kind: total}"), "only for a program or a gemm");
    has(row(kTheory, "published: 1, set: [a=1]"), "only for a program or a gemm");
    has(row("formula: 1, mean_error: [b]"), "expected exactly one of program, gemm");
    has(row("rule: within"), "expected exactly one of program, gemm");
    has(row("mean_error: []"), "expected at least one row");
    has(row("program: []"), "measure");
    has(row("program: [], measure: {kind: lone}"), "pipe");
    has(row("program: [], measure: {kind: total, pipe: M}"), "pipe");
    has(row("program: [], measure: {kind: longest, pipe: M}"), "\"longest\": expected one of");
    has(row("program: [], measure: {kind: span, pipe: M, first: 2, last: 1}"),
        "must not be before first");
    has(row("theory: {m: 0, n: 1, k: 1, loops: 1, dtype: float16}"), "must be from 1 to");
    has(row("theory: {m: 1, n: 1, k: 1, loops: 1, dtype: int32}"), "int32");
    has(row("gemm: {m: 1, n: 1, k: 1, tile: [1, 2]}, measure: {kind: total}"),
        "expected [m, n, k]");
    has(row(kProgram, "published: 1, sweep: {n: [1, 2], m: [1]}"), "expected 2 values");
    has(row(kProgram, "published: 1, sweep: {n: [1, 2]}"), "a is the id of another row");
    has(row(kProgram, "published: '{n}'"), "{n} is no variable of the sweep");
    has("  - {id: Big, workload: w, source: s, calibrated: true, formula: 1, published: 1}\n",
        "Big: expected small letters");
}

TEST(ValidationReader, IncludesFilesBesideIt) {
    const std::string file = find_data_file(kValidationRows);
    const std::string own = "rows:\n" + row(kTheory);
    EXPECT_GT(load_validation_text("include: [cube_types.yaml]\n" + own, file).size(), 7U);
    try {
        load_validation_text("include: [no_such_file.yaml]\n" + own, file);
        FAIL() << "the file does not exist";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("no_such_file.yaml"), std::string::npos);
    }
}

/// Every row of the file that comes with the program is legal on its platform.
TEST(ValidationReader, RowsOfTheProgram) {
    const auto rows = load_validation_rows(find_data_file(kValidationRows));
    EXPECT_GT(rows.size(), 40U);
    const auto is_included = [](const ValidationRow& row) { return row.id == "mmad_type_int4"; };
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), is_included), 1);
    for (const ValidationRow& row : rows) {
        SCOPED_TRACE(row.id);
        const Platform platform = load_platform(find_platform_file(row.platform), row.platform_set);
        if (const auto* work = std::get_if<ProgramWork>(&row.work)) {
            const Program program = read_statements(work->body, work->variables, work->core);
            EXPECT_NO_THROW(check_program(program, isa_limits(platform), platform.chip));
        }
    }
}

} // namespace
} // namespace aicore::tb
