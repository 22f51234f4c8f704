// What every memory target checks before it serves a transaction.
#pragma once

#include "tlm/units.h"

#include <tlm>

namespace aicore {

/// Commands that a target port serves.
enum class PortDirection { read, write, read_write };

/// Longest byte-enable pattern that targets accept; it repeats over the data.
inline constexpr unsigned kMaxByteEnableLength = 256;

/// Checks command, range, streaming width and byte enables. Sets the error status of the response
/// and returns false when the transaction can't be served. `takes_atomics`: the port serves atomic
/// writes (AccessExtension) as it serves writes.
bool check_access(tlm::tlm_generic_payload& payload, Bytes size, PortDirection direction,
                  bool takes_atomics = false);

} // namespace aicore
