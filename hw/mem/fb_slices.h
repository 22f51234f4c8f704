// Where the slices of the Fixpipe buffer lie in its storage, one after another.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/table_load_walks.h"

#include <array>
#include <cstdint>

namespace aicore {

/// Slices by what FixPipe takes from them; those of the post stage are inferred.
enum FbSlice : std::uint8_t { kFbQuantPre, kFbReluPre, kFbQuantPost, kFbReluPost };

class FbSlices {
public:
    explicit FbSlices(const MemoriesConfig& memories) {
        const std::array<const MemoryConfig*, 4> slices{&memories.fb, &memories.fb1, &memories.fb2,
                                                        &memories.fb3};
        for (std::size_t i = 0; i < slices.size(); ++i) {
            starts_[i] = static_cast<std::uint32_t>(storage_.size_bytes.count());
            storage_.size_bytes += slices[i]->size_bytes;
        }
        storage_.alignment_bytes = memories.fb.alignment_bytes;
    }

    /// Byte of the storage behind an address of the architecture (slice in bits [31:16], 0 .. 3).
    std::uint32_t place(std::uint32_t addr) const {
        return starts_[static_cast<std::size_t>(fb_slice(addr))] + fb_offset(addr);
    }
    /// Byte of the storage behind byte `offset` of a slice.
    std::uint32_t place(FbSlice slice, std::uint32_t offset) const {
        return starts_[slice] + offset;
    }
    /// The memory that holds all slices.
    const MemoryConfig& storage() const { return storage_; }

private:
    std::array<std::uint32_t, 4> starts_{};
    MemoryConfig storage_;
};

} // namespace aicore
