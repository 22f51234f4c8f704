#include "hw/isa/load_walk.h"

#include <stdexcept>

namespace aicore {

namespace {

struct WalkOf {
    LoadWalk operator()(const Load2d& load) const { return Load2dWalk(load); }
    LoadWalk operator()(const L1ToBt& copy) const { return L1ToBtWalk(copy); }
    LoadWalk operator()(const Load2dV2& load) const { return Load2dV2Walk(load); }
    LoadWalk operator()(const LoadTranspose& load) const { return LoadTransposeWalk(load); }
    LoadWalk operator()(const LoadSparse& load) const { return LoadSparseWalk(load); }
    LoadWalk operator()(const Load3d& load) const { return Load3dWalk(load); }
    template <typename Other>
    LoadWalk operator()(const Other&) const {
        throw std::invalid_argument("load_walk: not a load of MTE1");
    }
};

} // namespace

LoadWalk load_walk(const Operation& operation) { return std::visit(WalkOf{}, operation); }

} // namespace aicore
