// vbitsort and vmrgsort4: entries of 8 bytes, the score in the low and the index in the high word.
// A NaN counts as larger than every number [inferred].
#pragma once

#include "hw/isa/instruction.h"
#include "hw/vector/vector_math.h"

#include <array>

namespace aicore {

/// One step for each repeat.
class SortTask : public VectorTask {
public:
    explicit SortTask(const Sort32& op) : op_(op) {}
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    Sort32 op_;
    std::int64_t repeat_ = -1;
};

/// A step gives up to four entries (a block) and reads, of each list with fewer than four entries
/// at hand, the next four: every entry is read once. Reading one list after the other this way is
/// [inferred]; the result is not.
class MergeTask : public VectorTask {
public:
    explicit MergeTask(const MrgSort& op);
    bool next(VectorStep& step) override;
    void execute(VectorStep& step, VectorData& data, VectorState& state) override;

private:
    using Entry = std::uint64_t;
    struct List {
        std::array<Entry, 8> entries{};
        int at_hand = 0;       ///< entries read and not yet given
        std::int32_t read = 0; ///< since the repeat began
        std::int32_t given = 0;
        int arriving = 0; ///< entries that the current step reads
    };

    void start_repeat();
    bool is_finished() const;
    int best_list() const;

    MrgSort op_;
    int list_count_;
    std::int64_t repeat_entries_ = 0; ///< of all lists
    std::array<List, 4> lists_{};
    std::int32_t repeat_ = 0;
    std::int64_t written_ = 0; ///< entries, over all repeats
};

} // namespace aicore
