#include "hw/cube/panel_buffer.h"

#include "hw/numerics/operand_panel.h"

#include <algorithm>
#include <memory>

namespace aicore {

void PanelBuffer::shape(Kind kind, DataType type, int k_fractals) {
    if (type_ == type && kind_ == kind && k_fractals_ == k_fractals) return;
    kind_ = kind;
    type_ = type;
    k_fractals_ = k_fractals;
    changed_ = true;

    const auto fractals = static_cast<std::size_t>(k_fractals);
    // A in Zz order is contiguous along K and read at once; the fractals of other panels lie apart.
    const bool is_apart = kind == Kind::b || kind == Kind::a_nz;
    const std::size_t pieces = is_apart ? fractals : 1;
    piece_bytes_ = is_apart                 ? kFractalBytes
                   : kind == Kind::a_vector ? fractals * kBlockBytes
                                            : fractals * kFractalBytes;
    versions_.assign(pieces, 0);
    raw_.resize(std::max(raw_.size(), pieces * piece_bytes_));
    const std::size_t bytes = decoded_panel_bytes(type, k_fractals);
    if (storage_.size() < bytes + kPanelAlignment) storage_.resize(bytes + kPanelAlignment);
    void* start = storage_.data();
    std::size_t space = storage_.size();
    decoded_ = std::align(kPanelAlignment, bytes, start, space);
}

void PanelBuffer::set_version(std::size_t i, std::uint64_t version) {
    changed_ = changed_ || version == 0 || version != versions_[i];
    versions_[i] = version;
}

const void* PanelBuffer::decoded() {
    if (!changed_) return decoded_;
    switch (kind_) {
    case Kind::a:
    case Kind::a_nz: decode_a(*type_, raw_.data(), k_fractals_, decoded_); break;
    case Kind::a_vector: decode_a_vector(*type_, raw_.data(), k_fractals_, decoded_); break;
    case Kind::b: decode_b(*type_, raw_.data(), k_fractals_, decoded_); break;
    }
    changed_ = false;
    return decoded_;
}

} // namespace aicore
