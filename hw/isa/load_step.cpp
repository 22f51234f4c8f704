#include "hw/isa/load_step.h"

namespace aicore {

void LoadStep::add_piece(Source source, std::uint64_t src, int bytes) {
    if (piece_count > 0) {
        Piece& last = pieces[static_cast<std::size_t>(piece_count - 1)];
        const bool touches = source != Source::l1 || last.src + last.bytes == src;
        if (last.source == source && touches) {
            last.bytes = static_cast<std::uint16_t>(last.bytes + bytes);
            raw_bytes += bytes;
            return;
        }
    }
    pieces[static_cast<std::size_t>(piece_count++)] = {src, static_cast<std::uint16_t>(raw_bytes),
                                                       static_cast<std::uint16_t>(bytes), source};
    raw_bytes += bytes;
}

void LoadStep::add_output(Buffer buffer, std::uint64_t addr, int offset, int bytes) {
    outputs[static_cast<std::size_t>(output_count++)] = {buffer, static_cast<std::uint32_t>(addr),
                                                         static_cast<std::uint16_t>(offset),
                                                         static_cast<std::uint16_t>(bytes)};
}

} // namespace aicore
