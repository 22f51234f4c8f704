// Legality of what cores do together: SyncAll and atomic writes.
#include "hw/isa/legality_rules.h"

namespace aicore::legality {

namespace {

constexpr std::int64_t kMostCores = 4095;

} // namespace

void check(const SetAtomic&, Rules&) {}

void check_atomic_address(const AtomicAccess& atomic, std::uint64_t dst_addr, Rules& rules) {
    if (atomic.is_none()) return;
    rules.require(!rules.is_in_peer(dst_addr), "dst_addr", hex(dst_addr),
                  "atomic writes do not reach the peer's GM");
    rules.aligned("dst_addr", Buffer::GM, dst_addr, bytes_of(atomic.element));
}

void check(const SyncAll& sync, Rules& rules) {
    rules.require(!sync.aiv_only || rules.core() == CoreKind::aiv, "aiv_only", "true",
                  "the cube core takes part with aiv_only: false");
}

void check(const SoftSyncAll& sync, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    rules.require(sync.atomic.is_none(), "op", to_string(sync.atomic.operation),
                  "its copies to GM need set_atomic none");
    rules.range("used_cores", sync.used_cores, 1, kMostCores);
    rules.range("block_idx", sync.block_idx, 0, sync.used_cores - 1);
    rules.aligned("gm_addr", Buffer::GM, sync.gm_addr, kBlockBytes);
    rules.aligned("ub_addr", Buffer::UB, sync.ub_addr, kBlockBytes);
    if (rules.broken()) return;
    rules.inside("gm_addr", Buffer::GM, sync.gm_addr, std::int64_t{sync.used_cores} * kBlockBytes);
    rules.inside("ub_addr", Buffer::UB, sync.ub_addr, std::int64_t{sync.used_cores} * kBlockBytes);
}

} // namespace aicore::legality
