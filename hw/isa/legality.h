// Legality of an instruction: ranges of its fields, alignments, and every byte it touches.
//
// Checked before a program starts, so that a wrong program stops with its place in the file and
// leaves nothing half done. Rules follow the vendor's API reference; each message states its rule.
#pragma once

#include "hw/isa/instruction.h"

#include <optional>
#include <string>

namespace aicore {

/// Kind of a core: cube core or vector core.
enum class CoreKind : std::uint8_t { aic, aiv };

/// What the checks need to know of the platform and of the core.
struct IsaLimits {
    std::int64_t gm_bytes = 0, l1_bytes = 0, l0a_bytes = 0, l0b_bytes = 0, l0c_bytes = 0,
                 bt_bytes = 0, fb_bytes = 0;
    int event_ids = 8;
    std::int64_t fb1_bytes = 0, fb2_bytes = 0,
                 fb3_bytes = 0; ///< slices of FB behind fb_bytes, slice 0
    int arch = 2201;
    CoreKind core = CoreKind::aic;
    std::int64_t ub_bytes = 0;       ///< of a vector core
    bool fixpipe_reaches_ub = false; ///< the FixPipe of a cube core writes unified buffers
    CtrlState ctrl{};                ///< after reset
    L0aLayout l0a_layout = L0aLayout::Zz;
    FixpipeReadings fixpipe{};
    std::uint64_t peer_gm_address = 0; ///< where the GM of another chip begins
    std::int64_t peer_gm_bytes = 0;    ///< 0: there is none
};

/// A broken rule.
struct Violation {
    std::string field; ///< name of the field as programs spell it
    std::string value; ///< the value found (or computed, for an end address)
    std::string rule;  ///< what is allowed
};

/// First broken rule of the instruction, or nothing when it is legal.
std::optional<Violation> find_violation(const Operation& operation, const IsaLimits& limits);

} // namespace aicore
