#include "tb/validate/validation_reader.h"

#include "tb/program/field_value.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <stdexcept>

namespace aicore::tb {
namespace {

using Variables = std::map<std::string, std::int64_t>;

constexpr std::int64_t kAnyInteger = std::int64_t{1} << 53;
constexpr std::int64_t kLargestSize = std::numeric_limits<std::int32_t>::max();

/// Text with the values of the sweep in place of `{name}`.
std::string filled_in(const YamlNode& node, const Variables& variables) {
    const std::string text = node.as_string();
    std::string result;
    std::size_t from = 0;
    while (true) {
        const std::size_t open = text.find('{', from);
        result += text.substr(from, open - from);
        if (open == std::string::npos) return result;
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) node.fail("{ without }");
        const std::string name = text.substr(open + 1, close - open - 1);
        const auto variable = variables.find(name);
        if (variable == variables.end()) node.fail("{" + name + "} is no variable of the sweep");
        result += std::to_string(variable->second);
        from = close + 1;
    }
}

Formula read_formula(const YamlNode& node, const Variables& variables) {
    const std::string text = filled_in(node, variables);
    try {
        return Formula(text);
    } catch (const std::invalid_argument& error) {
        node.fail(text + ": " + error.what());
    }
}

template <typename Value>
Value read_word(const YamlNode& node, const std::map<std::string, Value>& words) {
    const auto found = words.find(node.as_string());
    if (found != words.end()) return found->second;
    std::string allowed;
    for (const auto& word : words) allowed += (allowed.empty() ? "" : ", ") + word.first;
    node.fail("\"" + node.as_string() + "\": expected one of " + allowed);
}

DataType read_data_type(const YamlNode& node) {
    return read_word<DataType>(node, {{"float16", DataType::float16},
                                      {"bfloat16", DataType::bfloat16},
                                      {"float32", DataType::float32},
                                      {"int8", DataType::int8},
                                      {"int32", DataType::int32}});
}

double read_tolerance(const YamlNode& node) {
    const double tolerance = node.as_number();
    if (tolerance < 0) node.fail("must not be negative");
    return tolerance;
}

/// A number or an expression in the variables of the sweep.
std::int64_t read_size(const YamlNode& node, const Variables& variables) {
    Scope scope;
    scope.constants = variables;
    const std::int64_t size = FieldValue(node, ValueKind::integer, scope).evaluate({});
    if (size < 1 || size > kLargestSize) {
        node.fail(std::to_string(size) + ": must be from 1 to " + std::to_string(kLargestSize));
    }
    return size;
}

GemmWork read_gemm(const YamlNode& node, const Variables& variables) {
    node.allow_keys({"m", "n", "k", "dtype", "out_dtype", "tile", "double_buffer", "unit_flag"});
    GemmSpec spec;
    spec.m = read_size(node.require("m"), variables);
    spec.n = read_size(node.require("n"), variables);
    spec.k = read_size(node.require("k"), variables);
    if (node.has("dtype")) spec.dtype = read_data_type(node.require("dtype"));
    if (node.has("out_dtype")) spec.out_dtype = read_data_type(node.require("out_dtype"));
    if (node.has("double_buffer")) {
        spec.double_buffer = node.require("double_buffer").as_boolean();
    }
    if (node.has("unit_flag")) spec.unit_flag = node.require("unit_flag").as_boolean();
    if (node.has("tile")) {
        const std::vector<YamlNode> tile = node.require("tile").items();
        if (tile.size() != 3) node.require("tile").fail("expected [m, n, k]");
        spec.tile_m = read_size(tile[0], variables);
        spec.tile_n = read_size(tile[1], variables);
        spec.tile_k = read_size(tile[2], variables);
    }
    return {spec};
}

TheoryWork read_theory(const YamlNode& node, const Variables& variables) {
    node.allow_keys({"m", "n", "k", "loops", "dtype"});
    TheoryWork theory;
    theory.m = read_size(node.require("m"), variables);
    theory.n = read_size(node.require("n"), variables);
    theory.k = read_size(node.require("k"), variables);
    theory.loops = read_size(node.require("loops"), variables);
    theory.dtype = read_data_type(node.require("dtype"));
    if (theory.dtype == DataType::int32) node.require("dtype").fail("int32 is no type of A and B");
    return theory;
}

MeanErrorWork read_mean_error(const YamlNode& node) {
    MeanErrorWork mean;
    for (const YamlNode& id : node.items()) mean.rows.push_back(id.as_string());
    if (mean.rows.empty()) node.fail("expected at least one row");
    return mean;
}

RowWork read_work(const YamlNode& node, const Variables& variables) {
    constexpr const char* kKinds[] = {"program", "gemm",       "same_run",
                                      "theory",  "mean_error", "formula"};
    std::vector<std::string> found;
    for (const char* kind : kKinds) {
        if (node.has(kind)) found.emplace_back(kind);
    }
    if (found.size() != 1) {
        node.fail("expected exactly one of program, gemm, same_run, theory, mean_error, formula");
    }
    const YamlNode work = node.require(found.front());
    if (found.front() == "program") {
        return ProgramWork{work, variables,
                           node.has("core") ? node.require("core").as_string() : "aic0"};
    }
    if (found.front() == "gemm") return read_gemm(work, variables);
    if (found.front() == "same_run") return SameRunWork{filled_in(work, variables)};
    if (found.front() == "theory") return read_theory(work, variables);
    if (found.front() == "mean_error") return read_mean_error(work);
    return read_formula(work, variables);
}

Measurement read_measurement(const YamlNode& node) {
    node.allow_keys({"kind", "pipe", "first", "last"});
    Measurement measure;
    measure.figure = read_word<Figure>(node.require("kind"), {{"span", Figure::span},
                                                              {"lone", Figure::lone},
                                                              {"interval", Figure::interval},
                                                              {"busy", Figure::busy},
                                                              {"total", Figure::total}});
    if (measure.figure == Figure::total) {
        node.allow_keys({"kind"});
        return measure;
    }
    measure.pipe = read_word<Pipe>(node.require("pipe"), {{"M", Pipe::M},
                                                          {"V", Pipe::V},
                                                          {"MTE1", Pipe::MTE1},
                                                          {"MTE2", Pipe::MTE2},
                                                          {"MTE3", Pipe::MTE3},
                                                          {"FIX", Pipe::FIX}});
    const auto position = [&node](const char* key) {
        return static_cast<std::size_t>(node.require(key).as_integer(0, kAnyInteger));
    };
    if (node.has("first")) measure.first = position("first");
    if (node.has("last")) {
        measure.last = position("last");
        if (*measure.last < measure.first) node.require("last").fail("must not be before first");
    }
    return measure;
}

/// Variables of a sweep, one map for each of its rows; one empty map without a sweep.
std::vector<Variables> read_sweep(const YamlNode& node) {
    if (!node.has("sweep")) return {{}};
    const YamlNode sweep = node.require("sweep");
    std::vector<Variables> steps;
    for (const std::string& name : sweep.keys()) {
        const YamlNode list = sweep.require(name);
        const std::vector<YamlNode> values = list.items();
        if (values.empty()) list.fail("expected at least one value");
        if (steps.empty()) steps.resize(values.size());
        if (values.size() != steps.size()) {
            list.fail("expected " + std::to_string(steps.size()) +
                      " values, as the first variable of the sweep has");
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            steps[i][name] = values[i].as_integer(-kAnyInteger, kAnyInteger);
        }
    }
    if (steps.empty()) sweep.fail("expected at least one variable");
    return steps;
}

ValidationRow read_row(const YamlNode& node, const Variables& variables) {
    node.allow_keys({"id",
                     "workload",
                     "sweep",
                     "core",
                     "program",
                     "gemm",
                     "same_run",
                     "theory",
                     "mean_error",
                     "formula",
                     "measure",
                     "platform",
                     "set",
                     "l2_disabled_bytes",
                     "published",
                     "tolerance_percent",
                     "tolerance_cycles",
                     "rule",
                     "calibrated",
                     "source"});
    ValidationRow row{read_work(node, variables),
                      read_formula(node.require("published"), variables)};
    row.id = filled_in(node.require("id"), variables);
    row.workload = filled_in(node.require("workload"), variables);
    row.source = filled_in(node.require("source"), variables);
    if (row.is_simulated()) {
        row.measure = read_measurement(node.require("measure"));
        for (const char* key : {"platform", "set", "l2_disabled_bytes"}) {
            if (row.same_run() != nullptr && node.has(key))
                node.require(key).fail("belongs to the row whose run it is");
        }
        if (node.has("platform")) row.platform = node.require("platform").as_string();
        if (node.has("l2_disabled_bytes")) {
            row.l2_disabled_bytes = static_cast<std::uint64_t>(
                node.require("l2_disabled_bytes").as_integer(0, kAnyInteger));
        }
        if (node.has("set")) {
            for (const YamlNode& item : node.require("set").items()) {
                row.platform_set.push_back(item.as_string());
            }
        }
    } else {
        for (const char* key : {"measure", "platform", "set", "l2_disabled_bytes"}) {
            if (node.has(key)) node.require(key).fail("only for a program or a gemm");
        }
    }
    if (node.has("tolerance_percent")) {
        row.tolerance_percent = read_tolerance(node.require("tolerance_percent"));
    }
    if (node.has("tolerance_cycles")) {
        const YamlNode tolerance = node.require("tolerance_cycles");
        if (row.tolerance_percent) tolerance.fail("the row has a tolerance_percent already");
        if (std::holds_alternative<MeanErrorWork>(row.work))
            tolerance.fail("errors are in percent");
        row.tolerance_cycles = read_tolerance(tolerance);
    }
    if (node.has("rule")) {
        row.rule = read_word<Rule>(
            node.require("rule"),
            {{"within", Rule::within}, {"at_most", Rule::at_most}, {"at_least", Rule::at_least}});
    }
    row.calibrated = node.require("calibrated").as_boolean();
    return row;
}

/// An id is a name in formulas.
bool is_id(const std::string& text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// The row whose run `row` shares must have one of its own.
void require_run(const YamlNode& node, const ValidationRow& row,
                 const std::vector<ValidationRow>& rows) {
    const auto owner = std::find_if(rows.begin(), rows.end(), [&row](const ValidationRow& other) {
        return other.id == row.same_run()->row;
    });
    if (!owner->is_simulated() || owner->same_run() != nullptr)
        node.require("same_run").fail(owner->id + " has no program and no gemm");
}

/// Adds the rows of a file, then those of the files that it includes.
void add_rows(const YamlNode& root, std::vector<ValidationRow>& rows, std::set<std::string>& ids) {
    for (const YamlNode& node : root.require("rows").items()) {
        for (const Variables& variables : read_sweep(node)) {
            ValidationRow row = read_row(node, variables);
            const YamlNode id = node.require("id");
            if (!is_id(row.id)) id.fail(row.id + ": expected small letters, digits and _");
            for (const std::string& needed : row.needs()) {
                if (ids.count(needed) == 0) {
                    node.fail(row.id + " uses " + needed + ", which is no row before it");
                }
            }
            if (row.same_run() != nullptr) require_run(node, row, rows);
            if (!ids.insert(row.id).second) id.fail(row.id + " is the id of another row");
            rows.push_back(std::move(row));
        }
    }
    if (!root.has("include")) return;
    const auto directory = std::filesystem::path(root.file()).parent_path();
    for (const YamlNode& name : root.require("include").items()) {
        const YamlNode included = YamlNode::load_file((directory / name.as_string()).string());
        included.allow_keys({"rows"});
        add_rows(included, rows, ids);
    }
}

std::vector<ValidationRow> read_rows(const YamlNode& root) {
    root.allow_keys({"include", "rows"});
    std::vector<ValidationRow> rows;
    std::set<std::string> ids;
    add_rows(root, rows, ids);
    return rows;
}

} // namespace

std::vector<ValidationRow> load_validation_rows(const std::string& file) {
    return read_rows(YamlNode::load_file(file));
}

std::vector<ValidationRow> load_validation_text(const std::string& text, const std::string& file) {
    return read_rows(YamlNode::load_text(text, file));
}

} // namespace aicore::tb
