// Numbers and places as messages and disassembly show them.
#pragma once

#include "hw/isa/types.h"

#include <cstdint>
#include <string>

namespace aicore {

/// "0x1f00".
std::string hex(std::uint64_t value);

/// "L1[0x1f00]".
std::string place(Buffer buffer, std::uint64_t addr);

} // namespace aicore
