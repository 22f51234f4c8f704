#include "tb/validate/validate_command.h"

#include "hw/config/platform_loader.h"
#include "tb/validate/measuring.h"
#include "tb/validate/validate_report.h"
#include "tb/validate/validation_reader.h"

#include <algorithm>
#include <iomanip>
#include <set>

#include <nlohmann/json.hpp>

namespace aicore::tb {
namespace {

/// Ids of the chosen rows and of all that they need. A row only needs rows before it.
std::set<std::string> with_needs(const std::vector<ValidationRow>& rows,
                                 const std::vector<std::string>& chosen) {
    std::set<std::string> ids(chosen.begin(), chosen.end());
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        if (ids.count(row->id) == 0) continue;
        for (const std::string& needed : row->needs()) ids.insert(needed);
    }
    return ids;
}

std::vector<ValidationRow> pick(const std::vector<ValidationRow>& rows,
                                const std::set<std::string>& ids) {
    std::vector<ValidationRow> picked;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(picked),
                 [&ids](const ValidationRow& row) { return ids.count(row.id) != 0; });
    return picked;
}

void require_known(const std::vector<ValidationRow>& rows, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        const bool is_known = std::any_of(rows.begin(), rows.end(),
                                          [&id](const ValidationRow& row) { return row.id == id; });
        if (!is_known) throw InputError("--row " + id + ": no such row, --list shows them");
    }
}

void print_list(const std::vector<ValidationRow>& rows, std::ostream& out) {
    std::size_t width = 0;
    for (const ValidationRow& row : rows) width = std::max(width, row.id.size());
    for (const ValidationRow& row : rows) {
        out << std::left << std::setw(static_cast<int>(width)) << row.id << "  " << row.workload
            << '\n';
    }
}

} // namespace

int validate_command(const ValidateOptions& options, std::ostream& out) {
    std::vector<ValidationRow> rows = load_validation_rows(options.rows_file);
    require_known(rows, options.ids);
    const std::set<std::string> shown(options.ids.begin(), options.ids.end());
    if (options.list) {
        print_list(shown.empty() ? rows : pick(rows, shown), out);
        return 0;
    }
    if (!shown.empty()) rows = pick(rows, with_needs(rows, options.ids));

    const Platform platform = load_platform(options.platform_file, options.overrides);
    const auto figures = simulate_rows(rows, options.platform_file, options.overrides);
    const std::vector<RowResult> results = judge(rows, figures, platform.engines.cube);

    std::vector<ReportedRow> reported;
    bool has_missed = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!shown.empty() && shown.count(rows[i].id) == 0) continue;
        reported.push_back({&rows[i], results[i]});
        has_missed = has_missed || results[i].passed == false;
    }
    if (options.json) {
        out << validation_json(reported).dump(2) << '\n';
    } else {
        print_validation_table(reported, out);
    }
    return has_missed ? kToleranceMissed : 0;
}

} // namespace aicore::tb
