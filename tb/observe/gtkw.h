// Save file for GTKWave: the waveform opens with all variables in groups.
#pragma once

#include "tb/observe/output_file.h"
#include "tb/observe/vcd_observer.h"

#include <string>

namespace aicore::tb {

/// Writes the save file of the waveform in `vcd_path`, which is named relative to the save file
/// when both stand in one directory. Groups after the first are closed.
void write_gtkw(OutputFile& out, const std::string& vcd_path, const VcdObserver& waveform);

} // namespace aicore::tb
