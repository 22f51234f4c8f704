// Decoded operands of the cube, kept for as long as their bytes do not change.
//
// A column panel of B serves every row of a tile, yet the array reads it again for each of them.
// The model reads it again as well, but conditionally (AccessExtension::version): only bytes that
// have changed since are moved and decoded.
#pragma once

#include "hw/isa/types.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aicore {

/// A panel of A or B: the bytes of its fractals as read last, and their decoded form.
class PanelBuffer {
public:
    enum class Kind { a, a_nz, a_vector, b };

    /// Makes the panel one of `k_fractals` fractals of this kind and type. What it held is kept if
    /// it was one before.
    void shape(Kind kind, DataType type, int k_fractals);
    /// Pieces that are read one by one: all fractals of A at once in Zz order, each by itself else.
    std::size_t pieces() const { return versions_.size(); }
    /// Bytes and version of the i-th piece that is read at once, for a conditional read.
    std::uint8_t* piece(std::size_t i) { return raw_.data() + i * piece_bytes_; }
    std::uint64_t version(std::size_t i) const { return versions_[i]; }
    /// Notes the version that a read has returned.
    void set_version(std::size_t i, std::uint64_t version);
    std::size_t piece_bytes() const { return piece_bytes_; }
    /// The decoded panel for the arithmetic of hw/numerics.
    const void* decoded();
    /// Forgets everything.
    void clear() { type_.reset(); }

private:
    Kind kind_ = Kind::a;
    std::optional<DataType> type_;
    int k_fractals_ = 0;
    std::size_t piece_bytes_ = 0;
    std::vector<std::uint8_t> raw_;
    std::vector<std::uint64_t> versions_;
    bool changed_ = true;
    std::vector<std::uint8_t> storage_;
    void* decoded_ = nullptr; ///< aligned inside storage_
};

} // namespace aicore
