// Writes that an engine hands over and does not wait for: their data must outlive the engine's own
// buffers until the target has taken them.
#pragma once

#include "hw/isa/types.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace aicore {

/// The data of one posted write, and the instruction that it is part of.
struct PostedWrite {
    std::uint64_t number = 0;
    std::array<std::uint8_t, kL0cFractalBytes> data;
};

/// Buffers for posted writes; grows to the largest number that was ever under way.
class PostedWrites {
public:
    PostedWrite& take(std::uint64_t number) {
        if (free_.empty()) {
            all_.push_back(std::make_unique<PostedWrite>());
            free_.push_back(all_.back().get());
        }
        PostedWrite& write = *free_.back();
        free_.pop_back();
        write.number = number;
        return write;
    }
    void give_back(PostedWrite& write) { free_.push_back(&write); }
    /// Reset cut off every write under way.
    void reset() {
        free_.clear();
        for (const auto& write : all_) free_.push_back(write.get());
    }

private:
    std::vector<std::unique_ptr<PostedWrite>> all_;
    std::vector<PostedWrite*> free_;
};

} // namespace aicore
