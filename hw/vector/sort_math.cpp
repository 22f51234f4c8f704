#include "hw/vector/sort_math.h"

#include "hw/vector/element_math.h"

#include <algorithm>

namespace aicore {
namespace {

constexpr int kSorted = 32; ///< elements of a repeat of vbitsort
constexpr int kEntryBytes = 8;
constexpr int kStepEntries = 4;   ///< of vmrgsort4
constexpr int kIndexOffset = 128; ///< of the indices in VectorData::in

float score_of(DataType type, std::uint64_t entry) {
    const auto bits = static_cast<std::uint32_t>(entry);
    return type == DataType::float16 ? HalfElement::decode(bits & 0xFFFFu)
                                     : SingleElement::decode(bits);
}

bool is_above(DataType type, std::uint64_t a, std::uint64_t b) {
    const float score_a = score_of(type, a), score_b = score_of(type, b);
    if (std::isnan(score_a) || std::isnan(score_b)) {
        return std::isnan(score_a) && !std::isnan(score_b);
    }
    return score_a > score_b;
}

} // namespace

bool SortTask::next(VectorStep& step) {
    if (repeat_ + 1 >= op_.repeat) return false;
    step.clear();
    ++repeat_;
    const auto done = static_cast<std::uint32_t>(repeat_ * kSorted);
    const int score_bytes = size_of(op_.type);
    step.add_read(VectorPort::src0, op_.score_addr + done * static_cast<std::uint32_t>(score_bytes),
                  0, kSorted * score_bytes);
    step.add_read(VectorPort::src1, op_.index_addr + done * 4, kIndexOffset, kSorted * 4);
    step.add_write(op_.dst_addr + done * kEntryBytes, 0, kSorted * kEntryBytes);
    return true;
}

void SortTask::execute(VectorStep&, VectorData& data, VectorState&) {
    std::array<std::uint64_t, kSorted> entries;
    for (int i = 0; i < kSorted; ++i) {
        const std::uint64_t score = op_.type == DataType::float16
                                        ? load_raw<std::uint16_t>(data.in.data(), i)
                                        : load_raw<std::uint32_t>(data.in.data(), i);
        const std::uint64_t index = load_raw<std::uint32_t>(data.in.data() + kIndexOffset, i);
        entries[static_cast<std::size_t>(i)] = index << 32 | score;
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [this](std::uint64_t a, std::uint64_t b) { return is_above(op_.type, a, b); });
    std::memcpy(data.out.data(), entries.data(), sizeof entries);
}

MergeTask::MergeTask(const MrgSort& op) : op_(op), list_count_(list_count(op)) {
    for (int i = 0; i < list_count_; ++i) {
        repeat_entries_ += op.lengths[static_cast<std::size_t>(i)];
    }
}

void MergeTask::start_repeat() { lists_ = {}; }

bool MergeTask::is_finished() const {
    bool is_any_left = false, is_any_empty = false;
    for (int i = 0; i < list_count_; ++i) {
        const auto list = static_cast<std::size_t>(i);
        const bool is_empty = lists_[list].given == op_.lengths[list];
        is_any_left = is_any_left || !is_empty;
        is_any_empty = is_any_empty || is_empty;
    }
    return !is_any_left || (op_.exhausted_suspension && is_any_empty);
}

bool MergeTask::next(VectorStep& step) {
    if (repeat_ < op_.repeat && is_finished()) {
        ++repeat_;
        start_repeat();
    }
    if (repeat_ >= op_.repeat || is_finished()) return false;
    step.clear();
    for (int i = 0; i < list_count_; ++i) {
        const auto number = static_cast<std::size_t>(i);
        List& list = lists_[number];
        list.arriving = 0;
        const std::int32_t left = op_.lengths[number] - list.read;
        if (list.at_hand >= kStepEntries || left == 0) continue;
        list.arriving = std::min<std::int32_t>(left, kStepEntries);
        const std::int64_t entry = repeat_ * repeat_entries_ + list.read;
        step.add_read(i == 0 ? VectorPort::src0 : VectorPort::src1,
                      op_.src_addrs[number] + static_cast<std::uint32_t>(entry * kEntryBytes),
                      i * kStepEntries * kEntryBytes, list.arriving * kEntryBytes);
    }
    return true;
}

/// The list with the highest entry, the first of equal ones; -1: none has any.
int MergeTask::best_list() const {
    int best = -1;
    for (int i = 0; i < list_count_; ++i) {
        const List& list = lists_[static_cast<std::size_t>(i)];
        if (list.at_hand == 0) continue;
        if (best < 0 || is_above(op_.type, list.entries[0],
                                 lists_[static_cast<std::size_t>(best)].entries[0])) {
            best = i;
        }
    }
    return best;
}

void MergeTask::execute(VectorStep& step, VectorData& data, VectorState&) {
    for (int i = 0; i < list_count_; ++i) {
        List& list = lists_[static_cast<std::size_t>(i)];
        for (int k = 0; k < list.arriving; ++k) {
            list.entries[static_cast<std::size_t>(list.at_hand++)] =
                load_raw<Entry>(data.in.data(), i * kStepEntries + k);
        }
        list.read += list.arriving;
    }
    int count = 0;
    while (count < kStepEntries && !is_finished()) {
        List& list = lists_[static_cast<std::size_t>(best_list())];
        store_raw(data.out.data(), count++, list.entries[0]);
        std::copy(list.entries.begin() + 1, list.entries.end(), list.entries.begin());
        --list.at_hand;
        ++list.given;
    }
    step.add_write(op_.dst_addr + static_cast<std::uint32_t>(written_ * kEntryBytes), 0,
                   count * kEntryBytes);
    written_ += count;
}

} // namespace aicore
