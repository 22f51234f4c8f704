// What the vector unit does at a time: reads pieces of UB, computes, writes pieces of UB.
//
// A step is usually one repeat. Pieces never cross a 32-byte block, so that each is one access of
// one bank. Blocks without an enabled element are neither read nor written [inferred].
#pragma once

#include <array>
#include <cstdint>

namespace aicore {

/// The operand that a piece belongs to.
enum class VectorPort : std::uint8_t {
    src0,
    src1,
    dst,  ///< reads: the destination, of instructions that add to it
    bits, ///< select bits, gather offsets, GatherMask patterns
};

struct VectorStep {
    /// Bytes [addr, addr + bytes) of UB are bytes [offset, offset + bytes) of VectorData::in.
    struct Read {
        std::uint32_t addr = 0;
        std::uint16_t offset = 0;
        std::uint8_t bytes = 0; ///< 1..32
        VectorPort port = VectorPort::src0;
    };

    /// Bytes [offset, offset + bytes) of VectorData::out go to addr; byte i if bit i of `enable`.
    struct Write {
        std::uint32_t addr = 0;
        std::uint32_t enable = 0;
        std::uint16_t offset = 0;
        std::uint8_t bytes = 0; ///< 1..32
    };

    /// A vgather of 128 elements of 16 bits, and the next 128 offsets in blocks of 8.
    static constexpr int kMaxReads = 144;
    static constexpr int kMaxWrites = 16;
    static constexpr int kInBytes = 1024;
    static constexpr int kOutBytes = 512;

    std::array<Read, kMaxReads> reads;
    std::array<Write, kMaxWrites> writes;
    int read_count = 0;
    int write_count = 0;
    bool ends_repeat = true; ///< false: more of its repeat follows, and the pace is that of both

    void clear() {
        read_count = write_count = 0;
        ends_repeat = true;
    }

    /// Cuts [addr, addr + bytes) at block boundaries and appends the pieces; they fill the buffer
    /// from `offset` on.
    void add_read(VectorPort port, std::uint32_t addr, int offset, int bytes) {
        while (bytes > 0) {
            const int piece = piece_of(addr, bytes);
            reads[static_cast<std::size_t>(read_count++)] = {
                addr, static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(piece), port};
            addr += static_cast<std::uint32_t>(piece);
            offset += piece;
            bytes -= piece;
        }
    }
    /// Likewise; every byte is enabled.
    void add_write(std::uint32_t addr, int offset, int bytes) {
        while (bytes > 0) {
            const int piece = piece_of(addr, bytes);
            add_masked_write(addr, offset, piece, piece == 32 ? ~0u : (1u << piece) - 1u);
            addr += static_cast<std::uint32_t>(piece);
            offset += piece;
            bytes -= piece;
        }
    }
    /// A piece inside one block.
    void add_masked_write(std::uint32_t addr, int offset, int bytes, std::uint32_t enable) {
        writes[static_cast<std::size_t>(write_count++)] = {
            addr, enable, static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(bytes)};
    }

private:
    static int piece_of(std::uint32_t addr, int bytes) {
        const int to_end = 32 - static_cast<int>(addr % 32);
        return bytes < to_end ? bytes : to_end;
    }
};

} // namespace aicore
