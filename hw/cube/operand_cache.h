// Decoded operands of the cube, kept for as long as their bytes do not change.
//
// A column panel of B serves every row of a tile, yet the array reads it again for each of them. The
// model reads it again as well, and decodes it only when the bytes differ from those decoded before.
#pragma once

#include "hw/isa/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace aicore {

class OperandCache {
public:
    enum class Operand { a, a_vector, b };

    /// `slots`: places where a panel can start in the buffer (fractals).
    explicit OperandCache(std::size_t slots) : slots_(slots) {}

    /// The decoded panel of the raw bytes. `slot` tells panels apart; a hit needs equal type and bytes.
    const void* decode(std::size_t slot, Operand operand, DataType type, const std::uint8_t* raw, int k_fractals);
    void clear();

private:
    struct Panel {
        Operand operand = Operand::a;
        DataType type = DataType::float16;
        std::vector<std::uint8_t> raw;
        std::unique_ptr<std::uint8_t[]> storage;
        std::size_t capacity = 0;
        void* decoded = nullptr; ///< aligned inside storage
    };

    std::vector<Panel> slots_;
};

} // namespace aicore
