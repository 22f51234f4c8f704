#include "hw/mem/sparse_storage.h"

#include <algorithm>
#include <cstring>

namespace aicore {

SparseStorage::SparseStorage(Bytes size)
    : size_(static_cast<std::uint64_t>(size.count())),
      pages_(static_cast<std::size_t>(ceil_div(size.count(), kPageBytes))) {}

std::uint64_t SparseStorage::write(std::uint64_t address, const std::uint8_t* data,
                                   std::uint64_t bytes) {
    bytes = clip(address, bytes);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t offset = (address + done) % kPageBytes;
        const std::uint64_t piece = std::min(bytes - done, kPageBytes - offset);
        auto& page = pages_[(address + done) / kPageBytes];
        if (page == nullptr) page = std::make_unique<Page>();
        std::memcpy(page->data() + offset, data + done, piece);
        done += piece;
    }
    return bytes;
}

std::uint64_t SparseStorage::read(std::uint64_t address, std::uint8_t* data,
                                  std::uint64_t bytes) const {
    bytes = clip(address, bytes);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t offset = (address + done) % kPageBytes;
        const std::uint64_t piece = std::min(bytes - done, kPageBytes - offset);
        const auto& page = pages_[(address + done) / kPageBytes];
        if (page == nullptr) {
            std::memset(data + done, 0, piece);
        } else {
            std::memcpy(data + done, page->data() + offset, piece);
        }
        done += piece;
    }
    return bytes;
}

std::uint64_t SparseStorage::clip(std::uint64_t address, std::uint64_t bytes) const {
    return address >= size_ ? 0 : std::min(bytes, size_ - address);
}

} // namespace aicore
