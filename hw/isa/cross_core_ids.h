// Flags between cores: their ids, and those that SyncAll is made of.
#pragma once

namespace aicore {

inline constexpr int kCrossCoreIds = 16;      ///< counters of a core
inline constexpr int kCrossCoreCountBits = 4; ///< of a counter
inline constexpr int kMostCrossCoreCount = (1 << kCrossCoreCountBits) - 1;

/// The counter that the id of an instruction names: the low 4 bits count.
constexpr int cross_core_counter(int id) { return id % kCrossCoreIds; }

// Ids that SyncAll uses, from the vendor's headers; hw/scalar/sync_all_steps.h has their order.
inline constexpr int kSyncAllCubeCores = 11;     ///< among all cube cores
inline constexpr int kSyncAllToCubeCore = 12;    ///< vector cores to their cube core
inline constexpr int kSyncAllToVectorCores = 13; ///< a cube core to its vector cores
inline constexpr int kSyncAllVectorCores = 14;   ///< among all vector cores
inline constexpr int kFirstSyncAllId = kSyncAllCubeCores;
inline constexpr int kLastSyncAllId = kSyncAllVectorCores;

} // namespace aicore
