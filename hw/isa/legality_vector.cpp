// Rules of the repeat-based vector instructions.
//
// Every block of a repeat must lie in UB, enabled or not; in counter mode those that the element
// count reaches.
#include "hw/isa/legality_rules.h"
#include "hw/isa/vector_shape.h"

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxRepeat = 255;
constexpr std::int64_t kMaxU8 = 255;
constexpr int kRegisterAlignment = 16;

bool is_reduction(VectorForm form) {
    return form == VectorForm::reduce_repeat || form == VectorForm::reduce_block ||
           form == VectorForm::reduce_pair;
}

/// Widths of the stride fields: 8 bits with two sources; 16 bits for copies and reductions; else 16
/// for blocks and 8 for repeats.
struct StrideLimits {
    std::int64_t block, repeat;
};

StrideLimits stride_limits(const VectorOp& op) {
    const VectorForm form = form_of(op.opcode);
    if (op.opcode == VectorOpcode::vcopy || is_reduction(form)) return {kMaxU16, kMaxU16};
    if (reads_src1(op)) return {kMaxU8, kMaxU8};
    return {kMaxU16, kMaxU8};
}

std::int64_t last_repeat_blocks(int blocks, const VectorShape& shape) {
    return (blocks * shape.last_lanes + shape.lanes - 1) / shape.lanes;
}

/// Every block of an operand: the last repeat may have fewer than the one before.
void operand_inside(std::string_view field, const VectorOperand& operand, int blocks,
                    const VectorShape& shape, Rules& rules) {
    const auto end = [&operand](std::int64_t repeat, std::int64_t count) {
        return kBlockBytes * (repeat * operand.rep_stride + (count - 1) * operand.blk_stride + 1);
    };
    if (shape.repeats > 1)
        rules.inside(field, Buffer::UB, operand.addr, end(shape.repeats - 2, blocks));
    rules.inside(field, Buffer::UB, operand.addr,
                 end(shape.repeats - 1, last_repeat_blocks(blocks, shape)));
}

void check_strides(const VectorOp& op, Rules& rules) {
    const VectorForm form = form_of(op.opcode);
    const StrideLimits limits = stride_limits(op);
    if (form == VectorForm::transpose || form == VectorForm::set_register ||
        form == VectorForm::get_register) {
        return;
    }
    const bool has_dst_blocks = writes_dst(form) && !is_reduction(form) &&
                                form != VectorForm::compare && form != VectorForm::compare_scalar;
    if (has_dst_blocks) rules.range("dst_blk_stride", op.dst.blk_stride, 1, limits.block);
    if (has_dst_blocks || is_reduction(form)) {
        rules.range("dst_rep_stride", op.dst.rep_stride, 0, limits.repeat);
    }
    if (reads_src0(form) && form != VectorForm::broadcast) {
        rules.range("src0_blk_stride", op.src0.blk_stride, 0, limits.block);
        rules.range("src0_rep_stride", op.src0.rep_stride, 0, limits.repeat);
    }
    if (reads_src1(op)) {
        rules.range("src1_blk_stride", op.src1.blk_stride, 0, limits.block);
        rules.range("src1_rep_stride", op.src1.rep_stride, 0, limits.repeat);
    }
}

void check_scalar(const VectorOp& op, Rules& rules) {
    if (!uses_scalar(op)) return;
    if (op.opcode == VectorOpcode::vshl || op.opcode == VectorOpcode::vshr) {
        rules.range("scalar", op.scalar, 0, bits_of(op.type));
        return;
    }
    rules.range("scalar", op.scalar, 0, size_of(op.type) == 2 ? kMaxU16 : std::int64_t{0xFFFFFFFF});
}

/// Bits of a mask that no element has. The mask of ones that a core starts with fits every type.
void check_mask(const VectorControl& control, int lanes, Rules& rules) {
    if (control.mask_mode == MaskMode::counter || lanes > 64) return;
    const bool is_full = (control.mask[0] & control.mask[1]) == ~std::uint64_t{0};
    rules.require(is_full || control.mask[1] == 0, "mask", hex(control.mask[1]) + " above bit 63",
                  "a repeat of 32-bit elements has 64 mask bits, the others must be 0");
}

void check_destination(const VectorOp& op, const VectorShape& shape, Rules& rules) {
    const VectorForm form = form_of(op.opcode);
    const std::int64_t last = shape.repeats - 1;
    switch (form) {
    case VectorForm::compare_register:
    case VectorForm::set_register: return;
    case VectorForm::get_register:
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, kRegisterAlignment);
        rules.inside("dst_addr", Buffer::UB, op.dst.addr, kRegisterAlignment);
        return;
    case VectorForm::compare:
    case VectorForm::compare_scalar:
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, kBlockBytes);
        rules.inside("dst_addr", Buffer::UB, op.dst.addr,
                     (last * shape.lanes + shape.last_lanes + 7) / 8);
        return;
    case VectorForm::transpose:
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, kBlockBytes);
        rules.inside("dst_addr", Buffer::UB, op.dst.addr, shape.dst_blocks * kBlockBytes);
        return;
    case VectorForm::reduce_repeat:
    case VectorForm::reduce_block: {
        const int unit = reduction_unit(op);
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, unit);
        rules.inside("dst_addr", Buffer::UB, op.dst.addr, last * op.dst.rep_stride * unit + unit);
        return;
    }
    case VectorForm::reduce_pair: {
        const int unit = reduction_unit(op);
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, kBlockBytes);
        rules.inside("dst_addr", Buffer::UB, op.dst.addr, last * op.dst.rep_stride * unit + unit);
        return;
    }
    default:
        rules.aligned("dst_addr", Buffer::UB, op.dst.addr, kBlockBytes);
        operand_inside("dst_addr", op.dst, shape.dst_blocks, shape, rules);
    }
}

void check_sources(const VectorOp& op, const VectorShape& shape, Rules& rules) {
    const VectorForm form = form_of(op.opcode);
    if (form == VectorForm::set_register) {
        rules.aligned("src0_addr", Buffer::UB, op.src0.addr, kRegisterAlignment);
        rules.inside("src0_addr", Buffer::UB, op.src0.addr, kRegisterAlignment);
        return;
    }
    if (reads_src0(form)) {
        rules.aligned("src0_addr", Buffer::UB, op.src0.addr, kBlockBytes);
        if (form == VectorForm::broadcast) {
            rules.inside("src0_addr", Buffer::UB, op.src0.addr,
                         shape.repeats * shape.lanes * size_of(op.type));
        } else if (form == VectorForm::transpose) {
            rules.inside("src0_addr", Buffer::UB, op.src0.addr, shape.src_blocks * kBlockBytes);
        } else {
            operand_inside("src0_addr", op.src0, shape.src_blocks, shape, rules);
        }
    }
    if (reads_src1(op)) {
        rules.aligned("src1_addr", Buffer::UB, op.src1.addr, kBlockBytes);
        operand_inside("src1_addr", op.src1, shape.src_blocks, shape, rules);
    }
    if (reads_select_bits(op)) {
        rules.aligned("mask_addr", Buffer::UB, op.mask_addr, kBlockBytes);
        rules.inside("mask_addr", Buffer::UB, op.mask_addr, shape.repeats * shape.lanes / 8);
    }
}

} // namespace

void check(const VectorOp& op, Rules& rules) {
    rules.only_vector_core();
    std::string types(to_string(op.type));
    if (has_dst_type(op.opcode)) types += " to " + std::string(to_string(op.dst_type));
    rules.require(allows_types(op), "dtype", types,
                  std::string(to_string(op.opcode)) + " does not exist for this type");
    if (op.opcode == VectorOpcode::vconv) {
        rules.require(allows_rounding(op), "round", types,
                      "the conversion does not round this way");
    }
    rules.range("repeat", op.repeat, 0, kMaxRepeat);
    if (rules.broken()) return;
    const VectorForm form = form_of(op.opcode);
    check_strides(op, rules);
    check_scalar(op, rules);
    rules.require(!op.round_shift || (op.opcode == VectorOpcode::vshr &&
                                      (op.type == DataType::int16 || op.type == DataType::int32)),
                  "round_shift", "true", "only vshr of a signed type rounds");
    const VectorShape shape = shape_of(op);
    if (obeys_mask(form)) check_mask(op.control, shape.lanes, rules);
    if (rules.broken() || shape.repeats == 0) return;
    check_destination(op, shape, rules);
    check_sources(op, shape, rules);
}

} // namespace aicore::legality
