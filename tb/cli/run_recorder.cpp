#include "tb/cli/run_recorder.h"

#include "hw/config/strict_yaml.h"
#include "tb/observe/gtkw.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace aicore::tb {
namespace {

constexpr const char* kStatistics = "statistics";
constexpr const char* kTimeline = "timeline";
constexpr const char* kWaveform = "waveform";
constexpr const char* kSaveFile = "wave groups";

} // namespace

RunRecorder::RunRecorder(const RunOptions& options, const std::vector<OutputRequest>& others,
                         Simulation& simulation)
    : statistics_(simulation.chip().observers()), cube_work_(simulation.platform().engines.cube) {
    ObserverHub& hub = simulation.chip().observers();
    if (!options.vcd.empty()) add_waveform(options, simulation);
    std::vector<OutputRequest> requests{{kStatistics, options.stats},
                                        {kTimeline, options.timeline},
                                        {kWaveform, options.vcd},
                                        {kSaveFile, options.gtkw()}};
    requests.insert(requests.end(), others.begin(), others.end());
    files_ = std::make_unique<OutputSet>(requests);

    hub.add(statistics_);
    hub.add(cube_work_);
    if (OutputFile* const file = files_->find(kTimeline)) {
        timeline_ =
            std::make_unique<Timeline>(*file, hub, simulation.platform().clock.frequency_mhz);
        hub.add(*timeline_);
    }
    if (waveform_ != nullptr) {
        waveform_->start(*files_->find(kWaveform));
        hub.add(*waveform_);
        write_gtkw(*files_->find(kSaveFile), options.vcd, *waveform_);
    }
}

void RunRecorder::add_waveform(const RunOptions& options, Simulation& simulation) {
    const Platform& platform = simulation.platform();
    VcdOptions vcd;
    // The time resolution is 1 fs.
    vcd.period_fs = static_cast<std::int64_t>(clock_period(platform.clock).value());
    vcd.from = Cycles(options.vcd_from);
    if (options.vcd_to) vcd.to = Cycles(*options.vcd_to);
    vcd.scopes = options.vcd_scopes;
    if (vcd.to < vcd.from) {
        throw InputError("--vcd-to " + std::to_string(vcd.to.count()) +
                         ": must not be below --vcd-from " + std::to_string(vcd.from.count()));
    }
    VcdLayout layout;
    layout.event_ids = platform.sync.event_ids;
    const std::vector<const CoreInfo*>& cores = simulation.chip().observers().cores();
    const auto in_use = [](const CoreInfo* core) { return core->in_use; };
    // A core alone has nobody to count for.
    if (std::count_if(cores.begin(), cores.end(), in_use) > 1) {
        layout.cross_core_ids = kCrossCoreIds;
    }
    layout.unit_flags =
        static_cast<int>(platform.memories.l0c.size_bytes.count() / kUnitFlagBlockBytes);
    layout.l0c_banks = platform.memories.l0c_banks.banks;
    for (int port = 0; port < UbBuffer::kPorts; ++port) {
        layout.ub_ports.emplace_back(UbBuffer::name_of(port));
    }
    waveform_ = std::make_unique<VcdObserver>(simulation.chip().observers(), vcd, layout);
    for (const std::string& scope : waveform_->writer().unmatched_scopes()) {
        throw InputError("--vcd-scope " + scope + ": no signal has this path");
    }
}

void RunRecorder::finish(Cycles end) {
    statistics_.finish(end);
    if (timeline_ != nullptr) timeline_->finish(end);
    if (waveform_ != nullptr) waveform_->finish(end);
}

void RunRecorder::close(const RunSummary& summary) {
    if (OutputFile* const file = files_->find(kStatistics)) {
        file->write(statistics_.to_json(summary).dump(2) + "\n");
    }
    files_->close();
}

} // namespace aicore::tb
