// The content of a large memory: a page exists from its first write on and reads as zero before.
#pragma once

#include "tlm/units.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace aicore {

class SparseStorage {
public:
    explicit SparseStorage(Bytes size);

    /// Both move what lies inside the memory and return the number of bytes.
    std::uint64_t write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
    std::uint64_t read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) const;

private:
    static constexpr std::uint64_t kPageBytes = std::uint64_t(1) << 20;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// How many of the bytes lie inside.
    std::uint64_t clip(std::uint64_t address, std::uint64_t bytes) const;

    std::uint64_t size_;
    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace aicore
