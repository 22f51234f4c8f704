// The part of the reference that gathers, sorts and transposes.
#include "tests/support/format_table.h"
#include "tests/support/vector_reference.h"

#include <cmath>

namespace aicore::test {
namespace {

Exact score_of(DataType type, std::uint64_t entry) {
    return type == DataType::float16 ? half_value(static_cast<std::uint16_t>(entry))
                                     : float_value(static_cast<std::uint32_t>(entry));
}

bool is_before(DataType type, std::uint64_t a, std::uint64_t b) {
    const Exact x = score_of(type, a), y = score_of(type, b);
    if (std::isnan(x)) return !std::isnan(y);
    return !std::isnan(y) && x > y;
}

} // namespace

void VectorReference::run(const VectorGather& op) {
    const int bytes = op.blocks ? 32 : size_of(op.type);
    const int count = 256 / bytes;
    const bool counts = !op.blocks && op.control.mask_mode == MaskMode::counter;
    const auto elements = static_cast<std::int64_t>(op.control.mask[0] & 0xFFFFFFFF);
    const std::int64_t repeats = counts ? (elements + count - 1) / count : op.repeat;
    for (std::int64_t i = 0; i < repeats * count; ++i) {
        if (i % count == 0) before_ = ub;
        const auto lane = static_cast<std::size_t>(i % count);
        const bool is_on =
            op.blocks ||
            (counts ? i < elements : (op.control.mask[lane / 64] >> lane % 64 & 1) != 0);
        if (!is_on) continue;
        const auto from = op.src_addr + static_cast<std::int64_t>(get(op.offset_addr + 4 * i, 4));
        const std::int64_t place = static_cast<std::int64_t>(lane) * bytes;
        const std::int64_t to = op.dst_addr + i / count * op.dst_rep_stride * 32 +
                                place / 32 * 32 * (op.blocks ? op.dst_blk_stride : 1) + place % 32;
        for (int byte = 0; byte < bytes; ++byte) set(to + byte, 1, get(from + byte, 1));
    }
}

void VectorReference::run(const GatherMask& op) {
    const int size = size_of(op.type);
    const std::int64_t elements = op.control.mask_mode == MaskMode::counter
                                      ? static_cast<std::int64_t>(op.control.mask[0] & 0xFFFFFFFF)
                                      : 256 / size;
    constexpr const char* kPatterns[] = {"",     "1010", "0101", "1000",
                                         "0100", "0010", "0001", "1111"};
    std::int64_t kept = 0;
    for (std::int64_t r = 0; r < op.repeat; ++r) {
        for (std::int64_t i = 0; i < elements; ++i) {
            // A step of the model covers 256 bytes.
            if (i * size % 256 == 0) before_ = ub;
            const bool keeps =
                op.pattern == 0
                    ? (get(op.pattern_addr + 32 * r * op.pattern_rep_stride + i / 8, 1) >> i % 8 &
                       1) != 0
                    : kPatterns[op.pattern][i % 4] == '1';
            if (!keeps) continue;
            const std::int64_t block = i * size / 32;
            const std::int64_t from = op.src_addr +
                                      32 * (r * op.src_rep_stride + block * op.src_blk_stride) +
                                      i * size % 32;
            set(op.dst_addr + kept++ * size, size, get(from, size));
        }
    }
}

void VectorReference::run(const Sort32& op) {
    const int size = size_of(op.type);
    for (int r = 0; r < op.repeat; ++r) {
        before_ = ub;
        std::vector<std::uint64_t> sorted; // by insertion
        for (int i = 32 * r; i < 32 * r + 32; ++i) {
            const std::uint64_t entry =
                get(op.index_addr + 4 * i, 4) << 32 | get(op.score_addr + size * i, size);
            auto place = sorted.begin();
            while (place != sorted.end() && !is_before(op.type, entry, *place)) ++place;
            sorted.insert(place, entry);
        }
        for (int i = 0; i < 32; ++i) {
            set(op.dst_addr + 256 * r + 8 * i, 8, sorted[static_cast<std::size_t>(i)]);
        }
    }
}

void VectorReference::run(const MrgSort& op) {
    const std::size_t lists = op.valid_bits == 15 ? 4 : op.valid_bits == 7 ? 3 : 2;
    std::int64_t total = 0, out = op.dst_addr;
    for (std::size_t i = 0; i < lists; ++i) total += op.lengths[i];
    for (int r = 0; r < op.repeat; ++r) {
        std::array<int, 4> merged{};
        for (std::int64_t n = 0; n < total; ++n) {
            int best = -1;
            std::uint64_t best_entry = 0;
            bool is_one_empty = false;
            for (std::size_t i = 0; i < lists; ++i) {
                is_one_empty = is_one_empty || merged[i] == op.lengths[i];
                if (merged[i] == op.lengths[i]) continue;
                const std::uint64_t entry = get(op.src_addrs[i] + 8 * (r * total + merged[i]), 8);
                if (best >= 0 && !is_before(op.type, entry, best_entry)) continue;
                best = static_cast<int>(i);
                best_entry = entry;
            }
            if (op.exhausted_suspension && is_one_empty) return;
            set(out, 8, best_entry);
            out += 8;
            ++merged[static_cast<std::size_t>(best)];
        }
    }
}

void VectorReference::run(const NchwConv& op) {
    const int size = op.elem_bits / 8;
    for (int r = 0; r < op.repeat; ++r) {
        before_ = ub;
        const int steps = op.repeat == 1 ? 1 : r;
        const int src_half = op.src_high_half ? 16 : 0, dst_half = op.dst_high_half ? 16 : 0;
        for (std::size_t i = 0; i < 16; ++i) {
            for (std::size_t c = 0; c < (op.elem_bits == 32 ? 8u : 16u); ++c) {
                const std::int64_t from = op.src_addrs[i] + 32 * steps * op.src_rep_stride +
                                          src_half + static_cast<int>(c) * size;
                const std::size_t block = op.elem_bits == 32 ? 2 * c + i / 8 : c;
                const auto place = static_cast<int>(op.elem_bits == 32 ? i % 8 : i);
                set(op.dst_addrs[block] + 32 * steps * op.dst_rep_stride + dst_half + place * size,
                    size, get(from, size));
            }
        }
    }
}

} // namespace aicore::test
