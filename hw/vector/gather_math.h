// Vector instructions whose addresses or results depend on bits in UB: vgather, vgatherb,
// vreducev2.
#pragma once

#include "hw/isa/vector_shape.h"
#include "hw/vector/vector_math.h"

#include <array>

namespace aicore {

/// A step for each repeat: what its offsets point at is read and written while the offsets of the
/// next repeat come through the other port [inferred: silicon takes less than two cycles for a
/// repeat of vgatherb]. A step before the first repeat reads its offsets. Bits of an address below
/// the size of an element, or of a block, are ignored [inferred].
class GatherTask : public VectorTask {
public:
    explicit GatherTask(const VectorGather& op);
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    void read_offsets(VectorStep& step);
    void read_elements(VectorStep& step) const;

    VectorGather op_;
    int item_bytes_; ///< an element or a block
    int lanes_;      ///< items of a repeat
    std::int64_t repeats_;
    std::int64_t repeat_ = -2; ///< of the step; -1: the one before the first repeat
    LaneMask enabled_{};       ///< of the repeat whose offsets were read last
    std::array<std::uint32_t, 128> offsets_{};
};

/// A step for each 256 bytes of the source (fewer at the end of a repeat). A read covers whole
/// blocks. The kept elements of all repeats follow one another at the destination.
class GatherMaskTask : public VectorTask {
public:
    explicit GatherMaskTask(const GatherMask& op);
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    bool keeps(const VectorData& data, int element) const;

    GatherMask op_;
    int size_;
    int step_elements_;
    std::int64_t repeat_elements_;
    std::int64_t repeat_ = 0;
    std::int64_t position_ = 0; ///< first element of the next step in its repeat
    int count_ = 0;             ///< elements of the step
    std::int64_t kept_ = 0;
};

} // namespace aicore
