// Memories of platforms for the tests of generated products; nothing else of them is filled in.
#pragma once

#include "hw/config/platform.h"

namespace aicore::test {

inline MemoryConfig memory_of(std::int64_t size, std::int64_t reserved, std::int64_t alignment) {
    return MemoryConfig{Bytes(size), Bytes(reserved), Bytes(alignment)};
}

/// Capacities of arch 2201.
inline Platform full_size_platform() {
    Platform platform;
    platform.arch = 2201;
    platform.memories.gm = memory_of(std::int64_t{1} << 36, 0, 1);
    platform.memories.l1 = memory_of(512 * 1024, 256, 32);
    platform.memories.l0a = memory_of(64 * 1024, 0, 512);
    platform.memories.l0b = memory_of(64 * 1024, 0, 512);
    platform.memories.l0c = memory_of(128 * 1024, 0, 64);
    platform.memories.bt = memory_of(1024, 0, 64);
    return platform;
}

/// Buffers so small that little products already need many tiles and chunks.
inline Platform tiny_platform() {
    Platform platform = full_size_platform();
    platform.memories.l1 = memory_of(24 * 1024, 256, 32);
    platform.memories.l0a = memory_of(4 * 1024, 0, 512);
    platform.memories.l0b = memory_of(6 * 1024, 0, 512);
    platform.memories.l0c = memory_of(8 * 1024, 0, 64);
    return platform;
}

} // namespace aicore::test
