#include "hw/cube/panel_buffer.h"

#include "hw/numerics/hf32.h"
#include "hw/numerics/operand_panel.h"

#include <algorithm>
#include <memory>

namespace aicore {

std::size_t PanelShape::pieces() const {
    return kind == Kind::a || kind == Kind::a_vector ? 1 : static_cast<std::size_t>(k_fractals);
}

std::size_t PanelShape::piece_bytes() const {
    switch (kind) {
    case Kind::a: return static_cast<std::size_t>(k_fractals) * kFractalBytes;
    case Kind::a_vector: return static_cast<std::size_t>(k_fractals) * kBlockBytes;
    default: return kFractalBytes;
    }
}

void PanelBuffer::shape(const PanelShape& shape) {
    if (shape_ == shape) return;
    shape_ = shape;
    changed_ = true;

    const std::size_t pieces = shape.pieces();
    piece_bytes_ = shape.piece_bytes();
    versions_.assign(pieces, 0);
    raw_.resize(std::max(raw_.size(), pieces * piece_bytes_));
    const bool sparse = shape.kind == PanelShape::Kind::b_sparse;
    index_versions_.assign(sparse ? pieces : 0, 0);
    indices_.resize(index_versions_.size() * kSparseIndexBytes);
    // A sparse B becomes a dense panel of twice as many fractals.
    const std::size_t bytes = decoded_panel_bytes(shape.type, shape.k_fractals * (sparse ? 2 : 1));
    if (storage_.size() < bytes + kPanelAlignment) storage_.resize(bytes + kPanelAlignment);
    void* start = storage_.data();
    std::size_t space = storage_.size();
    decoded_ = std::align(kPanelAlignment, bytes, start, space);
}

void PanelBuffer::set_version(std::size_t i, std::uint64_t version) {
    changed_ = changed_ || version == 0 || version != versions_[i];
    versions_[i] = version;
}

void PanelBuffer::set_index_version(std::size_t i, std::uint64_t version) {
    changed_ = changed_ || version == 0 || version != index_versions_[i];
    index_versions_[i] = version;
}

const void* PanelBuffer::decoded(int hf32_fraction_bits) {
    if (!changed_) return decoded_;
    const DataType type = shape_->type;
    const int fractals = shape_->k_fractals;
    switch (shape_->kind) {
    case PanelShape::Kind::a:
    case PanelShape::Kind::a_pieces: decode_a(type, raw_.data(), fractals, decoded_); break;
    case PanelShape::Kind::a_vector: decode_a_vector(type, raw_.data(), fractals, decoded_); break;
    case PanelShape::Kind::b: decode_b(type, raw_.data(), fractals, decoded_); break;
    case PanelShape::Kind::b_sparse:
        decode_b_sparse(raw_.data(), indices_.data(), fractals, decoded_);
        break;
    }
    if (shape_->hf32) {
        auto* const words = static_cast<float*>(decoded_);
        const auto count = static_cast<int>(decoded_panel_bytes(type, fractals) / sizeof(float));
        Hf32(hf32_fraction_bits, *shape_->hf32).round_row(words, count, words);
    }
    changed_ = false;
    return decoded_;
}

} // namespace aicore
