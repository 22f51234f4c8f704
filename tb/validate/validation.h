// The rows of `aicore validate`: a published figure each, what to run for it, what to measure.
//
// Rows are data: validation.yaml in this room, whose head explains the keys. Verdicts are pure
// functions of the measured figures.
#pragma once

#include "hw/config/platform.h"
#include "hw/config/strict_yaml.h"
#include "tb/validate/formula.h"
#include "tb/workload/gemm_plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace aicore::tb {

/// Which side of the published figure is right.
enum class Rule { within, at_most, at_least };

/// What of a run is the figure of a row.
enum class Figure {
    span,     ///< first issue to last completion on a pipe
    lone,     ///< issue to completion of the only instruction of a pipe
    interval, ///< mean distance of completions on a pipe: the steady state
    busy,     ///< cycles in which an instruction of a pipe is issued and not complete
    total     ///< length of the run
};

struct Measurement {
    Figure figure = Figure::total;
    Pipe pipe = Pipe::S;             ///< for total: not used
    std::size_t first = 0;           ///< first instruction of the pipe that counts, from 0
    std::optional<std::size_t> last; ///< last one; without it the last of the pipe
};

/// Statements of one core, or of every core of a kind ("aiv"). They are read once the platform is
/// known.
struct ProgramWork {
    YamlNode body;
    std::map<std::string, std::int64_t> variables;
    std::string core = "aic0";
};

struct GemmWork {
    GemmSpec spec;
};

/// The run of a row before it, of which another figure is taken.
struct SameRunWork {
    std::string row;
};

/// The vendor's theoretical cycles of `loops` Mmads in a row. Not simulated.
struct TheoryWork {
    std::int64_t m = 0, n = 0, k = 0, loops = 1;
    DataType dtype = DataType::float16;

    Cycles cycles(const CubeConfig& cube) const;
};

/// Mean of the absolute errors of other rows [%].
struct MeanErrorWork {
    std::vector<std::string> rows;
};

/// A figure that follows from those of other rows is a Formula.
using RowWork =
    std::variant<ProgramWork, GemmWork, SameRunWork, TheoryWork, MeanErrorWork, Formula>;

struct ValidationRow {
    ValidationRow(RowWork row_work, Formula figure)
        : work(std::move(row_work)), published(std::move(figure)) {}

    std::string id;
    std::string workload; ///< for people
    std::string source;
    RowWork work;
    Measurement measure;                 ///< of a program or a gemm
    std::uint64_t l2_disabled_bytes = 0; ///< from the start of GM on; reads of them pass L2 by
    std::string platform; ///< as find_platform_file() takes it; empty: the one of all rows
    std::vector<std::string> platform_set;   ///< "path=value": changes of the platform
    Formula published;                       ///< may use figures of the rows before
    std::optional<double> tolerance_percent; ///< at most one of the two; none: report only
    std::optional<double> tolerance_cycles;
    Rule rule = Rule::within;
    bool calibrated = false; ///< a number of the platform was fitted to the published figure

    bool is_simulated() const {
        return std::holds_alternative<ProgramWork>(work) ||
               std::holds_alternative<GemmWork>(work) || same_run() != nullptr;
    }
    const SameRunWork* same_run() const { return std::get_if<SameRunWork>(&work); }
    /// Rows whose figures this one needs.
    std::vector<std::string> needs() const;
};

/// What is found for a row.
struct RowResult {
    double published = 0, simulated = 0;
    /// Of the published figure; for a mean of errors the difference. Nothing when that is zero.
    std::optional<double> error_percent;
    std::optional<double> tolerance_percent; ///< from cycles, if the row gives those
    std::optional<bool> passed;              ///< nothing: report only
};

/// Results of `rows` in order. `figures` has the figures of the simulated rows; `cube` gives the
/// theory. Throws std::domain_error for a formula without a finite result and for a mean over a row
/// without an error.
std::vector<RowResult> judge(const std::vector<ValidationRow>& rows,
                             std::map<std::string, double> figures, const CubeConfig& cube);

} // namespace aicore::tb
