#include "tb/program/program_check.h"

#include "hw/config/strict_yaml.h"
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/load2d_walk.h"
#include "hw/isa/stream_check.h"
#include "tb/program/program_source.h"

#include <algorithm>

namespace aicore::tb {
namespace {

struct GmRangeOf {
    using Result = std::optional<GmRange>;

    const FixpipeReadings& readings;

    Result operator()(const Nd2Nz& op) const {
        if (op.nd_num == 0 || op.n_value == 0 || op.d_value == 0) return std::nullopt;
        return range(op.src_addr, ((op.nd_num - 1) * op.src_nd_matrix_stride +
                                   (op.n_value - 1) * op.src_d_value + op.d_value) *
                                      op.elem_bytes);
    }
    Result operator()(const DataCopy& op) const {
        if (op.block_count == 0 || op.block_len == 0) return std::nullopt;
        const bool is_load = op.src == Buffer::GM;
        const std::int64_t gap = is_load ? op.src_gap : op.dst_gap;
        return range(is_load ? op.src_addr : op.dst_addr,
                     ((op.block_count - 1) * (op.block_len + gap) + op.block_len) * kBlockBytes);
    }
    Result operator()(const DataCopyPad& op) const {
        if (op.block_count == 0 || op.block_len == 0) return std::nullopt;
        const bool is_load = op.src == Buffer::GM;
        const std::int64_t gap = is_load ? op.src_gap : op.dst_gap;
        return range(is_load ? op.src_addr : op.dst_addr,
                     (op.block_count - 1) * (op.block_len + gap) + op.block_len);
    }
    Result operator()(const Fixpipe& op) const {
        if (op.dst != Buffer::GM || op.m_size == 0 || op.n_size == 0) return std::nullopt;
        return range(op.dst_addr, fixpipe_dst_bytes(fixpipe_as_executed(op, readings)));
    }
    Result operator()(const Load2d& op) const {
        if (op.src != Buffer::GM || op.repeat == 0) return std::nullopt;
        const auto [first, last] = std::minmax({load2d_src(op, 0), load2d_src(op, op.repeat - 1)});
        return range(first, static_cast<std::int64_t>(last - first) + kFractalBytes);
    }
    template <typename Other>
    Result operator()(const Other&) const {
        return std::nullopt;
    }

    static Result range(std::uint64_t begin, std::int64_t bytes) {
        return GmRange{begin, begin + static_cast<std::uint64_t>(bytes)};
    }
};

void check_tensor(const ProgramSource& source, const Operation& operation,
                  const std::vector<Tensor>& tensors, const FixpipeReadings& readings) {
    const std::optional<GmRange> touched = gm_range(operation, readings);
    if (!touched) return;
    for (const TemplateField& field : source.current().fields()) {
        if (!field.tensor) continue;
        const Tensor& tensor = tensors[*field.tensor];
        const std::uint64_t end = tensor.address + static_cast<std::uint64_t>(tensor.bytes());
        if (touched->begin >= tensor.address && touched->end <= end) continue;
        const std::string offset = std::to_string(touched->begin - tensor.address);
        const std::string last = std::to_string(touched->end - 1 - tensor.address);
        throw InputError(source.describe_error(field.name, offset,
                                               "touches bytes " + offset + ".." + last +
                                                   " of tensor " + tensor.name + ", which has " +
                                                   std::to_string(tensor.bytes())));
    }
}

} // namespace

std::optional<GmRange> gm_range(const Operation& operation, const FixpipeReadings& readings) {
    return std::visit(GmRangeOf{readings}, operation);
}

std::uint64_t check_program(const Program& program, const IsaLimits& limits,
                            const ChipConfig& chip) {
    std::uint64_t count = 0;
    for (const CoreInstance& instance : core_instances(program, chip)) {
        ProgramSource source(program, instance);
        IsaLimits core_limits = limits;
        core_limits.core = instance.program->kind();
        Instruction instruction;
        StreamCheck check(core_limits, {limits.ctrl, {}});
        while (source.next(instruction)) {
            ++count;
            if (const auto violation = check.next(instruction.operation)) {
                throw InputError(
                    source.describe_error(violation->field, violation->value, violation->rule));
            }
            check_tensor(source, instruction.operation, program.tensors, limits.fixpipe);
        }
    }
    return count;
}

} // namespace aicore::tb
