#include "hw/numerics/simd_target.h"

#include "hw/numerics/simd_setup.h"

#include <hwy/highway.h>

#include <cstdint>
#include <stdexcept>

namespace aicore {

namespace {

std::vector<std::int64_t> machine_targets() {
    // Without this reset the list would shrink to the target forced before.
    hwy::SetSupportedTargetsForTest(0);
    return hwy::SupportedAndGeneratedTargets();
}

} // namespace

std::vector<std::string> simd_targets() {
    const std::int64_t forced = hwy::SupportedTargets();
    std::vector<std::string> names;
    for (const std::int64_t target : machine_targets()) names.emplace_back(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(forced);
    hwy::GetChosenTarget().Update(forced);
    return names;
}

void use_simd_target(std::string_view name) {
    const std::vector<std::int64_t> targets = machine_targets();
    if (name.empty()) {
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        return;
    }
    for (const std::int64_t target : targets) {
        if (name != hwy::TargetName(target)) continue;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        return;
    }
    throw std::invalid_argument("instruction set '" + std::string(name) +
                                "' is not available on this machine");
}

} // namespace aicore
