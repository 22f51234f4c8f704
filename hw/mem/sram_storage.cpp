#include "hw/mem/sram_storage.h"

#include <algorithm>
#include <cstring>

namespace aicore {

SramStorage::SramStorage(Bytes size, std::uint8_t power_on_byte)
    : bytes_(static_cast<std::size_t>(size.count()), power_on_byte), power_on_byte_(power_on_byte),
      versions_(bytes_.size() / kVersionRowBytes + 1, landings_), ring_(16) {}

std::uint64_t SramStorage::read(Cycles now, std::uint64_t address, std::uint8_t* out,
                                std::size_t length, std::uint64_t known_version) {
    land_before(now);
    const std::size_t last_row = (address + length - 1) / kVersionRowBytes;
    std::uint64_t version = 0;
    for (std::size_t row = address / kVersionRowBytes; row <= last_row; ++row)
        version = std::max(version, versions_[row]);
    if (version != known_version) std::memcpy(out, bytes_.data() + address, length);
    return version;
}

void SramStorage::write(Cycles now, Cycles due, std::uint64_t address, const std::uint8_t* data,
                        std::size_t length, const std::uint8_t* byte_enable,
                        std::size_t byte_enable_length) {
    land_before(now);
    for (std::size_t done = 0; done < length; done += kPieceBytes) {
        const std::size_t piece = std::min(kPieceBytes, length - done);
        Write& entry = enqueue(due);
        entry.address = static_cast<std::uint32_t>(address + done);
        entry.length = static_cast<std::uint16_t>(piece);
        std::memcpy(entry.data.data(), data + done, piece);
        entry.byte_enable_length = 0;
        if (byte_enable != nullptr) {
            entry.byte_enable_length = static_cast<std::uint16_t>(byte_enable_length);
            for (std::size_t i = 0; i < byte_enable_length; ++i) {
                entry.byte_enable[i] = byte_enable[(done + i) % byte_enable_length];
            }
        }
    }
}

void SramStorage::debug_read(Cycles now, std::uint64_t address, std::uint8_t* out,
                             std::size_t length) {
    land_before(now + Cycles(1));
    std::memcpy(out, bytes_.data() + address, length);
}

void SramStorage::debug_write(Cycles now, std::uint64_t address, const std::uint8_t* data,
                              std::size_t length) {
    land_before(now + Cycles(1));
    std::memcpy(bytes_.data() + address, data, length);
    touch(address, length);
}

void SramStorage::touch(std::uint64_t address, std::size_t length) {
    ++landings_;
    const std::size_t last_row = (address + length - 1) / kVersionRowBytes;
    for (std::size_t row = address / kVersionRowBytes; row <= last_row; ++row)
        versions_[row] = landings_;
}

void SramStorage::reset() {
    std::fill(bytes_.begin(), bytes_.end(), power_on_byte_);
    std::fill(versions_.begin(), versions_.end(), ++landings_);
    head_ = 0;
    count_ = 0;
}

void SramStorage::land_before(Cycles cycle) {
    while (count_ != 0 && ring_[head_].due < cycle) {
        apply(ring_[head_]);
        head_ = (head_ + 1) % ring_.size();
        --count_;
    }
}

SramStorage::Write& SramStorage::enqueue(Cycles due) {
    if (count_ == ring_.size()) {
        std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(head_), ring_.end());
        head_ = 0;
        ring_.resize(2 * ring_.size());
    }
    // Writes mostly come in order of due; one that lands earlier moves ahead of those after it.
    std::size_t slot = (head_ + count_) % ring_.size();
    ++count_;
    while (slot != head_) {
        const std::size_t before = (slot + ring_.size() - 1) % ring_.size();
        if (ring_[before].due <= due) break;
        ring_[slot] = ring_[before];
        slot = before;
    }
    ring_[slot].due = due;
    return ring_[slot];
}

void SramStorage::apply(const Write& write) {
    touch(write.address, write.length);
    std::uint8_t* out = bytes_.data() + write.address;
    if (write.byte_enable_length == 0) {
        std::memcpy(out, write.data.data(), write.length);
        return;
    }
    for (std::size_t i = 0; i < write.length; ++i) {
        if (write.byte_enable[i % write.byte_enable_length] != TLM_BYTE_DISABLED)
            out[i] = write.data[i];
    }
}

} // namespace aicore
