#include "hw/cube/operand_cache.h"

#include "hw/numerics/operand_panel.h"

#include <cstring>

namespace aicore {

const void* OperandCache::decode(std::size_t slot, Operand operand, DataType type, const std::uint8_t* raw,
                                 int k_fractals) {
    Panel& panel = slots_[slot];
    const std::size_t raw_bytes =
        static_cast<std::size_t>(k_fractals) * (operand == Operand::a_vector ? kBlockBytes : kFractalBytes);
    if (panel.decoded != nullptr && panel.operand == operand && panel.type == type && panel.raw.size() == raw_bytes &&
        std::memcmp(panel.raw.data(), raw, raw_bytes) == 0) {
        return panel.decoded;
    }

    const std::size_t bytes = decoded_panel_bytes(type, k_fractals);
    if (panel.capacity < bytes) {
        panel.storage = std::make_unique<std::uint8_t[]>(bytes + kPanelAlignment);
        panel.capacity = bytes;
        void* start = panel.storage.get();
        std::size_t space = bytes + kPanelAlignment;
        panel.decoded = std::align(kPanelAlignment, bytes, start, space);
    }
    panel.operand = operand;
    panel.type = type;
    panel.raw.assign(raw, raw + raw_bytes);
    switch (operand) {
    case Operand::a: decode_a(type, raw, k_fractals, panel.decoded); break;
    case Operand::a_vector: decode_a_vector(type, raw, k_fractals, panel.decoded); break;
    case Operand::b: decode_b(type, raw, k_fractals, panel.decoded); break;
    }
    return panel.decoded;
}

void OperandCache::clear() {
    for (Panel& panel : slots_) panel.raw.clear();
}

} // namespace aicore
