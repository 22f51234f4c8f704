#include "tb/validate/validation.h"

#include "hw/cube/cube_timing.h"

#include <cmath>
#include <stdexcept>

namespace aicore::tb {
namespace {

/// Figures are sums and quotients of whole cycles: a difference below this is rounding.
constexpr double kRounding = 1e-9;

double mean_error(const MeanErrorWork& work, const std::map<std::string, RowResult>& results) {
    double sum = 0;
    for (const std::string& id : work.rows) {
        const std::optional<double> error = results.at(id).error_percent;
        if (!error) throw std::domain_error(id + ": its published figure is 0, there is no error");
        sum += std::abs(*error);
    }
    return sum / static_cast<double>(work.rows.size());
}

bool keeps(Rule rule, double difference, double tolerance) {
    switch (rule) {
    case Rule::within: return std::abs(difference) <= tolerance + kRounding;
    case Rule::at_most: return difference <= tolerance + kRounding;
    case Rule::at_least: return difference >= -tolerance - kRounding;
    }
    return false;
}

RowResult judge_row(const ValidationRow& row, double published, double simulated) {
    RowResult result;
    result.published = published;
    result.simulated = simulated;
    const double difference = simulated - published;
    const bool is_percentage = std::holds_alternative<MeanErrorWork>(row.work);
    const double one_percent = is_percentage ? 1.0 : std::abs(published) / 100;
    if (one_percent > 0) result.error_percent = difference / one_percent;
    result.tolerance_percent = row.tolerance_percent;
    if (row.tolerance_cycles) {
        if (one_percent > 0) result.tolerance_percent = *row.tolerance_cycles / one_percent;
        result.passed = keeps(row.rule, difference, *row.tolerance_cycles);
    } else if (row.tolerance_percent) {
        result.passed = keeps(row.rule, difference, *row.tolerance_percent * one_percent);
    }
    return result;
}

} // namespace

Cycles TheoryWork::cycles(const CubeConfig& cube) const {
    Mmad mmad;
    mmad.ab_type = dtype;
    mmad.m = m;
    mmad.n = n;
    mmad.k = k;
    const Cycles one = theory_cycles(cube, mmad);
    return one + (one - cube.startup_cycles) * (loops - 1); // the start-up counts once
}

std::vector<std::string> ValidationRow::needs() const {
    std::vector<std::string> ids(published.names().begin(), published.names().end());
    if (same_run() != nullptr) {
        ids.push_back(same_run()->row);
    } else if (const auto* mean = std::get_if<MeanErrorWork>(&work)) {
        ids.insert(ids.end(), mean->rows.begin(), mean->rows.end());
    } else if (const auto* formula = std::get_if<Formula>(&work)) {
        ids.insert(ids.end(), formula->names().begin(), formula->names().end());
    }
    return ids;
}

std::vector<RowResult> judge(const std::vector<ValidationRow>& rows,
                             std::map<std::string, double> figures, const CubeConfig& cube) {
    std::map<std::string, RowResult> by_id;
    std::vector<RowResult> results;
    for (const ValidationRow& row : rows) {
        if (const auto* theory = std::get_if<TheoryWork>(&row.work)) {
            figures[row.id] = static_cast<double>(theory->cycles(cube).count());
        } else if (const auto* mean = std::get_if<MeanErrorWork>(&row.work)) {
            figures[row.id] = mean_error(*mean, by_id);
        } else if (const auto* formula = std::get_if<Formula>(&row.work)) {
            figures[row.id] = formula->evaluate(figures);
        }
        results.push_back(judge_row(row, row.published.evaluate(figures), figures.at(row.id)));
        by_id[row.id] = results.back();
    }
    return results;
}

} // namespace aicore::tb
