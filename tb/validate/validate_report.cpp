#include "tb/validate/validate_report.h"

#include "tb/report/text_table.h"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace aicore::tb {
namespace {

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

/// Cycles without a fraction where there is none.
std::string cycles_text(double value) { return fixed(value, is_whole(value) ? 0 : 2); }

std::string figure_text(const ValidationRow& row, double value) {
    const bool is_percentage = std::holds_alternative<MeanErrorWork>(row.work);
    return is_percentage ? fixed(value, 2) + " %" : cycles_text(value);
}

const char* rule_word(Rule rule) {
    switch (rule) {
    case Rule::within: return "within";
    case Rule::at_most: return "at_most";
    case Rule::at_least: return "at_least";
    }
    return "";
}

/// "0.4 %", "1 cycle", "exact", "at most + 40"; "-" for report only.
std::string tolerance_text(const ValidationRow& row) {
    if (!row.tolerance_percent && !row.tolerance_cycles) return "-";
    const double amount = row.tolerance_cycles ? *row.tolerance_cycles : *row.tolerance_percent;
    std::ostringstream text;
    text << amount << (row.tolerance_cycles ? (amount == 1 ? " cycle" : " cycles") : " %");
    if (row.rule == Rule::within) return amount == 0 ? "exact" : text.str();
    const std::string side = row.rule == Rule::at_most ? "at most" : "at least";
    const char* const sign = row.rule == Rule::at_most ? " + " : " - ";
    return amount == 0 ? side : side + sign + text.str();
}

std::string verdict_text(const RowResult& result) {
    if (!result.passed) return "reported";
    return *result.passed ? "ok" : "MISSED";
}

nlohmann::ordered_json number(double value) {
    if (is_whole(value)) return static_cast<std::int64_t>(value);
    return value;
}

nlohmann::ordered_json number(const std::optional<double>& value) {
    return value ? number(*value) : nlohmann::ordered_json();
}

} // namespace

void print_validation_table(const std::vector<ReportedRow>& rows, std::ostream& out) {
    TextTable table(true);
    table.add({"id", "published", "simulated", "error", "tolerance", "", "verdict", "workload"});
    std::size_t passed = 0, missed = 0;
    for (const auto& [row, result] : rows) {
        table.add({row->id, figure_text(*row, result.published),
                   figure_text(*row, result.simulated),
                   result.error_percent ? fixed(*result.error_percent, 2) + " %" : "-",
                   tolerance_text(*row), row->calibrated ? "calibrated" : "", verdict_text(result),
                   row->workload});
        if (result.passed) ++(*result.passed ? passed : missed);
    }
    std::stringstream lines;
    table.print(lines);
    std::string line;
    std::getline(lines, line);
    out << "  " << line << '\n';
    const std::string* source = nullptr;
    for (const ReportedRow& shown : rows) {
        if (!source || *source != shown.row->source) out << shown.row->source << '\n';
        source = &shown.row->source;
        std::getline(lines, line);
        out << "  " << line << '\n';
    }
    out << passed << " ok, " << missed << " missed, " << rows.size() - passed - missed
        << " reported only\n";
}

nlohmann::ordered_json validation_json(const std::vector<ReportedRow>& rows) {
    nlohmann::ordered_json document;
    document["schema"] = "aicore-validate/1";
    document["rows"] = nlohmann::ordered_json::array();
    for (const auto& [row, result] : rows) {
        nlohmann::ordered_json entry;
        entry["id"] = row->id;
        entry["workload"] = row->workload;
        entry["published"] = number(result.published);
        entry["simulated"] = number(result.simulated);
        entry["error_percent"] = number(result.error_percent);
        entry["tolerance_percent"] = number(result.tolerance_percent);
        entry["rule"] = rule_word(row->rule);
        entry["passed"] =
            result.passed ? nlohmann::ordered_json(*result.passed) : nlohmann::ordered_json();
        entry["calibrated"] = row->calibrated;
        entry["source"] = row->source;
        document["rows"].push_back(std::move(entry));
    }
    return document;
}

} // namespace aicore::tb
