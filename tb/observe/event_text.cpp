#include "tb/observe/event_text.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace aicore::tb {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }
std::string text(std::string_view view) { return std::string(view); }

/// The operands that name an instruction, each with a leading blank.
struct ShortOperands {
    std::string operator()(const Nd2Nz& op) const {
        const std::string count = op.nd_num == 1 ? "" : number(op.nd_num) + "x";
        return " " + count + number(op.n_value) + "x" + number(op.d_value);
    }
    std::string operator()(const DataCopy& op) const {
        return " " + text(to_string(op.src)) + "->" + text(to_string(op.dst)) + " " +
               number(op.block_count) + "x" + number(op.block_len * kBlockBytes) + "B";
    }
    std::string operator()(const CrossCoreSetFlag& op) const { return " " + number(op.id); }
    std::string operator()(const CrossCoreWaitFlag& op) const { return " " + number(op.id); }
    std::string operator()(const DataCopyPad& op) const {
        return " " + text(to_string(op.src)) + "->" + text(to_string(op.dst)) + " " +
               number(op.block_count) + "x" + number(op.block_len) + "B";
    }
    std::string operator()(const Load2d& op) const {
        return " " + text(to_string(op.dst)) + " x" + number(op.repeat);
    }
    std::string operator()(const L1ToBt&) const { return ""; }
    std::string operator()(const L1ToFb& op) const { return " " + number(op.bytes) + "B"; }
    std::string operator()(const Mmad& op) const {
        return " " + number(op.m) + "x" + number(op.n) + "x" + number(op.k);
    }
    std::string operator()(const Fixpipe& op) const {
        return " " + text(to_string(op.dst)) + " " + number(op.m_size) + "x" + number(op.n_size);
    }
    std::string operator()(const AscCopyL0c2ub& op) const {
        return " " + number(op.m_size) + "x" + number(op.n_size);
    }
    std::string operator()(const ClearUnitFlags&) const { return ""; }
    std::string operator()(const SetCtrl&) const { return ""; }
    std::string operator()(const SetFlag& op) const { return flag(op.src, op.dst, op.id); }
    std::string operator()(const WaitFlag& op) const { return flag(op.src, op.dst, op.id); }
    std::string operator()(const PipeBarrier& op) const { return " " + text(to_string(op.pipe)); }
    std::string operator()(const Load2dV2& op) const {
        return " " + text(to_string(op.dst)) + " " + number(op.m_step) + "x" + number(op.k_step);
    }
    std::string operator()(const LoadTranspose& op) const {
        return " " + text(to_string(op.dst)) + " x" + number(op.repeat);
    }
    std::string operator()(const LoadSparse& op) const { return " x" + number(op.repeat); }
    std::string operator()(const Load3d& op) const {
        return " " + text(to_string(op.dst)) + " " + number(op.m_extension) + "x" +
               number(op.k_extension);
    }
    std::string operator()(const VectorOp& op) const {
        return " " + text(to_string(op.type)) + " x" + number(op.repeat);
    }
    std::string operator()(const VectorGather& op) const { return " x" + number(op.repeat); }
    std::string operator()(const GatherMask& op) const { return " x" + number(op.repeat); }
    std::string operator()(const Sort32& op) const { return " x" + number(op.repeat); }
    std::string operator()(const MrgSort& op) const { return " x" + number(op.repeat); }
    std::string operator()(const NchwConv& op) const { return " x" + number(op.repeat); }
    std::string operator()(const SetVectorMask&) const { return ""; }
    std::string operator()(const SetMaskMode&) const { return ""; }
    std::string operator()(const SetDeqScale&) const { return ""; }
    std::string operator()(const SetAtomic& op) const {
        return " " + text(to_string(op.operation));
    }
    std::string operator()(const SyncAll&) const { return ""; }
    std::string operator()(const SoftSyncAll&) const { return ""; }

    static std::string flag(Pipe src, Pipe dst, int id) {
        return " " + text(to_string(src)) + "->" + text(to_string(dst)) + " " + number(id);
    }
};

} // namespace

std::string short_name(const Operation& operation) {
    return text(mnemonic(operation)) + std::visit(ShortOperands{}, operation);
}

std::string json_string(std::string_view view) { return nlohmann::json(view).dump(); }

std::int64_t picoseconds_at(Cycles cycle, int clock_mhz) {
    constexpr std::int64_t kPicosecondsTimesMhz = 1'000'000;
    return (cycle.count() * kPicosecondsTimesMhz + clock_mhz / 2) / clock_mhz;
}

std::string microseconds(std::int64_t picoseconds) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%lld.%06lld",
                  static_cast<long long>(picoseconds / 1'000'000),
                  static_cast<long long>(picoseconds % 1'000'000));
    return buffer;
}

} // namespace aicore::tb
