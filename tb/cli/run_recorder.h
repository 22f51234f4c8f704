// Everything that watches a run, and the files it goes to.
#pragma once

#include "tb/cli/output_set.h"
#include "tb/cli/run_options.h"
#include "tb/observe/statistics.h"
#include "tb/observe/timeline.h"
#include "tb/observe/vcd_observer.h"
#include "tb/report/cube_work.h"

#include <memory>
#include <vector>

namespace aicore::tb {

/// Statistics always, timeline and waveform as asked for. Construct it before the run.
class RunRecorder {
public:
    /// `others`: files that the command itself writes. Throws InputError, before any file is
    /// touched, when a file can't be written, a window ends before it starts or a scope does not
    /// exist. The simulation must outlive this object.
    RunRecorder(const RunOptions& options, const std::vector<OutputRequest>& others,
                Simulation& simulation);

    /// Ends the recording at the end of the run.
    void finish(Cycles end);
    /// Writes the statistics file and completes all files. Throws OutputError.
    void close(const RunSummary& summary);

    const Statistics& statistics() const { return statistics_; }
    const CubeWork& cube_work() const { return cube_work_; }
    OutputSet& files() { return *files_; }

private:
    void add_waveform(const RunOptions& options, Simulation& simulation);

    Statistics statistics_;
    CubeWork cube_work_;
    std::unique_ptr<VcdObserver> waveform_;
    std::unique_ptr<OutputSet> files_;
    std::unique_ptr<Timeline> timeline_;
};

} // namespace aicore::tb
