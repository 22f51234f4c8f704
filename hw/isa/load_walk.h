// The walk of whichever load MTE1 executes.
//
// To add a load: its record in instruction.h, its walk here, its rules in legality_loads.cpp, its
// row in the operation table of tb/program.
#pragma once

#include "hw/isa/fractal_load_walks.h"
#include "hw/isa/load3d_walk.h"
#include "hw/isa/table_load_walks.h"

#include <variant>

namespace aicore {

using LoadWalk = std::variant<Load2dWalk, L1ToBtWalk, Load2dV2Walk, LoadTransposeWalk,
                              LoadSparseWalk, Load3dWalk>;

/// The walk of `operation`. Throws std::invalid_argument for an instruction that is no load of
/// MTE1.
LoadWalk load_walk(const Operation& operation);

/// Gives the next step; false after the last one.
inline bool next_step(LoadWalk& walk, LoadStep& step) {
    return std::visit([&step](auto& each) { return each.next(step); }, walk);
}

} // namespace aicore
