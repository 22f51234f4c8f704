#include "tb/report/cube_work.h"

#include "hw/cube/cube_timing.h"

namespace aicore::tb {

void CubeWork::on_stage(Cycles, const PipeInfo&, const InstructionTag& tag,
                        InstructionStage stage) {
    if (stage != InstructionStage::done) return;
    const auto* mmad = std::get_if<Mmad>(&tag.instruction->operation);
    if (mmad == nullptr) return;
    ++mmads_;
    products_ += mmad->m * mmad->n * mmad->k;
    const MmadShape shape = mmad_shape(*mmad);
    fractal_cycles_ += block_cycles(config_, *mmad) * (std::int64_t{shape.m1} * shape.n1);
}

} // namespace aicore::tb
