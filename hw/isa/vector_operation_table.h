// The vector instructions as programs spell them; part of operation_table.h, which says what a
// visitor is.
#pragma once

#include "hw/isa/instruction.h"
#include "hw/isa/operation_fields.h"
#include "hw/isa/vector_opcode.h"

#include <array>
#include <cstdint>
#include <string>

namespace aicore {

inline constexpr std::array<Choice<DataType>, 11> kVectorTypes{{{"float16", DataType::float16},
                                                                {"bfloat16", DataType::bfloat16},
                                                                {"float32", DataType::float32},
                                                                {"int4", DataType::int4},
                                                                {"int8", DataType::int8},
                                                                {"uint8", DataType::uint8},
                                                                {"int16", DataType::int16},
                                                                {"uint16", DataType::uint16},
                                                                {"int32", DataType::int32},
                                                                {"uint32", DataType::uint32},
                                                                {"int64", DataType::int64}}};
inline constexpr std::array<Choice<Rounding>, 6> kRoundings{{{"rint", Rounding::nearest_even},
                                                             {"round", Rounding::nearest_away},
                                                             {"floor", Rounding::floor},
                                                             {"ceil", Rounding::ceil},
                                                             {"trunc", Rounding::trunc},
                                                             {"odd", Rounding::odd}}};
inline constexpr std::array<Choice<Relation>, 6> kRelations{{{"lt", Relation::lt},
                                                             {"gt", Relation::gt},
                                                             {"ge", Relation::ge},
                                                             {"eq", Relation::eq},
                                                             {"ne", Relation::ne},
                                                             {"le", Relation::le}}};
inline constexpr std::array<Choice<SelectMode>, 3> kSelectModes{{{"cmpmask", SelectMode::cmpmask},
                                                                 {"scalar", SelectMode::scalar},
                                                                 {"tensor", SelectMode::tensor}}};
inline constexpr std::array<Choice<ReduceOrder>, 4> kReduceOrders{
    {{"value_index", ReduceOrder::value_index},
     {"index_value", ReduceOrder::index_value},
     {"only_value", ReduceOrder::only_value},
     {"only_index", ReduceOrder::only_index}}};
inline constexpr std::array<Choice<MaskMode>, 2> kMaskModes{
    {{"normal", MaskMode::normal}, {"counter", MaskMode::counter}}};

template <typename Visitor>
void describe_ub(Visitor& v, const char* name, const char* addr_name, std::uint32_t& addr) {
    Buffer buffer = Buffer::UB;
    v.location(name, addr_name, buffer, addr, {Buffer::UB});
}

template <typename Visitor>
void describe_dst(Visitor& v, VectorOp& op) {
    const VectorForm form = form_of(op.opcode);
    if (!writes_dst(form)) return;
    describe_ub(v, "dst", "dst_addr", op.dst.addr);
    switch (form) {
    case VectorForm::compare:
    case VectorForm::compare_scalar:
    case VectorForm::transpose:
    case VectorForm::get_register: return;
    case VectorForm::reduce_repeat:
    case VectorForm::reduce_block:
    case VectorForm::reduce_pair:
        v.integer("dst_rep_stride", op.dst.rep_stride, Need::required);
        return;
    default:
        v.integer("dst_blk_stride", op.dst.blk_stride, Need::optional);
        v.integer("dst_rep_stride", op.dst.rep_stride, Need::optional);
    }
}

template <typename Visitor>
void describe_sources(Visitor& v, VectorOp& op) {
    const VectorForm form = form_of(op.opcode);
    if (!reads_src0(form)) return;
    describe_ub(v, "src0", "src0_addr", op.src0.addr);
    const bool has_strides = form != VectorForm::broadcast && form != VectorForm::transpose &&
                             form != VectorForm::set_register;
    if (!has_strides) return;
    v.integer("src0_blk_stride", op.src0.blk_stride, Need::optional);
    v.integer("src0_rep_stride", op.src0.rep_stride, Need::optional);
    const bool is_select = form == VectorForm::select;
    if (!is_select && !reads_src1(op)) return;
    if (is_select) {
        v.integer("src1_addr", op.src1.addr, Need::optional);
        v.integer("mask_addr", op.mask_addr, Need::optional);
    } else {
        describe_ub(v, "src1", "src1_addr", op.src1.addr);
    }
    v.integer("src1_blk_stride", op.src1.blk_stride, Need::optional);
    v.integer("src1_rep_stride", op.src1.rep_stride, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, VectorOp& op) {
    const VectorForm form = form_of(op.opcode);
    const bool is_register = form == VectorForm::set_register || form == VectorForm::get_register;
    if (op.opcode == VectorOpcode::vconv) {
        v.choice("src_dtype", op.type, kVectorTypes, Need::required);
    } else if (!is_register && form != VectorForm::convert_half) {
        v.choice("dtype", op.type, kVectorTypes, Need::required);
    }
    if (has_dst_type(op.opcode)) v.choice("dst_dtype", op.dst_type, kVectorTypes, Need::required);
    if (op.opcode == VectorOpcode::vconv) {
        v.choice("round", op.rounding, kRoundings, Need::optional);
    }
    if (form == VectorForm::compare || form == VectorForm::compare_scalar ||
        form == VectorForm::compare_register) {
        v.choice("relation", op.relation, kRelations, Need::required);
    }
    if (form == VectorForm::select) v.choice("mode", op.select_mode, kSelectModes, Need::required);
    if (op.opcode == VectorOpcode::vcmax || op.opcode == VectorOpcode::vcmin) {
        v.choice("order", op.order, kReduceOrders, Need::optional);
    }
    describe_dst(v, op);
    describe_sources(v, op);
    if (op.opcode == VectorOpcode::vshl || op.opcode == VectorOpcode::vshr) {
        v.integer("scalar", op.scalar, Need::required);
    } else if (form == VectorForm::select) {
        v.scalar("scalar", op.scalar, op.type, Need::optional);
    } else if (uses_scalar(op)) {
        v.scalar("scalar", op.scalar, op.type, Need::required);
    }
    if (op.opcode == VectorOpcode::vshr) v.boolean("round_shift", op.round_shift, Need::optional);
    if (!is_register && form != VectorForm::transpose && form != VectorForm::compare_register) {
        v.integer("repeat", op.repeat, Need::optional);
    }
}

template <typename Visitor>
void describe(Visitor& v, VectorGather& op) {
    v.choice("dtype", op.type, kVectorTypes, Need::required);
    describe_ub(v, "dst", "dst_addr", op.dst_addr);
    describe_ub(v, "src", "src_addr", op.src_addr);
    describe_ub(v, "offset", "offset_addr", op.offset_addr);
    v.integer("repeat", op.repeat, Need::optional);
    if (op.blocks) v.integer("dst_blk_stride", op.dst_blk_stride, Need::optional);
    v.integer("dst_rep_stride", op.dst_rep_stride, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, GatherMask& op) {
    v.choice("dtype", op.type, kVectorTypes, Need::required);
    describe_ub(v, "dst", "dst_addr", op.dst_addr);
    describe_ub(v, "src", "src_addr", op.src_addr);
    v.integer("src_blk_stride", op.src_blk_stride, Need::optional);
    v.integer("src_rep_stride", op.src_rep_stride, Need::optional);
    v.integer("pattern", op.pattern, Need::required);
    v.integer("pattern_addr", op.pattern_addr, Need::optional);
    v.integer("pattern_rep_stride", op.pattern_rep_stride, Need::optional);
    v.integer("repeat", op.repeat, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, Sort32& op) {
    v.choice("dtype", op.type, kVectorTypes, Need::required);
    describe_ub(v, "dst", "dst_addr", op.dst_addr);
    describe_ub(v, "score", "score_addr", op.score_addr);
    describe_ub(v, "index", "index_addr", op.index_addr);
    v.integer("repeat", op.repeat, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, MrgSort& op) {
    constexpr std::array<const char*, 4> kAddrs{"src0_addr", "src1_addr", "src2_addr", "src3_addr"};
    constexpr std::array<const char*, 4> kLengths{"length0", "length1", "length2", "length3"};
    v.choice("dtype", op.type, kVectorTypes, Need::required);
    describe_ub(v, "dst", "dst_addr", op.dst_addr);
    for (std::size_t i = 0; i < op.src_addrs.size(); ++i) {
        const Need need = i < 2 ? Need::required : Need::optional;
        v.integer(kAddrs[i], op.src_addrs[i], need);
        v.integer(kLengths[i], op.lengths[i], need);
    }
    v.integer("valid_bits", op.valid_bits, Need::required);
    v.boolean("exhausted_suspension", op.exhausted_suspension, Need::optional);
    v.integer("repeat", op.repeat, Need::optional);
}

/// An address list: `base` and `step` give all of it, single entries may be given as well.
template <typename Visitor>
void describe_addresses(Visitor& v, const char* base_name, const char* step_name,
                        const std::array<const char*, 16>& names,
                        std::array<std::uint32_t, 16>& addrs) {
    constexpr std::int64_t kEntries = 16;
    std::int64_t base = -1, step = 0;
    v.integer(base_name, base, Need::implied);
    v.integer(step_name, step, Need::implied);
    v.require(step >= 0 && step <= UINT32_MAX / kEntries && base <= UINT32_MAX / 2, step_name,
              std::to_string(step), "must give addresses of UB");
    for (std::int64_t i = 0; base >= 0 && i < kEntries; ++i) {
        addrs[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(base + i * step);
    }
    for (std::size_t i = 0; i < addrs.size(); ++i) v.integer(names[i], addrs[i], Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, NchwConv& op) {
    constexpr std::array<const char*, 16> kSources{
        "src0", "src1", "src2",  "src3",  "src4",  "src5",  "src6",  "src7",
        "src8", "src9", "src10", "src11", "src12", "src13", "src14", "src15"};
    constexpr std::array<const char*, 16> kDestinations{
        "dst0", "dst1", "dst2",  "dst3",  "dst4",  "dst5",  "dst6",  "dst7",
        "dst8", "dst9", "dst10", "dst11", "dst12", "dst13", "dst14", "dst15"};
    v.integer("elem_bits", op.elem_bits, Need::required);
    describe_addresses(v, "dst_base", "dst_step", kDestinations, op.dst_addrs);
    describe_addresses(v, "src_base", "src_step", kSources, op.src_addrs);
    v.integer("repeat", op.repeat, Need::optional);
    v.integer("dst_rep_stride", op.dst_rep_stride, Need::optional);
    v.integer("src_rep_stride", op.src_rep_stride, Need::optional);
    v.boolean("dst_high_half", op.dst_high_half, Need::optional);
    v.boolean("src_high_half", op.src_high_half, Need::optional);
}

template <typename Visitor>
void describe(Visitor& v, SetVectorMask& op) {
    constexpr std::array<const char*, 4> kWords{"word0", "word1", "word2", "word3"};
    std::int64_t lanes = -1, count = -1;
    v.integer("lanes", lanes, Need::implied);
    v.require(lanes >= -1 && lanes <= 128, "lanes", std::to_string(lanes), "must be 0 .. 128");
    v.integer("count", count, Need::implied);
    v.require(count >= -1 && count <= UINT32_MAX, "count", std::to_string(count),
              "must be 0 .. 4294967295");
    v.require(lanes < 0 || count < 0, "count", std::to_string(count), "excludes lanes");
    for (std::int64_t i = 0; i < 4; ++i) {
        std::uint32_t& word = op.words[static_cast<std::size_t>(i)];
        if (lanes >= 0) {
            const std::int64_t bits = lanes - 32 * i;
            word = bits <= 0 ? 0u : bits >= 32 ? ~0u : (1u << bits) - 1u;
        }
        if (count >= 0) word = i == 0 ? static_cast<std::uint32_t>(count) : 0u;
        v.integer(kWords[static_cast<std::size_t>(i)], word, Need::optional);
    }
}

template <typename Visitor>
void describe(Visitor& v, SetMaskMode& op) {
    v.choice("mode", op.mode, kMaskModes, Need::required);
}

template <typename Visitor>
void describe(Visitor& v, SetDeqScale& op) {
    v.integer("value", op.value, Need::required);
}

/// What all instructions of one name have in common.
template <typename Op>
Op prototype_of(const Op&) {
    return Op{};
}
inline VectorOp prototype_of(const VectorOp& op) {
    VectorOp prototype;
    prototype.opcode = op.opcode;
    if (form_of(op.opcode) == VectorForm::convert_half) prototype.type = DataType::int16;
    return prototype;
}
inline VectorGather prototype_of(const VectorGather& op) {
    VectorGather prototype;
    prototype.blocks = op.blocks;
    return prototype;
}

} // namespace aicore
