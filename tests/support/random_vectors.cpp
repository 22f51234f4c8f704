#include "tests/support/random_vectors.h"

#include "hw/isa/vector_opcode.h"
#include "hw/numerics/element.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace aicore::test {

bool RandomVectors::is_legal(const Operation& operation) {
    IsaLimits limits;
    limits.ub_bytes = kUbBytes;
    return !find_violation(operation, limits);
}

VectorControl RandomVectors::control(std::int64_t largest_count) {
    VectorControl control;
    control.deq_scale = random_();
    // A float32 scale of moderate size for vdeqs162b8, a float16 scale for int32.
    const float scale = static_cast<float>(pick(-4000, 4000)) / 1024.0f;
    std::uint32_t bits;
    std::memcpy(&bits, &scale, 4);
    if (coin()) control.deq_scale = (control.deq_scale & ~std::uint64_t{0xFFFFFFFF}) | bits;
    if (coin()) {
        control.mask_mode = MaskMode::counter;
        control.mask = {static_cast<std::uint64_t>(pick(0, largest_count)), random_()};
        return control;
    }
    switch (pick(0, 4)) {
    case 0: break; // all ones
    case 1: control.mask = {random_(), random_()}; break;
    case 2: control.mask = {random_(), 0}; break;
    case 3: control.mask = {0, 0}; break;
    default: control.mask = {(std::uint64_t{1} << pick(0, 63)) - 1, 0};
    }
    return control;
}

VectorOperand RandomVectors::operand() {
    VectorOperand operand;
    operand.addr = block_addr();
    operand.blk_stride = static_cast<std::int32_t>(pick(0, 3));
    operand.rep_stride = static_cast<std::int32_t>(pick(0, 12));
    return operand;
}

VectorOp RandomVectors::op(VectorOpcode opcode) {
    while (true) {
        VectorOp op;
        op.opcode = opcode;
        op.type = static_cast<DataType>(pick(0, kDataTypes - 1));
        op.dst_type = static_cast<DataType>(pick(0, kDataTypes - 1));
        op.rounding = static_cast<Rounding>(pick(0, 5));
        op.relation = static_cast<Relation>(pick(0, 5));
        op.select_mode = static_cast<SelectMode>(pick(0, 2));
        op.order = static_cast<ReduceOrder>(pick(0, 3));
        if (!allows_types(op)) continue;
        if (opcode == VectorOpcode::vconv && !allows_rounding(op)) continue;
        op.round_shift = opcode == VectorOpcode::vshr && coin();
        op.repeat = static_cast<std::int32_t>(pick(0, 6));
        op.dst = operand();
        op.src0 = coin() ? op.dst : operand();
        op.src1 = operand();
        op.mask_addr = block_addr();
        op.scalar = static_cast<std::uint32_t>(random_());
        if (opcode == VectorOpcode::vshl || opcode == VectorOpcode::vshr) {
            op.scalar = static_cast<std::uint32_t>(pick(0, bits_of(op.type)));
        } else if (size_of(op.type) == 2) {
            op.scalar &= 0xFFFFu;
        } else if (size_of(op.type) == 4 && !is_integer(op.type) && coin()) {
            op.scalar = 0x3FC00000; // 1.5
        }
        op.control = control(1000);
        op.ctrl.float_overflow = coin() ? FloatOverflow::saturate : FloatOverflow::inf_nan;
        op.ctrl.integer_overflow = coin() ? IntegerOverflow::saturate : IntegerOverflow::wrap;
        if (is_legal(op)) return op;
    }
}

VectorGather RandomVectors::gather(bool blocks) {
    while (true) {
        VectorGather op;
        op.blocks = blocks;
        op.type = coin() ? DataType::uint16 : DataType::float32;
        op.dst_addr = block_addr();
        op.src_addr = block_addr() / 2;
        op.offset_addr = block_addr();
        op.repeat = static_cast<std::int32_t>(pick(0, 4));
        op.dst_blk_stride = static_cast<std::int32_t>(pick(1, 3));
        op.dst_rep_stride = static_cast<std::int32_t>(pick(0, 12));
        op.control = control(500);
        if (is_legal(op)) return op;
    }
}

GatherMask RandomVectors::gather_mask() {
    while (true) {
        GatherMask op;
        op.type = coin() ? DataType::float16 : DataType::int32;
        op.dst_addr = block_addr() / 4 / 32 * 32;
        op.src_addr = block_addr();
        op.src_blk_stride = static_cast<std::int32_t>(pick(0, 2));
        op.src_rep_stride = static_cast<std::int32_t>(pick(0, 10));
        op.pattern = static_cast<std::int32_t>(pick(0, 7));
        op.pattern_addr = block_addr();
        op.pattern_rep_stride = static_cast<std::int32_t>(pick(0, 2));
        op.repeat = static_cast<std::int32_t>(pick(0, 5));
        op.control = control(300);
        if (is_legal(op)) return op;
    }
}

Sort32 RandomVectors::sort() {
    while (true) {
        Sort32 op;
        op.type = coin() ? DataType::float16 : DataType::float32;
        op.dst_addr = block_addr();
        op.score_addr = block_addr();
        op.index_addr = block_addr();
        op.repeat = static_cast<std::int32_t>(pick(0, 6));
        if (is_legal(op)) return op;
    }
}

MrgSort RandomVectors::merge() {
    while (true) {
        MrgSort op;
        op.type = coin() ? DataType::float16 : DataType::float32;
        constexpr std::array<std::int32_t, 3> kValid{3, 7, 15};
        op.valid_bits = kValid[static_cast<std::size_t>(pick(0, 2))];
        op.exhausted_suspension = coin();
        op.dst_addr = block_addr();
        for (std::size_t i = 0; i < 4; ++i) {
            op.src_addrs[i] = static_cast<std::uint32_t>(8 * pick(0, kUbBytes / 8 - 1));
            op.lengths[i] = static_cast<std::int32_t>(pick(1, 40));
        }
        if (coin()) { // repeats need lists in a row
            op.valid_bits = 15;
            op.exhausted_suspension = false;
            op.repeat = static_cast<std::int32_t>(pick(0, 4));
            for (std::size_t i = 1; i < 4; ++i) {
                op.lengths[i] = op.lengths[0];
                op.src_addrs[i] =
                    op.src_addrs[i - 1] + static_cast<std::uint32_t>(8 * op.lengths[0]);
            }
        }
        if (is_legal(op)) return op;
    }
}

NchwConv RandomVectors::conv() {
    while (true) {
        NchwConv op;
        constexpr std::array<int, 3> kBits{8, 16, 32};
        op.elem_bits = kBits[static_cast<std::size_t>(pick(0, 2))];
        op.repeat = static_cast<std::int32_t>(pick(0, 4));
        op.dst_rep_stride = static_cast<std::int32_t>(pick(0, 20));
        op.src_rep_stride = static_cast<std::int32_t>(pick(0, 20));
        op.dst_high_half = op.elem_bits == 8 && coin();
        op.src_high_half = op.elem_bits == 8 && coin();
        for (std::size_t i = 0; i < 16; ++i) {
            op.src_addrs[i] = block_addr() / 64 * 32;
            op.dst_addrs[i] = static_cast<std::uint32_t>(8192 + 64 * i);
        }
        std::shuffle(op.dst_addrs.begin(), op.dst_addrs.end(), random_);
        if (is_legal(op)) return op;
    }
}

std::vector<std::uint8_t> RandomVectors::content() {
    std::vector<std::uint8_t> bytes(kUbBytes);
    constexpr std::array<DataType, 6> kTypes{DataType::float16, DataType::float32, DataType::int16,
                                             DataType::int32,   DataType::int64,   DataType::int8};
    for (std::int64_t at = 0; at < kUbBytes; at += 8) {
        const std::uint64_t raw = random_();
        std::memcpy(bytes.data() + at, &raw, 8);
        const std::int64_t kind = pick(0, 9);
        if (kind < 4) continue;
        const DataType type = kTypes[static_cast<std::size_t>(pick(0, 5))];
        for (int i = 0; i < 8 / size_of(type); ++i) {
            const double value = static_cast<double>(pick(-4000, 4000)) / (kind < 7 ? 64.0 : 1.0);
            store_element(type, value, bytes.data() + at, i);
        }
    }
    return bytes;
}

std::vector<std::uint8_t> RandomVectors::sorted_lists(const MrgSort& merge) {
    std::vector<std::uint8_t> bytes = content();
    const std::int64_t lists = merge.valid_bits == 15 ? 4 : merge.valid_bits == 7 ? 3 : 2;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(lists); ++i) total += merge.lengths[i];
    for (std::int64_t r = 0; r < merge.repeat; ++r) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(lists); ++i) {
            std::vector<std::int64_t> scores;
            for (int k = 0; k < merge.lengths[i]; ++k) scores.push_back(pick(-20, 20));
            std::sort(scores.begin(), scores.end(), std::greater<>());
            for (std::size_t k = 0; k < scores.size(); ++k) {
                std::uint8_t* entry = bytes.data() + merge.src_addrs[i] + 8 * r * total + 8 * k;
                store_element(merge.type, static_cast<double>(scores[k]), entry, 0);
            }
        }
    }
    return bytes;
}

} // namespace aicore::test
