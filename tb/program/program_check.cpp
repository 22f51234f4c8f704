#include "tb/program/program_check.h"

#include "hw/config/strict_yaml.h"
#include "hw/isa/cross_core_ids.h"
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/load2d_walk.h"
#include "hw/isa/stream_check.h"
#include "tb/program/program_source.h"

#include <algorithm>
#include <map>

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
    Result operator()(const SoftSyncAll& op) const {
        return range(op.gm_addr, std::int64_t{op.used_cores} * kBlockBytes);
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

/// Collects what is doubtful about the use of cross-core flags, once for each place and id.
class CrossCoreWarnings {
public:
    void look_at(const ProgramSource& source, const Operation& operation) {
        const auto* set = std::get_if<CrossCoreSetFlag>(&operation);
        const auto* wait = std::get_if<CrossCoreWaitFlag>(&operation);
        if (std::holds_alternative<SyncAll>(operation)) has_sync_all_ = true;
        if (set == nullptr && wait == nullptr) return;
        const int id = set != nullptr ? set->id : wait->id;
        const int used = cross_core_counter(id);
        if (used != id) {
            add(truncated_, source, id,
                "its low 4 bits count, " + std::to_string(used) + " is used");
        }
        if (kFirstSyncAllId <= used && used <= kLastSyncAllId) {
            add(reserved_, source, id,
                "sync_all uses ids " + std::to_string(kFirstSyncAllId) + " to " +
                    std::to_string(kLastSyncAllId) + " as well");
        }
    }

    std::vector<std::string> take() {
        if (has_sync_all_) {
            truncated_.insert(truncated_.end(), reserved_.begin(), reserved_.end());
        }
        return std::move(truncated_);
    }

private:
    static void add(std::vector<std::string>& list, const ProgramSource& source, int id,
                    const std::string& what) {
        const std::string text = source.describe_place("id", std::to_string(id), what);
        if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
    }

    bool has_sync_all_ = false;
    std::vector<std::string> truncated_, reserved_;
};

} // namespace

std::optional<GmRange> gm_range(const Operation& operation, const FixpipeReadings& readings) {
    return std::visit(GmRangeOf{readings}, operation);
}

ProgramCheck check_program(const Program& program, const IsaLimits& limits,
                           const ChipConfig& chip) {
    ProgramCheck check;
    CrossCoreWarnings warnings;
    std::map<std::string, StreamCheck> streams; // a core keeps its state from launch to launch
    for (std::size_t launch = 0; launch < program.launches.size(); ++launch) {
        for (const CoreInstance& instance : core_instances(program, chip, launch)) {
            ProgramSource source(program, instance);
            IsaLimits core_limits = limits;
            core_limits.core = instance.program->kind();
            Instruction instruction;
            const DispatchState reset{limits.ctrl, {}, {}};
            StreamCheck& stream =
                streams.try_emplace(instance.core, core_limits, reset).first->second;
            while (source.next(instruction)) {
                ++check.instructions;
                warnings.look_at(source, instruction.operation);
                if (const auto violation = stream.next(instruction.operation)) {
                    throw InputError(
                        source.describe_error(violation->field, violation->value, violation->rule));
                }
                check_tensor(source, instruction.operation, program.tensors, limits.fixpipe);
            }
        }
    }
    check.warnings = warnings.take();
    return check;
}

} // namespace aicore::tb
