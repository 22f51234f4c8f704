#include "tb/validate/validation.h"

#include "tb/validate/forked_task.h"
#include "tb/validate/pipe_recorder.h"
#include "tb/validate/validate_report.h"
#include "tb/validate/validation_reader.h"

#include <cmath>
#include <csignal>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aicore::tb {
namespace {

/// A row that takes its figure from `id`_raw; the tests set that.
std::string row_text(const std::string& id, const std::string& keys) {
    return "  - {id: " + id + ", workload: w, source: s, calibrated: false, " + keys + "}\n";
}

std::vector<ValidationRow> rows_of(const std::string& text) {
    return load_validation_text("rows:\n" + text, "f");
}

constexpr const char* kMeasured = "program: [], measure: {kind: total}, ";

RowResult judged(const std::string& keys, double simulated) {
    return judge(rows_of(row_text("a", kMeasured + keys)), {{"a", simulated}}, {}).front();
}

CubeConfig cube_of_2201() {
    CubeConfig cube;
    cube.startup_cycles = Cycles(60);
    cube.cycles_per_fractal_float16 = 1;
    cube.cycles_per_fractal_float32 = 2;
    return cube;
}

TEST(ValidationFormula, NamesAndValues) {
    const Formula formula("max(a, b_2) + 40/2");
    EXPECT_EQ(formula.names(), (std::set<std::string>{"a", "b_2"}));
    EXPECT_EQ(formula.evaluate({{"a", 1}, {"b_2", 7.5}, {"unused", 0}}), 27.5);
    EXPECT_TRUE(Formula("28 + 512 / 256").names().empty());
    EXPECT_EQ(Formula("28 + 512 / 256").evaluate({}), 30);
}

TEST(ValidationFormula, BadTexts) {
    for (const char* text : {"", "1 +", "a = 3", "nothing(a)", "1, 2", "(1", "\"a\""}) {
        EXPECT_THROW(Formula{text}, std::invalid_argument) << text;
    }
    EXPECT_THROW(Formula("1 / a").evaluate({{"a", 0}}), std::domain_error);
}

TEST(ValidationVerdict, PercentWithin) {
    EXPECT_EQ(judged("published: 200, tolerance_percent: 1", 202).passed, true);
    EXPECT_EQ(judged("published: 200, tolerance_percent: 1", 198).passed, true);
    EXPECT_EQ(judged("published: 200, tolerance_percent: 1", 202.1).passed, false);
    EXPECT_EQ(judged("published: 200, tolerance_percent: 1", 197.9).passed, false);
    EXPECT_DOUBLE_EQ(judged("published: 200, tolerance_percent: 1", 197).error_percent.value(),
                     -1.5);
}

TEST(ValidationVerdict, CyclesWithin) {
    const RowResult result = judged("published: 10, tolerance_cycles: 1", 11);
    EXPECT_EQ(result.passed, true);
    EXPECT_DOUBLE_EQ(result.error_percent.value(), 10);
    EXPECT_DOUBLE_EQ(result.tolerance_percent.value(), 10);
    EXPECT_EQ(judged("published: 10, tolerance_cycles: 1", 12).passed, false);
    EXPECT_EQ(judged("published: 10, tolerance_cycles: 0", 10).passed, true);
    EXPECT_EQ(judged("published: 10, tolerance_cycles: 0", 10.001).passed, false);
    EXPECT_EQ(judged("published: 0, tolerance_cycles: 2", 2).passed, true);
    EXPECT_EQ(judged("published: 0, tolerance_cycles: 2", 3).passed, false);
    EXPECT_FALSE(judged("published: 0, tolerance_cycles: 2", 3).error_percent.has_value());
}

TEST(ValidationVerdict, OneSided) {
    const std::string most = "published: 100, rule: at_most, tolerance_cycles: 0";
    EXPECT_EQ(judged(most, 1).passed, true);
    EXPECT_EQ(judged(most, 100).passed, true);
    EXPECT_EQ(judged(most, 101).passed, false);
    const std::string least = "published: 100, rule: at_least, tolerance_percent: 5";
    EXPECT_EQ(judged(least, 1000).passed, true);
    EXPECT_EQ(judged(least, 95).passed, true);
    EXPECT_EQ(judged(least, 94.9).passed, false);
}

TEST(ValidationVerdict, ReportOnlyHasNone) {
    const RowResult result = judged("published: 100", 300);
    EXPECT_FALSE(result.passed.has_value());
    EXPECT_FALSE(result.tolerance_percent.has_value());
    EXPECT_DOUBLE_EQ(result.error_percent.value(), 200);
}

TEST(ValidationVerdict, MeanOfErrors) {
    const auto rows = rows_of(row_text("a", std::string(kMeasured) + "published: 100") +
                              row_text("b", std::string(kMeasured) + "published: 200") +
                              row_text("m", "mean_error: [a, b], published: 0, "
                                            "tolerance_percent: 2"));
    const auto good = judge(rows, {{"a", 101}, {"b", 194}}, {}); // +1 %, -3 %
    EXPECT_DOUBLE_EQ(good[2].simulated, 2);
    EXPECT_DOUBLE_EQ(good[2].error_percent.value(), 2);
    EXPECT_EQ(good[2].passed, true);
    EXPECT_EQ(judge(rows, {{"a", 101}, {"b", 193}}, {})[2].passed, false);
}

TEST(ValidationVerdict, MeanNeedsErrors) {
    const auto rows = rows_of(row_text("a", std::string(kMeasured) + "published: 0") +
                              row_text("m", "mean_error: [a], published: 0"));
    EXPECT_THROW(judge(rows, {{"a", 1}}, {}), std::domain_error);
}

TEST(ValidationVerdict, FormulasUseRowsBefore) {
    const auto rows = rows_of(row_text("a", std::string(kMeasured) + "published: 1") +
                              row_text("b", "formula: a * 2, published: a + 5") +
                              row_text("c", "formula: b - a, published: 1"));
    const auto results = judge(rows, {{"a", 10}}, {});
    EXPECT_EQ(results[1].simulated, 20);
    EXPECT_EQ(results[1].published, 15);
    EXPECT_EQ(results[2].simulated, 10);
}

TEST(ValidationTheory, OneStartUpForAllLoops) {
    const CubeConfig cube = cube_of_2201();
    EXPECT_EQ((TheoryWork{128, 256, 64, 8, DataType::float16}.cycles(cube)), Cycles(4156));
    EXPECT_EQ((TheoryWork{128, 128, 64, 8, DataType::float16}.cycles(cube)), Cycles(2108));
    EXPECT_EQ((TheoryWork{16, 16, 8, 1, DataType::float32}.cycles(cube)), Cycles(62));
    EXPECT_EQ((TheoryWork{17, 1, 9, 3, DataType::float32}.cycles(cube)), Cycles(60 + 3 * 8));
}

class Recorded : public testing::Test {
protected:
    void event(std::int64_t cycle, const Operation& operation, InstructionStage stage) {
        const Instruction instruction{operation, {}};
        const Pipe unit = pipe_of(operation);
        const PipeInfo pipe{"a.pipe", unit, core * kPipes + static_cast<int>(unit)};
        recorder.on_stage(Cycles(cycle), pipe, {1, &instruction}, stage);
    }
    void instruction(const Operation& operation, std::int64_t issued, std::int64_t done) {
        event(issued - 1, operation, InstructionStage::dispatched);
        event(issued, operation, InstructionStage::issued);
        event(issued, operation, InstructionStage::executing);
        event(done, operation, InstructionStage::done);
    }

    PipeRecorder recorder;
    int core = 0;
};

TEST_F(Recorded, FiguresOfAPipe) {
    instruction(Mmad{}, 5, 30);
    instruction(SetFlag{Pipe::M, Pipe::FIX, 0}, 1, 31);
    instruction(PipeBarrier{Pipe::M}, 1, 100);
    instruction(Load2d{}, 0, 77);
    instruction(Mmad{}, 6, 45);
    instruction(Mmad{}, 7, 55);
    EXPECT_EQ(recorder.figure({Figure::span, Pipe::M, 0, {}}), 50);
    EXPECT_EQ(recorder.figure({Figure::span, Pipe::M, 1, 1}), 39);
    EXPECT_EQ(recorder.figure({Figure::interval, Pipe::M, 0, {}}), 12.5);
    EXPECT_EQ(recorder.figure({Figure::interval, Pipe::M, 1, 2}), 10);
    EXPECT_EQ(recorder.figure({Figure::lone, Pipe::MTE1, 0, {}}), 77);
}

TEST_F(Recorded, BusyWhileAnInstructionIsUnderWay) {
    instruction(Mmad{}, 5, 30);
    instruction(Mmad{}, 20, 45); // overlaps the first one
    instruction(Mmad{}, 50, 55);
    EXPECT_EQ(recorder.figure({Figure::busy, Pipe::M, 0, {}}), 45);
    EXPECT_EQ(recorder.figure({Figure::busy, Pipe::M, 1, {}}), 30);
    EXPECT_EQ(recorder.figure({Figure::busy, Pipe::M, 2, 2}), 5);
}

TEST_F(Recorded, FiguresOfSeveralCores) {
    instruction(Mmad{}, 5, 30);
    instruction(Mmad{}, 20, 40);
    core = 1;
    instruction(Mmad{}, 3, 33);
    instruction(Mmad{}, 40, 63);
    EXPECT_EQ(recorder.figure({Figure::span, Pipe::M, 0, {}}), 60);
    EXPECT_EQ(recorder.figure({Figure::interval, Pipe::M, 0, {}}), 20);
    EXPECT_EQ(recorder.figure({Figure::busy, Pipe::M, 0, {}}), 44);
    core = 2;
    instruction(Mmad{}, 0, 1);
    EXPECT_THROW(recorder.figure({Figure::busy, Pipe::M, 1, {}}), std::runtime_error);
}

TEST_F(Recorded, TooFewOrTooMany) {
    instruction(Mmad{}, 5, 30);
    EXPECT_THROW(recorder.figure({Figure::interval, Pipe::M, 0, {}}), std::runtime_error);
    EXPECT_THROW(recorder.figure({Figure::span, Pipe::M, 0, 1}), std::runtime_error);
    EXPECT_THROW(recorder.figure({Figure::lone, Pipe::FIX, 0, {}}), std::runtime_error);
    instruction(Mmad{}, 6, 40);
    EXPECT_THROW(recorder.figure({Figure::lone, Pipe::M, 0, {}}), std::runtime_error);
    recorder.clear();
    EXPECT_THROW(recorder.figure({Figure::span, Pipe::M, 0, {}}), std::runtime_error);
}

TEST(ForkedTask, ResultsErrorsAndDeaths) {
    ForkedTask text([] { return std::string(100'000, 'x'); });
    ForkedTask error([]() -> std::string { throw std::runtime_error("what went wrong"); });
    ForkedTask death([]() -> std::string {
        raise(SIGKILL);
        return "";
    });
    EXPECT_EQ(text.result(), std::string(100'000, 'x'));
    const auto message_of = [](ForkedTask& task) {
        try {
            return task.result();
        } catch (const std::runtime_error& failure) {
            return std::string(failure.what());
        }
    };
    EXPECT_EQ(message_of(error), "what went wrong");
    EXPECT_EQ(message_of(death), "a simulation died: Killed");
    const ForkedTask unasked([] { return std::string(100'000, 'x'); }); // ends with its object
}

TEST(ValidationReport, Json) {
    const auto rows =
        rows_of(row_text("a", std::string(kMeasured) + "published: 200, tolerance_percent: 1") +
                row_text("b", std::string(kMeasured) + "published: 172.8"));
    const auto results = judge(rows, {{"a", 203}, {"b", 216}}, {});
    const auto json = validation_json({{&rows[0], results[0]}, {&rows[1], results[1]}});
    EXPECT_EQ(json["schema"], "aicore-validate/1");
    const auto& first = json["rows"][0];
    EXPECT_EQ(first.dump(), R"({"id":"a","workload":"w","published":200,"simulated":203,)"
                            R"("error_percent":1.5,"tolerance_percent":1,"rule":"within",)"
                            R"("passed":false,"calibrated":false,"source":"s"})");
    const auto& second = json["rows"][1];
    EXPECT_EQ(second["published"], 172.8);
    EXPECT_TRUE(second["tolerance_percent"].is_null());
    EXPECT_TRUE(second["passed"].is_null());
}

TEST(ValidationReport, Table) {
    const auto rows = rows_of(
        row_text("first", std::string(kMeasured) + "published: 200, tolerance_percent: 1") +
        row_text("b", std::string(kMeasured) + "published: 4, rule: at_most, tolerance_cycles: 1") +
        row_text("m", "mean_error: [first], published: 0"));
    const auto results = judge(rows, {{"first", 203}, {"b", 2.5}}, {});
    std::ostringstream out;
    print_validation_table({{&rows[0], results[0]}, {&rows[1], results[1]}, {&rows[2], results[2]}},
                           out);
    EXPECT_EQ(out.str(),
              "  id     published  simulated     error          tolerance     verdict  workload\n"
              "s\n"
              "  first        200        203    1.50 %                1 %      MISSED  w\n"
              "  b              4       2.50  -37.50 %  at most + 1 cycle          ok  w\n"
              "  m         0.00 %     1.50 %    1.50 %                  -    reported  w\n"
              "1 ok, 1 missed, 1 reported only\n");
}

} // namespace
} // namespace aicore::tb
