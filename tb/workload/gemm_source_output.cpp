// The way out of a generated product: its Fixpipe and the parameters of a quantisation.
#include "tb/workload/gemm_source.h"

namespace aicore::tb {
namespace {

constexpr int kQuantEvent = 0; // MTE2->FIX: parameters are in L1; FIX->MTE2: their place is free
constexpr std::int64_t kWordBytes = 8;

std::int64_t padded_bytes(std::int64_t columns) {
    return round_up(columns, kFractalRows) * kWordBytes;
}

} // namespace

Fixpipe GemmSource::output_of(const Step& step) const {
    const GemmSpec& spec = plan_.spec;
    Fixpipe out;
    out.dst = Buffer::GM;
    out.src_addr = plan_.l0c.of(step.tile);
    out.dst_addr = plan_.c.address + static_cast<std::uint64_t>((step.m0 * spec.n + step.n0) *
                                                                size_of(spec.out_dtype));
    out.src_type = sum_type_of(spec.dtype);
    out.dst_type = spec.out_dtype;
    out.layout = FixpipeLayout::NZ2ND;
    out.n_size = step.n;
    out.m_size = step.m;
    out.src_stride = round_up(step.m, kFractalRows);
    out.dst_stride = spec.n;
    if (spec.quant != QuantPreMode::none) {
        out.quant_pre = spec.quant;
        out.quant_scalar = spec.quant_scalar;
    } else if (spec.out_dtype == DataType::float16) {
        out.quant_pre = QuantPreMode::F322F16;
    } else if (spec.out_dtype == DataType::bfloat16) {
        out.quant_pre = QuantPreMode::F322BF16;
    }
    if (spec.relu) out.relu_pre = ReluMode::normal;
    if (spec.unit_flag) out.unit_flag = UnitFlagMode::toggle;
    return out;
}

/// Parameters of the tile's columns to L1, as soon as those of the tile before have left it.
void GemmSource::copy_quant_table(const Step& step) {
    if (plan_.quant.bytes == 0) return;
    DataCopy copy;
    copy.src_addr = plan_.quant.address + static_cast<std::uint64_t>(step.n0 * kWordBytes);
    copy.dst_addr = plan_.l1_quant;
    copy.block_len = padded_bytes(step.n) / kBlockBytes;
    if (step.tile > 0) emit(WaitFlag{Pipe::FIX, Pipe::MTE2, kQuantEvent});
    emit(copy);
    emit(SetFlag{Pipe::MTE2, Pipe::FIX, kQuantEvent});
}

void GemmSource::load_quant_table(const Step& step) {
    if (plan_.quant.bytes == 0) return;
    L1ToFb copy;
    copy.src_addr = plan_.l1_quant;
    copy.bytes = padded_bytes(step.n);
    emit(WaitFlag{Pipe::MTE2, Pipe::FIX, kQuantEvent});
    emit(copy);
    if (step.tile + 1 < tiles_) emit(SetFlag{Pipe::FIX, Pipe::MTE2, kQuantEvent});
    emit(PipeBarrier{Pipe::FIX}); // the instruction behind it reads the table
}

} // namespace aicore::tb
