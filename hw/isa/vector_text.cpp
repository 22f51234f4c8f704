#include "hw/isa/vector_text.h"

#include "hw/isa/number_text.h"
#include "hw/isa/vector_opcode.h"

#include <ostream>
#include <string>

namespace aicore {
namespace {

std::string ub(std::uint32_t addr) { return place(Buffer::UB, addr); }

std::string operand(const VectorOperand& at) {
    std::string text = ub(at.addr);
    if (at.blk_stride != 1 || at.rep_stride != 8) {
        text += "/" + std::to_string(at.blk_stride) + "," + std::to_string(at.rep_stride);
    }
    return text;
}

/// The mask, if it is not the one that a core starts with.
void write_control(std::ostream& out, const VectorControl& control) {
    if (control.mask_mode == MaskMode::counter) {
        out << " count " << (control.mask[0] & 0xFFFFFFFFu);
    } else if ((control.mask[0] & control.mask[1]) != ~std::uint64_t{0}) {
        out << " mask " << hex(control.mask[1]) << ':' << hex(control.mask[0]);
    }
}

std::string_view name(Relation relation) {
    switch (relation) {
    case Relation::lt: return "lt";
    case Relation::gt: return "gt";
    case Relation::ge: return "ge";
    case Relation::eq: return "eq";
    case Relation::ne: return "ne";
    case Relation::le: return "le";
    }
    return "";
}

bool is_compare(VectorForm form) {
    return form == VectorForm::compare || form == VectorForm::compare_scalar ||
           form == VectorForm::compare_register;
}

} // namespace

void write_operands(std::ostream& out, const VectorOp& op) {
    const VectorForm form = form_of(op.opcode);
    if (form == VectorForm::set_register) {
        out << ' ' << ub(op.src0.addr);
        return;
    }
    if (form == VectorForm::get_register) {
        out << " -> " << ub(op.dst.addr);
        return;
    }
    out << ' ' << to_string(op.type);
    if (has_dst_type(op.opcode) && op.dst_type != op.type) out << "->" << to_string(op.dst_type);
    if (is_compare(form)) out << ' ' << name(op.relation);
    if (form != VectorForm::transpose && form != VectorForm::compare_register) {
        out << " x" << op.repeat;
    }
    if (reads_src0(form)) out << ' ' << operand(op.src0);
    if (reads_src1(op)) out << ' ' << operand(op.src1);
    if (uses_scalar(op)) out << " scalar " << hex(op.scalar);
    if (reads_select_bits(op)) out << " by " << ub(op.mask_addr);
    out << " -> " << (writes_dst(form) ? operand(op.dst) : "CMPMASK");
    if (obeys_mask(form)) write_control(out, op.control);
}

void write_operands(std::ostream& out, const VectorGather& op) {
    out << ' ' << to_string(op.type) << " x" << op.repeat << ' ' << ub(op.src_addr) << " by "
        << ub(op.offset_addr) << " -> " << ub(op.dst_addr);
    if (!op.blocks) write_control(out, op.control);
}

void write_operands(std::ostream& out, const GatherMask& op) {
    out << ' ' << to_string(op.type) << " x" << op.repeat << ' ' << ub(op.src_addr) << " by ";
    if (op.pattern == 0) {
        out << ub(op.pattern_addr);
    } else {
        out << "pattern " << op.pattern;
    }
    out << " -> " << ub(op.dst_addr);
    if (op.control.mask_mode == MaskMode::counter) write_control(out, op.control);
}

void write_operands(std::ostream& out, const Sort32& op) {
    out << ' ' << to_string(op.type) << " x" << op.repeat << ' ' << ub(op.score_addr) << ' '
        << ub(op.index_addr) << " -> " << ub(op.dst_addr);
}

void write_operands(std::ostream& out, const MrgSort& op) {
    out << ' ' << to_string(op.type) << " x" << op.repeat;
    for (std::size_t i = 0; i < op.src_addrs.size(); ++i) {
        if ((op.valid_bits >> i & 1) == 0) continue;
        out << ' ' << op.lengths[i] << '@' << ub(op.src_addrs[i]);
    }
    out << " -> " << ub(op.dst_addr);
}

void write_operands(std::ostream& out, const NchwConv& op) {
    out << " b" << op.elem_bits << " x" << op.repeat << ' ' << ub(op.src_addrs[0]) << ".. -> "
        << ub(op.dst_addrs[0]) << "..";
}

void write_operands(std::ostream& out, const SetVectorMask& op) {
    out << ' ';
    for (std::size_t i = op.words.size(); i-- > 0;) {
        out << hex(op.words[i]) << (i == 0 ? "" : ":");
    }
}

void write_operands(std::ostream& out, const SetMaskMode& op) {
    out << (op.mode == MaskMode::normal ? " normal" : " counter");
}

void write_operands(std::ostream& out, const SetDeqScale& op) { out << ' ' << hex(op.value); }

} // namespace aicore
