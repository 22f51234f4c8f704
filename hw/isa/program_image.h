// The binary form of a program: what the program window of an AI Core holds.
//
// An image has the instructions of every core of a launch. A launch has blocks, one for each AI
// Core that takes part; the AI Core that runs block b takes the sections of block b.
//
//   header   magic u32 "ACPI", version u32, isa u32, arch u32, block_count u32, sections u32,
//            bytes u64 of the whole image
//   section  block u32, core u32 (0 the cube core, 1 + i vector core i of the AI Core),
//            records u64, bytes u64 of the records; then the records
//   record   opcode u16, bytes u16 of the fields, line u32, column u32 of its place in the program
//            file; then the fields
//
// Little-endian, without padding. The opcode is a position in all_operations(). The fields follow
// one another as operation_table.h shows them, those that only confirm others left out: a location
// is its buffer (u8) and address (u64); integers are i64; booleans u8; choices u8, 255 for none;
// scalars u32. `isa` is a digest of the names of all instructions and fields and of the codes of
// choices and buffers (operation_digest.h): an image is for the version of the table that made it,
// and another one refuses it.
#pragma once

#include "hw/isa/instruction.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace aicore {

/// What is wrong with an image: "section 1, record 7: mmad: unit_flag = 1: must be ...".
class ImageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct ProgramImage {
    static constexpr std::uint32_t kMagic = 0x49504341; ///< "ACPI" in memory
    static constexpr std::uint32_t kVersion = 1;

    /// The instructions of one core of one block.
    struct Section {
        std::uint32_t block = 0;
        std::uint32_t core = 0; ///< 0 the cube core, 1 + i vector core i of the AI Core
        std::vector<Instruction> instructions;
    };

    int arch = 2201;
    std::uint32_t block_count = 1;
    std::vector<Section> sections; ///< one at most for each core of a block

    /// Null when the core has nothing to do.
    const Section* find(std::uint32_t block, std::uint32_t core) const;
};

/// Throws ImageError for a field that holds none of its choices or buffers, and for sections that
/// contradict one another or block_count.
std::vector<std::uint8_t> encode(const ProgramImage& image);

/// Reads an image from the start of `data`; bytes behind it are ignored. Throws ImageError for
/// anything that encode() does not write. Whether instructions are legal on a platform is another
/// question: stream_check.h.
ProgramImage decode_image(const std::uint8_t* data, std::size_t bytes);

} // namespace aicore
