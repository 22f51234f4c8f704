// Decoded operands of the cube, kept for as long as their bytes do not change.
//
// A column panel of B serves every row of a tile, yet the array reads it again for each of them.
// The model reads it again as well, but conditionally (AccessExtension::version): only bytes that
// have changed since are moved and decoded.
#pragma once

#include "hw/isa/types.h"
#include "hw/numerics/rounding.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aicore {

/// What a panel holds and how its bytes become numbers.
struct PanelShape {
    enum class Kind : std::uint8_t {
        a,        ///< fractals that follow one another, read at once
        a_pieces, ///< fractals that lie apart
        a_vector, ///< a vector, contiguous along K
        b,        ///< fractals that lie apart
        b_sparse  ///< the same of a 4:2 sparse B, and the indices of each
    };

    Kind kind = Kind::a;
    DataType type = DataType::float16;
    int k_fractals = 0;             ///< that are read
    std::optional<Rounding> hf32{}; ///< float32 rounded to HF32

    bool operator==(const PanelShape& other) const {
        return kind == other.kind && type == other.type && k_fractals == other.k_fractals &&
               hf32 == other.hf32;
    }
    std::size_t pieces() const;
    std::size_t piece_bytes() const;
};

/// A panel of A or B: the bytes of its fractals as read last, and their decoded form.
class PanelBuffer {
public:
    /// Makes the panel one of this shape. What it held is kept if it was one before.
    void shape(const PanelShape& shape);
    /// Bytes and version of the i-th piece that is read at once, for a conditional read.
    std::uint8_t* piece(std::size_t i) { return raw_.data() + i * piece_bytes_; }
    std::uint64_t version(std::size_t i) const { return versions_[i]; }
    /// Notes the version that a read has returned.
    void set_version(std::size_t i, std::uint64_t version);
    std::size_t piece_bytes() const { return piece_bytes_; }
    /// Indices of the i-th piece of a sparse B, which have a version of their own.
    std::uint8_t* indices(std::size_t i) { return indices_.data() + i * kSparseIndexBytes; }
    std::uint64_t index_version(std::size_t i) const { return index_versions_[i]; }
    void set_index_version(std::size_t i, std::uint64_t version);
    /// The decoded panel for the arithmetic of hw/numerics; HF32 keeps `hf32_fraction_bits`.
    const void* decoded(int hf32_fraction_bits);
    /// Forgets everything.
    void clear() { shape_.reset(); }

private:
    std::optional<PanelShape> shape_;
    std::size_t piece_bytes_ = 0;
    std::vector<std::uint8_t> raw_;
    std::vector<std::uint64_t> versions_;
    std::vector<std::uint8_t> indices_;
    std::vector<std::uint64_t> index_versions_;
    bool changed_ = true;
    std::vector<std::uint8_t> storage_;
    void* decoded_ = nullptr; ///< aligned inside storage_
};

} // namespace aicore
