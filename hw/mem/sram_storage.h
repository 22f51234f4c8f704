// The bytes of a memory, with writes that land at their cycle.
//
// A write carries the cycle at which it lands; a read sees the writes that landed in earlier
// cycles. So accesses of one cycle never depend on which process ran first, and an initiator may
// hand over a result before it lands (annotated delay) without an event of its own.
#pragma once

#include "tlm/target_access.h"
#include "tlm/units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace aicore {

class SramStorage {
public:
    SramStorage(Bytes size, std::uint8_t power_on_byte);

    Bytes size() const { return Bytes(static_cast<std::int64_t>(bytes_.size())); }

    /// Reads as seen in cycle `now`. Returns the version of the bytes: it changes with every write
    /// that lands in one of their rows. When the caller still holds that version, nothing is moved.
    std::uint64_t read(Cycles now, std::uint64_t address, std::uint8_t* out, std::size_t length,
                       std::uint64_t known_version = 0);
    /// A write that lands at `due` >= `now`. `byte_enable` (null: all) repeats over the data.
    void write(Cycles now, Cycles due, std::uint64_t address, const std::uint8_t* data,
               std::size_t length, const std::uint8_t* byte_enable, std::size_t byte_enable_length);
    /// Untimed access, for debug transport: first lets everything land that is due by `now`.
    void debug_read(Cycles now, std::uint64_t address, std::uint8_t* out, std::size_t length);
    void debug_write(Cycles now, std::uint64_t address, const std::uint8_t* data,
                     std::size_t length);
    void reset();

private:
    static constexpr std::size_t kPieceBytes = 1024;
    static constexpr std::size_t kVersionRowBytes = 512;

    struct Write {
        Cycles due;
        std::uint32_t address = 0;
        std::uint16_t length = 0;
        std::uint16_t byte_enable_length = 0; ///< 0: all bytes
        std::array<std::uint8_t, kMaxByteEnableLength> byte_enable;
        std::array<std::uint8_t, kPieceBytes> data;
    };

    void land_before(Cycles cycle);
    Write& enqueue(Cycles due);
    void apply(const Write& write);
    void touch(std::uint64_t address, std::size_t length);

    std::vector<std::uint8_t> bytes_;
    std::uint8_t power_on_byte_;
    std::uint64_t landings_ = 1;          ///< counts writes that landed; 0 is no version
    std::vector<std::uint64_t> versions_; ///< of each row: the last landing in it
    std::vector<Write> ring_;             ///< writes that have not landed, in order of due
    std::size_t head_ = 0;
    std::size_t count_ = 0;
};

} // namespace aicore
