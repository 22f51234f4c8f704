// Rules of the vector instructions with records of their own, and of the core state they obey.
#include "hw/isa/legality_rules.h"
#include "hw/isa/vector_shape.h"

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxRepeat = 255;
constexpr std::int64_t kMaxU8 = 255;
constexpr std::int64_t kMaxListEntries = 4095;
constexpr int kEntryBytes = 8; ///< a score and its index
constexpr int kSortedElements = 32;

void check_16_or_32_bit(DataType type, Rules& rules) {
    const int bits = bits_of(type);
    rules.require(bits == 16 || bits == 32, "dtype", to_string(type), "must have 16 or 32 bits");
}

void check_scores(DataType type, Rules& rules) {
    rules.require(type == DataType::float16 || type == DataType::float32, "dtype", to_string(type),
                  "scores are float16 or float32");
}

bool overlap(std::uint64_t a, std::int64_t a_bytes, std::uint64_t b, std::int64_t b_bytes) {
    return a < b + static_cast<std::uint64_t>(b_bytes) &&
           b < a + static_cast<std::uint64_t>(a_bytes);
}

} // namespace

void check(const VectorGather& op, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    check_16_or_32_bit(op.type, rules);
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    rules.range("dst_blk_stride", op.dst_blk_stride, 1, kMaxU8);
    rules.range("dst_rep_stride", op.dst_rep_stride, 0, op.blocks ? kMaxU8 : kMaxU16);
    rules.aligned("src_addr", Buffer::UB, op.src_addr, op.blocks ? kBlockBytes : size_of(op.type));
    rules.aligned("dst_addr", Buffer::UB, op.dst_addr, kBlockBytes);
    rules.aligned("offset_addr", Buffer::UB, op.offset_addr, kBlockBytes);
    if (rules.broken()) return;
    const int lanes = gather_lanes(op);
    const bool counts = !op.blocks && op.control.mask_mode == MaskMode::counter;
    const std::int64_t repeats = gather_repeats(op);
    if (repeats == 0) return;
    const std::int64_t elements = counts ? element_count(op.control) : repeats * lanes;
    const std::int64_t last_blocks =
        ((elements - (repeats - 1) * lanes) * kRepeatBlocks + lanes - 1) / lanes;
    rules.inside("offset_addr", Buffer::UB, op.offset_addr, elements * 4);
    rules.inside("src_addr", Buffer::UB, op.src_addr, 1);
    const std::int64_t blk = op.blocks ? op.dst_blk_stride : 1;
    const auto end = [&op, blk](std::int64_t repeat, std::int64_t blocks) {
        return kBlockBytes * (repeat * op.dst_rep_stride + (blocks - 1) * blk + 1);
    };
    if (repeats > 1)
        rules.inside("dst_addr", Buffer::UB, op.dst_addr, end(repeats - 2, kRepeatBlocks));
    rules.inside("dst_addr", Buffer::UB, op.dst_addr, end(repeats - 1, last_blocks));
}

void check(const GatherMask& op, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    check_16_or_32_bit(op.type, rules);
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    rules.range("pattern", op.pattern, 0, 7);
    rules.range("src_blk_stride", op.src_blk_stride, 0, kMaxU8);
    rules.range("src_rep_stride", op.src_rep_stride, 0, kMaxU16);
    rules.range("pattern_rep_stride", op.pattern_rep_stride, 0, kMaxU8);
    rules.aligned("src_addr", Buffer::UB, op.src_addr, kBlockBytes);
    rules.aligned("dst_addr", Buffer::UB, op.dst_addr, kBlockBytes);
    rules.aligned("pattern_addr", Buffer::UB, op.pattern_addr, kBlockBytes);
    if (rules.broken() || op.repeat == 0) return;
    const std::int64_t size = size_of(op.type);
    const std::int64_t elements = gather_mask_elements(op);
    if (elements == 0) return;
    const std::int64_t blocks = (elements * size + kBlockBytes - 1) / kBlockBytes;
    const std::int64_t last = op.repeat - 1;
    rules.inside("src_addr", Buffer::UB, op.src_addr,
                 kBlockBytes * (last * op.src_rep_stride + (blocks - 1) * op.src_blk_stride + 1));
    rules.inside("dst_addr", Buffer::UB, op.dst_addr, size);
    if (op.pattern == 0) {
        rules.inside("pattern_addr", Buffer::UB, op.pattern_addr,
                     kBlockBytes * last * op.pattern_rep_stride + (elements + 7) / 8);
    }
}

void check(const Sort32& op, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    check_scores(op.type, rules);
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    rules.aligned("score_addr", Buffer::UB, op.score_addr, kBlockBytes);
    rules.aligned("index_addr", Buffer::UB, op.index_addr, kBlockBytes);
    rules.aligned("dst_addr", Buffer::UB, op.dst_addr, kBlockBytes);
    if (rules.broken() || op.repeat == 0) return;
    const std::int64_t elements = std::int64_t{op.repeat} * kSortedElements;
    rules.inside("score_addr", Buffer::UB, op.score_addr, elements * size_of(op.type));
    rules.inside("index_addr", Buffer::UB, op.index_addr, elements * 4);
    rules.inside("dst_addr", Buffer::UB, op.dst_addr, elements * kEntryBytes);
}

void check(const MrgSort& op, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    check_scores(op.type, rules);
    rules.require(op.valid_bits == 3 || op.valid_bits == 7 || op.valid_bits == 15, "valid_bits",
                  std::to_string(op.valid_bits), "must be 3, 7 or 15: the first 2, 3 or 4 lists");
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    rules.aligned("dst_addr", Buffer::UB, op.dst_addr, kBlockBytes);
    const int lists = list_count(op);
    std::int64_t entries = 0;
    bool in_a_row = lists == 4;
    for (int i = 0; i < lists; ++i) {
        const auto list = static_cast<std::size_t>(i);
        const std::string number = std::to_string(i);
        rules.range("length" + number, op.lengths[list], 0, kMaxListEntries);
        rules.aligned("src" + number + "_addr", Buffer::UB, op.src_addrs[list], kEntryBytes);
        in_a_row =
            in_a_row && op.lengths[list] == op.lengths[0] &&
            std::int64_t{op.src_addrs[list]} ==
                std::int64_t{op.src_addrs[0]} + i * std::int64_t{op.lengths[0]} * kEntryBytes;
        entries += op.lengths[list];
    }
    rules.require(op.repeat <= 1 || (in_a_row && !op.exhausted_suspension), "repeat",
                  std::to_string(op.repeat),
                  "must be at most 1 unless 4 lists of one length follow one another and none may "
                  "suspend the instruction");
    if (rules.broken() || op.repeat == 0 || entries == 0) return;
    const std::int64_t bytes = op.repeat * entries * kEntryBytes;
    rules.inside("dst_addr", Buffer::UB, op.dst_addr, bytes);
    for (int i = 0; i < lists; ++i) {
        const auto list = static_cast<std::size_t>(i);
        if (op.lengths[list] == 0) continue;
        const std::int64_t own = ((op.repeat - 1) * entries + op.lengths[list]) * kEntryBytes;
        const std::string field = "src" + std::to_string(i) + "_addr";
        rules.inside(field, Buffer::UB, op.src_addrs[list], own);
        rules.require(!overlap(op.dst_addr, bytes, op.src_addrs[list], own), field,
                      hex(op.src_addrs[list]), "must not overlap the destination");
    }
}

void check(const NchwConv& op, Rules& rules) {
    rules.only_core(CoreKind::aiv);
    rules.require(op.elem_bits == 8 || op.elem_bits == 16 || op.elem_bits == 32, "elem_bits",
                  std::to_string(op.elem_bits), "must be 8, 16 or 32");
    rules.require(op.elem_bits == 8 || (!op.dst_high_half && !op.src_high_half), "high half",
                  "true", "only 8-bit elements fill half a block");
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    rules.range("dst_rep_stride", op.dst_rep_stride, 0, kMaxU16);
    rules.range("src_rep_stride", op.src_rep_stride, 0, kMaxU16);
    if (rules.broken() || op.repeat == 0) return;
    const std::int64_t last = op.repeat == 1 ? 1 : op.repeat - 1;
    for (std::size_t i = 0; i < op.src_addrs.size(); ++i) {
        const std::string src = "src" + std::to_string(i), dst = "dst" + std::to_string(i);
        rules.aligned(src, Buffer::UB, op.src_addrs[i], kBlockBytes);
        rules.aligned(dst, Buffer::UB, op.dst_addrs[i], kBlockBytes);
        rules.inside(src, Buffer::UB, op.src_addrs[i],
                     kBlockBytes * (last * op.src_rep_stride + 1));
        rules.inside(dst, Buffer::UB, op.dst_addrs[i],
                     kBlockBytes * (last * op.dst_rep_stride + 1));
    }
}

void check(const SetVectorMask&, Rules& rules) { rules.only_core(CoreKind::aiv); }
void check(const SetMaskMode&, Rules& rules) { rules.only_core(CoreKind::aiv); }
void check(const SetDeqScale&, Rules& rules) { rules.only_core(CoreKind::aiv); }

} // namespace aicore::legality
