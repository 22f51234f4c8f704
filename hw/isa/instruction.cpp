#include "hw/isa/instruction.h"

#include "hw/isa/l0c2ub.h"
#include "hw/isa/number_text.h"
#include "hw/isa/vector_opcode.h"
#include "hw/isa/vector_text.h"

#include <sstream>

namespace aicore {
namespace {

struct PipeOf {
    Pipe operator()(const Nd2Nz&) const { return Pipe::MTE2; }
    Pipe operator()(const DataCopy& copy) const {
        return copy.dst == Buffer::GM ? Pipe::MTE3 : Pipe::MTE2;
    }
    Pipe operator()(const Load2d& load) const {
        return load.src == Buffer::GM ? Pipe::MTE2 : Pipe::MTE1;
    }
    Pipe operator()(const L1ToBt&) const { return Pipe::MTE1; }
    Pipe operator()(const L1ToFb&) const { return Pipe::FIX; }
    Pipe operator()(const Mmad&) const { return Pipe::M; }
    Pipe operator()(const Fixpipe&) const { return Pipe::FIX; }
    Pipe operator()(const ClearUnitFlags&) const { return Pipe::FIX; }
    Pipe operator()(const SetCtrl&) const { return Pipe::S; }
    Pipe operator()(const SetFlag& flag) const { return flag.src; }
    Pipe operator()(const WaitFlag& flag) const { return flag.dst; }
    Pipe operator()(const PipeBarrier& barrier) const {
        return barrier.pipe == Pipe::ALL ? Pipe::S : barrier.pipe;
    }
    Pipe operator()(const Load2dV2&) const { return Pipe::MTE1; }
    Pipe operator()(const LoadTranspose&) const { return Pipe::MTE1; }
    Pipe operator()(const LoadSparse&) const { return Pipe::MTE1; }
    Pipe operator()(const Load3d&) const { return Pipe::MTE1; }
    Pipe operator()(const CrossCoreSetFlag& flag) const { return flag.pipe; }
    Pipe operator()(const CrossCoreWaitFlag&) const { return Pipe::S; }
    Pipe operator()(const DataCopyPad& copy) const {
        return copy.dst == Buffer::GM ? Pipe::MTE3 : Pipe::MTE2;
    }
    Pipe operator()(const AscCopyL0c2ub&) const { return Pipe::FIX; }
    Pipe operator()(const VectorOp&) const { return Pipe::V; }
    Pipe operator()(const VectorGather&) const { return Pipe::V; }
    Pipe operator()(const GatherMask&) const { return Pipe::V; }
    Pipe operator()(const Sort32&) const { return Pipe::V; }
    Pipe operator()(const MrgSort&) const { return Pipe::V; }
    Pipe operator()(const NchwConv&) const { return Pipe::V; }
    Pipe operator()(const SetVectorMask&) const { return Pipe::S; }
    Pipe operator()(const SetMaskMode&) const { return Pipe::S; }
    Pipe operator()(const SetDeqScale&) const { return Pipe::S; }
};

struct MnemonicOf {
    std::string_view operator()(const Nd2Nz&) const { return "nd2nz"; }
    std::string_view operator()(const DataCopy&) const { return "data_copy"; }
    std::string_view operator()(const Load2d&) const { return "load2d"; }
    std::string_view operator()(const L1ToBt&) const { return "l1_to_bt"; }
    std::string_view operator()(const L1ToFb&) const { return "l1_to_fb"; }
    std::string_view operator()(const Mmad&) const { return "mmad"; }
    std::string_view operator()(const Fixpipe&) const { return "fixpipe"; }
    std::string_view operator()(const ClearUnitFlags&) const { return "clear_unit_flags"; }
    std::string_view operator()(const SetCtrl&) const { return "set_ctrl"; }
    std::string_view operator()(const SetFlag&) const { return "set_flag"; }
    std::string_view operator()(const WaitFlag&) const { return "wait_flag"; }
    std::string_view operator()(const PipeBarrier&) const { return "pipe_barrier"; }
    std::string_view operator()(const Load2dV2&) const { return "load2d_v2"; }
    std::string_view operator()(const LoadTranspose&) const { return "load_transpose"; }
    std::string_view operator()(const LoadSparse&) const { return "load_sparse"; }
    std::string_view operator()(const Load3d&) const { return "load3d"; }
    std::string_view operator()(const DataCopyPad&) const { return "data_copy_pad"; }
    std::string_view operator()(const CrossCoreSetFlag&) const { return "cross_core_set_flag"; }
    std::string_view operator()(const CrossCoreWaitFlag&) const { return "cross_core_wait_flag"; }
    std::string_view operator()(const AscCopyL0c2ub&) const { return "asc_copy_l0c2ub"; }
    std::string_view operator()(const AscCopyL0c2ubSync&) const { return "asc_copy_l0c2ub_sync"; }
    std::string_view operator()(const VectorOp& op) const { return to_string(op.opcode); }
    std::string_view operator()(const VectorGather& op) const {
        return op.blocks ? "vgatherb" : "vgather";
    }
    std::string_view operator()(const GatherMask&) const { return "vreducev2"; }
    std::string_view operator()(const Sort32&) const { return "vbitsort"; }
    std::string_view operator()(const MrgSort&) const { return "vmrgsort4"; }
    std::string_view operator()(const NchwConv&) const { return "vnchwconv"; }
    std::string_view operator()(const SetVectorMask&) const { return "set_vector_mask"; }
    std::string_view operator()(const SetMaskMode&) const { return "set_mask_mode"; }
    std::string_view operator()(const SetDeqScale&) const { return "set_deqscale"; }
};

std::string_view name(MmadInit init) {
    switch (init) {
    case MmadInit::zero: return "zero";
    case MmadInit::l0c: return "l0c";
    case MmadInit::bias: return "bias";
    }
    return "";
}

/// Writes the operands behind the mnemonic, each with a leading blank.
class Operands {
public:
    explicit Operands(std::ostream& out) : out_(out) {}

    void operator()(const Nd2Nz& op) const {
        if (op.nd_num != 1)
            out_ << ' ' << op.nd_num << "x";
        else
            out_ << ' ';
        out_ << op.n_value << 'x' << op.d_value << " b" << op.elem_bytes * 8 << ' '
             << place(Buffer::GM, op.src_addr) << " pitch " << op.src_d_value << " -> "
             << place(Buffer::L1, op.dst_addr) << " panel " << op.dst_nz_c0_stride << " row "
             << op.dst_nz_n_stride;
    }
    void operator()(const DataCopy& op) const {
        blocks(op.block_count, op.block_len * kBlockBytes, op.src_gap * kBlockBytes,
               op.dst_gap * kBlockBytes);
        move(op.src, op.src_addr, op.dst, op.dst_addr);
    }
    void operator()(const CrossCoreSetFlag& op) const {
        out_ << ' ' << to_string(op.pipe) << " mode " << op.mode << " id " << op.id;
    }
    void operator()(const CrossCoreWaitFlag& op) const { out_ << " id " << op.id; }
    void operator()(const DataCopyPad& op) const {
        const bool out = op.dst == Buffer::GM;
        blocks(op.block_count, op.block_len, op.src_gap * (out ? kBlockBytes : 1),
               op.dst_gap * (out ? 1 : kBlockBytes));
        move(op.src, op.src_addr, op.dst, op.dst_addr);
        if (op.is_pad) out_ << " pad " << op.left_padding << ',' << op.right_padding;
    }
    void operator()(const Load2d& op) const {
        out_ << " x" << op.repeat;
        move(op.src, op.src_addr, op.dst, op.dst_addr);
        out_ << " start " << op.start_index << " stride " << op.src_stride << " gap " << op.dst_gap;
        addr_mode(op.addr_mode);
        transpose(op.transpose);
    }
    void operator()(const L1ToBt& op) const {
        blocks(op.block_count, op.block_len * kBtUnitBytes, op.src_gap * kBlockBytes,
               op.dst_gap * kBtUnitBytes);
        move(Buffer::L1, op.src_addr, Buffer::BT, op.dst_addr);
        if (size_of(op.src_type) == 2) out_ << " from " << to_string(op.src_type);
    }
    void operator()(const L1ToFb& op) const {
        if (op.block_count == 1) {
            out_ << ' ' << op.bytes << " B";
        } else {
            out_ << ' ' << op.block_count << 'x' << op.bytes << " B strides "
                 << op.src_stride * kBlockBytes << ',' << op.dst_stride * kFbUnitBytes;
        }
        move(Buffer::L1, op.src_addr, Buffer::FB, op.dst_addr);
    }
    void operator()(const Mmad& op) const {
        out_ << ' ' << op.m << 'x' << op.n << 'x' << op.k << ' ' << to_string(op.ab_type);
        if (op.b_type) out_ << " x " << to_string(*op.b_type);
        if (op.sparse) out_ << " sparse";
        out_ << ' ' << place(Buffer::L0A, op.a_addr) << ' ' << place(Buffer::L0B, op.b_addr)
             << " -> " << place(Buffer::L0C, op.c_addr) << " init=" << name(op.init);
        if (op.init == MmadInit::bias) out_ << ' ' << place(Buffer::BT, op.bias_addr);
        unit_flag(op.unit_flag);
    }
    void operator()(const Fixpipe& op) const {
        out_ << ' ';
        if (op.layout != FixpipeLayout::NZ && op.nd_num != 1) out_ << op.nd_num << 'x';
        out_ << op.m_size << 'x' << op.n_size << ' ' << to_string(op.src_type) << "->"
             << to_string(op.dst_type) << ' ' << to_string(op.layout);
        move(Buffer::L0C, op.src_addr, op.dst, op.dst_addr);
        if (op.dst == Buffer::UB) {
            if (op.dual_dst == DualDst::none)
                out_ << " of core " << op.sub_block;
            else
                out_ << " of both cores, " << to_string(op.dual_dst);
        }
        out_ << " pitch " << op.src_stride << "->" << op.dst_stride;
        if (op.quant_pre != QuantPreMode::none) out_ << " quant=" << to_string(op.quant_pre);
        relu(op.relu_pre, op.clip_relu_pre);
        if (op.quant_post != QuantPostMode::none) out_ << " post=" << to_string(op.quant_post);
        relu(op.relu_post, op.clip_relu_post);
        if (op.channel_split) out_ << " split";
        if (op.c0_pad) out_ << " pad";
        if (op.broadcast) out_ << " broadcast";
        unit_flag(op.unit_flag);
    }
    void operator()(const AscCopyL0c2ub& op) const { (*this)(to_fixpipe(op, {})); }
    void operator()(const ClearUnitFlags&) const {}
    void operator()(const SetCtrl& op) const {
        const auto field = [this](const char* name, std::optional<bool> set, const char* no,
                                  const char* yes) {
            if (set) out_ << ' ' << name << '=' << (*set ? yes : no);
        };
        const auto is = [](const auto& bits, auto value) {
            return bits ? std::optional<bool>(*bits == value) : std::nullopt;
        };
        field("hifloat8", op.hifloat8, "false", "true");
        field("hf32", op.hf32, "false", "true");
        field("hf32_trans", op.hf32_trans, "false", "true");
        field("float_overflow", is(op.float_overflow, FloatOverflow::saturate), "inf_nan",
              "saturate");
        field("fp8_nan", is(op.fp8_nan, SaturatedNan::keep), "zero", "keep");
        field("mm_direction", is(op.mm_direction, Traversal::row_major), "column_major",
              "row_major");
        field("integer_overflow", is(op.integer_overflow, IntegerOverflow::saturate), "wrap",
              "saturate");
    }
    void operator()(const SetFlag& op) const { event(op.src, op.dst, op.id); }
    void operator()(const WaitFlag& op) const { event(op.src, op.dst, op.id); }
    void operator()(const PipeBarrier& op) const { out_ << ' ' << to_string(op.pipe); }
    void operator()(const Load2dV2& op) const {
        out_ << ' ' << op.m_step << 'x' << op.k_step << " b" << op.elem_bits;
        move(Buffer::L1, op.src_addr, op.dst, op.dst_addr);
        out_ << " start " << op.m_start << ',' << op.k_start << " strides " << op.src_stride << ','
             << op.dst_stride;
        transpose(op.transpose);
    }
    void operator()(const LoadTranspose& op) const {
        out_ << " x" << op.repeat << " b" << op.elem_bits;
        move(Buffer::L1, op.src_addr, op.dst, op.dst_addr);
        out_ << " start " << op.start_index << " stride " << op.src_stride << " gaps " << op.dst_gap
             << ',' << op.dst_frac_gap;
        addr_mode(op.addr_mode);
    }
    void operator()(const LoadSparse& op) const {
        out_ << " x" << op.repeat;
        move(Buffer::L1, op.src_addr, Buffer::L0B, op.dst_addr);
        out_ << " indices " << place(Buffer::L1, op.index_addr) << " start " << op.start_index;
    }
    void operator()(const Load3d& op) const {
        out_ << ' ' << op.m_extension << 'x' << op.k_extension << " at " << op.m_start << ','
             << op.k_start << " b" << op.elem_bits;
        move(Buffer::L1, op.src_addr, op.dst, op.dst_addr);
        out_ << " map " << op.l1_h << 'x' << op.l1_w << 'x' << op.channel_size << " filter "
             << op.filter_h + (op.filter_size_h ? 256 : 0) << 'x'
             << op.filter_w + (op.filter_size_w ? 256 : 0) << " stride " << op.stride_h << ','
             << op.stride_w << " dilation " << op.dilation_h << ',' << op.dilation_w << " pad "
             << op.pad_left << ',' << op.pad_right << ',' << op.pad_top << ',' << op.pad_bottom;
        if (op.pad_value != 0) out_ << " of " << hex(op.pad_value);
        if (op.dst_stride != 0) out_ << " dst stride " << op.dst_stride;
        transpose(op.transpose);
    }
    void operator()(const VectorOp& op) const { write_operands(out_, op); }
    void operator()(const VectorGather& op) const { write_operands(out_, op); }
    void operator()(const GatherMask& op) const { write_operands(out_, op); }
    void operator()(const Sort32& op) const { write_operands(out_, op); }
    void operator()(const MrgSort& op) const { write_operands(out_, op); }
    void operator()(const NchwConv& op) const { write_operands(out_, op); }
    void operator()(const SetVectorMask& op) const { write_operands(out_, op); }
    void operator()(const SetMaskMode& op) const { write_operands(out_, op); }
    void operator()(const SetDeqScale& op) const { write_operands(out_, op); }

private:
    void blocks(std::int64_t count, std::int64_t bytes, std::int64_t src_gap,
                std::int64_t dst_gap) const {
        out_ << ' ' << count << 'x' << bytes << " B";
        if (src_gap != 0 || dst_gap != 0) out_ << " gaps " << src_gap << ',' << dst_gap;
    }
    void move(Buffer src, std::uint64_t src_addr, Buffer dst, std::uint64_t dst_addr) const {
        out_ << ' ' << place(src, src_addr) << " -> " << place(dst, dst_addr);
    }
    void addr_mode(AddrMode mode) const {
        if (mode == AddrMode::dec) out_ << " dec";
    }
    void transpose(bool transposed) const {
        if (transposed) out_ << " transpose";
    }
    void relu(ReluMode mode, bool clips) const {
        if (mode == ReluMode::none) return;
        out_ << (mode == ReluMode::normal ? " relu" : " relu=");
        if (mode != ReluMode::normal) out_ << to_string(mode);
        if (clips) out_ << " clip";
    }
    void unit_flag(UnitFlagMode mode) const {
        if (mode != UnitFlagMode::off) out_ << " unit_flag=" << static_cast<int>(mode);
    }
    void event(Pipe src, Pipe dst, int id) const {
        out_ << ' ' << to_string(src) << "->" << to_string(dst) << " id " << id;
    }

    std::ostream& out_;
};

} // namespace

void stamp_ctrl(Operation& operation, const CtrlState& ctrl) {
    if (auto* mmad = std::get_if<Mmad>(&operation)) mmad->ctrl = ctrl;
    if (auto* fixpipe = std::get_if<Fixpipe>(&operation)) fixpipe->ctrl = ctrl;
    if (auto* copy = std::get_if<AscCopyL0c2ub>(&operation)) copy->ctrl = ctrl;
    if (auto* copy = std::get_if<AscCopyL0c2ubSync>(&operation)) copy->ctrl = ctrl;
    if (auto* vector = std::get_if<VectorOp>(&operation)) vector->ctrl = ctrl;
}

std::string_view to_string(FixpipeLayout layout) {
    switch (layout) {
    case FixpipeLayout::NZ: return "NZ";
    case FixpipeLayout::NZ2ND: return "NZ2ND";
    case FixpipeLayout::NZ2DN: return "NZ2DN";
    }
    return "";
}

std::string_view to_string(DualDst dual) {
    switch (dual) {
    case DualDst::none: return "none";
    case DualDst::split_m: return "split_m";
    case DualDst::split_n: return "split_n";
    }
    return "";
}

Pipe pipe_of(const Operation& operation) { return std::visit(PipeOf{}, operation); }

std::string_view mnemonic(const Operation& operation) {
    return std::visit(MnemonicOf{}, operation);
}

std::string disassemble(const Operation& operation) {
    std::ostringstream text;
    text << mnemonic(operation);
    std::visit(Operands(text), operation);
    return text.str();
}

} // namespace aicore
