// How much the cube multiplied in a run.
#pragma once

#include "hw/config/platform.h"
#include "hw/pipe/observer.h"

#include <cstdint>

namespace aicore::tb {

/// Observer that adds up the Mmads that are done.
class CubeWork : public Observer {
public:
    explicit CubeWork(const CubeConfig& config) : config_(config) {}

    void on_stage(Cycles, const PipeInfo&, const InstructionTag&, InstructionStage) override;

    /// Cycles in which the multiplier array works on a fractal, without start-up and waiting.
    Cycles fractal_cycles() const { return fractal_cycles_; }
    /// Multiplications of valid elements; the padding of partly used fractals does not count.
    std::int64_t products() const { return products_; }
    std::int64_t mmads() const { return mmads_; }

private:
    CubeConfig config_;
    Cycles fractal_cycles_;
    std::int64_t products_ = 0;
    std::int64_t mmads_ = 0;
};

} // namespace aicore::tb
