// What a run did, as text for people.
#pragma once

#include "hw/config/platform.h"
#include "hw/pipe/observer.h"
#include "tb/check/golden_check.h"
#include "tb/observe/statistics.h"
#include "tb/report/cube_work.h"

#include <ostream>
#include <string>
#include <vector>

namespace aicore::tb {

/// A file that the run wrote.
struct WrittenFile {
    std::string what; ///< "timeline"
    std::string path;
};

/// Everything the report speaks of.
struct RunReport {
    std::string title; ///< what was run
    const Platform& platform;
    const ObserverHub& hub;
    const Statistics& statistics; ///< finished
    const CubeWork& cube;
    Cycles cycles;                ///< length of the run
    std::vector<Cycles> launches; ///< of each of its launches
    MemoryTraffic memory;
    double wall_seconds = 0.0; ///< that the simulation took
    std::vector<TensorCheck> checks;
    std::vector<WrittenFile> files;
};

/// Prints the title, cycles and time at the platform's clock, use of the cube and of L2 and HBM,
/// the verdict about each tensor with a golden, one row for each pipe and link that did anything,
/// and the files. Percentages are of the run's length. The rate of a link is bytes per cycle while
/// it is busy, beside the rate that the platform gives it.
void print_run_report(std::ostream& out, const RunReport& report);

/// "c: 3 of 32,768 elements differ ...": the verdict about one tensor.
std::string describe_check(const TensorCheck& check);

} // namespace aicore::tb
