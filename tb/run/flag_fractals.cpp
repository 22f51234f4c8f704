#include "tb/run/flag_fractals.h"

#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/l0c2ub.h"
#include "hw/isa/mmad_walk.h"

#include <algorithm>

namespace aicore::tb {

std::vector<FlagFractal> flag_fractals(const Operation& operation,
                                       const FixpipeReadings& readings) {
    std::vector<FlagFractal> fractals;
    const auto add = [&](std::uint32_t address, const FractalIndex& at) {
        const auto byte = static_cast<int>(address);
        fractals.push_back({byte / kUnitFlagBlockBytes,
                            (byte + kL0cFractalBytes - 1) / kUnitFlagBlockBytes, at.mi, at.ni});
    };
    if (const auto* mmad = std::get_if<Mmad>(&operation)) {
        if (mmad->unit_flag == UnitFlagMode::off || mmad->k == 0) return fractals;
        const MmadShape shape = mmad_shape(*mmad);
        for (int step = 0; step < shape.m1 * shape.n1; ++step) {
            const FractalIndex at = fractal_at(mmad->ctrl.mm_direction, shape.m1, shape.n1, step);
            add(c_fractal_addr(*mmad, at.mi, at.ni), at);
        }
    } else if (const auto fixpipe = as_fixpipe(operation, readings)) {
        if (fixpipe->unit_flag == UnitFlagMode::off) return fractals;
        std::vector<Fixpipe> parts{*fixpipe}; // with two destinations their fractals alternate
        if (fixpipe->dual_dst != DualDst::none)
            parts = {fixpipe_half(*fixpipe, 0), fixpipe_half(*fixpipe, 1)};
        const FixpipeShape shape = fixpipe_shape(parts.front());
        const Traversal order = fixpipe_traversal(parts.front());
        for (int matrix = 0; matrix < shape.matrices; ++matrix) {
            for (int step = 0; step < shape.m1 * shape.n1; ++step) {
                const FractalIndex at = fractal_at(order, shape.m1, shape.n1, step);
                for (const Fixpipe& part : parts) add(fixpipe_src(part, matrix, at.mi, at.ni), at);
            }
        }
    }
    return fractals;
}

std::size_t find_block(const std::vector<FlagFractal>& fractals, std::size_t from, int block) {
    const auto found = std::find_if(fractals.begin() + static_cast<std::ptrdiff_t>(from),
                                    fractals.end(), [block](const FlagFractal& fractal) {
                                        return fractal.first <= block && block <= fractal.last;
                                    });
    return static_cast<std::size_t>(found - fractals.begin());
}

bool turns_to(const Operation& operation, const FixpipeReadings& readings, std::size_t passed,
              int block, bool value) {
    if (std::holds_alternative<ClearUnitFlags>(operation)) return !value;
    const auto* mmad = std::get_if<Mmad>(&operation);
    const auto fixpipe = as_fixpipe(operation, readings);
    const bool toggles = value ? mmad != nullptr && mmad->unit_flag == UnitFlagMode::toggle
                               : fixpipe && fixpipe->unit_flag == UnitFlagMode::toggle;
    if (!toggles) return false;
    const std::vector<FlagFractal> fractals = flag_fractals(operation, readings);
    return find_block(fractals, passed, block) < fractals.size();
}

} // namespace aicore::tb
