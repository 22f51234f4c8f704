// Simulates a program, checks its tensors and reports: the common part of `run` and `gemm`.
#pragma once

#include "hw/scalar/instruction_source.h"
#include "tb/cli/run_options.h"
#include "tb/program/tensor.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace aicore::tb {

/// What to simulate. All of it is checked: a mistake from here on is a bug.
struct RunJob {
    std::string title;           ///< for the report
    std::string file;            ///< of the program, for messages; empty when it is generated
    std::vector<Tensor> tensors; ///< loaded into their memories, checked after the run
    struct CoreJob {
        std::string core; ///< "aic0"
        InstructionSource* source = nullptr;
    };

    std::vector<CoreJob> programs;
    std::uint64_t instructions = 0; ///< that the sources give, for the progress line
    std::string program_file;       ///< to write the program to; empty: none
    std::function<void(std::ostream&)> write_program;
};

/// Runs the job: opens the files, loads the tensors, simulates, compares the tensors that have a
/// golden, prints the report to standard output. Goldens are computed in another thread meanwhile.
/// Returns the exit code. Throws InputError before any file is touched, OutputError when a file
/// can't be completed; no file is left behind then.
int run_job(const RunJob& job, const Platform& platform, const RunOptions& options);

} // namespace aicore::tb
