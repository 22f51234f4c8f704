#include "hw/isa/legality.h"

#include "hw/isa/legality_rules.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace aicore {
namespace legality {

std::string hex(std::uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

namespace {

std::string inside_rule(Buffer buffer, std::int64_t bytes) {
    return "must lie inside " + std::string(to_string(buffer)) + " (" + std::to_string(bytes) +
           " bytes)";
}

struct EventPair {
    Pipe src, dst;
};

/// Events that the cube core has: the vendor's HardEventAic list.
constexpr std::array<EventPair, 24> kCubeEvents{{
    {Pipe::MTE2, Pipe::MTE1}, {Pipe::MTE1, Pipe::MTE2}, {Pipe::MTE1, Pipe::M},
    {Pipe::M, Pipe::MTE1},    {Pipe::MTE3, Pipe::MTE1}, {Pipe::MTE1, Pipe::MTE3},
    {Pipe::MTE2, Pipe::M},    {Pipe::M, Pipe::MTE2},    {Pipe::M, Pipe::FIX},
    {Pipe::FIX, Pipe::M},     {Pipe::MTE3, Pipe::MTE2}, {Pipe::MTE2, Pipe::MTE3},
    {Pipe::S, Pipe::MTE2},    {Pipe::MTE2, Pipe::S},    {Pipe::S, Pipe::MTE3},
    {Pipe::MTE3, Pipe::S},    {Pipe::MTE2, Pipe::FIX},  {Pipe::FIX, Pipe::MTE2},
    {Pipe::FIX, Pipe::S},     {Pipe::M, Pipe::S},       {Pipe::FIX, Pipe::MTE3},
    {Pipe::MTE1, Pipe::FIX},  {Pipe::FIX, Pipe::MTE1},  {Pipe::FIX, Pipe::FIX},
}};

bool is_cube_event(Pipe src, Pipe dst) {
    for (const EventPair& pair : kCubeEvents) {
        if (pair.src == src && pair.dst == dst) return true;
    }
    return false;
}

void check_event(Pipe src, Pipe dst, int id, int event_ids, Rules& rules) {
    const std::string name = std::string(to_string(src)) + "_" + std::string(to_string(dst));
    rules.require(is_cube_event(src, dst), "src/dst", name,
                  "the cube core has no such event (HardEvent list)");
    rules.range("id", id, 0, event_ids - 1);
}

void check_ctrl(const SetCtrl& write, Rules& rules) {
    const bool has_fp8 = rules.arch() == 3510;
    rules.require(has_fp8 || !write.hifloat8, "hifloat8", "given",
                  "bit 45 of CTRL belongs to arch 3510");
    rules.require(has_fp8 || !write.fp8_nan, "fp8_nan", "given",
                  "bit 50 of CTRL belongs to arch 3510");
}

void check_barrier(Pipe pipe, Rules& rules) {
    rules.require(pipe != Pipe::S, "pipe", "S", "PIPE_S is not allowed in a pipe barrier");
    rules.require(pipe != Pipe::V, "pipe", "V", "the cube core has no pipe V");
}

} // namespace

void Rules::range(std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (broken() || (low <= value && value <= high)) return;
    violation_ = Violation{std::string(field), std::to_string(value),
                           "must be " + std::to_string(low) + " .. " + std::to_string(high)};
}

void Rules::aligned(std::string_view field, Buffer buffer, std::uint64_t addr, int alignment) {
    if (broken() || addr % static_cast<unsigned>(alignment) == 0) return;
    violation_ = Violation{std::string(field), hex(addr),
                           std::string(to_string(buffer)) + " address must be a multiple of " +
                               std::to_string(alignment)};
}

void Rules::inside(std::string_view field, Buffer buffer, std::uint64_t addr, std::int64_t bytes) {
    if (broken()) return;
    const std::int64_t size = bytes_of(buffer);
    if (addr >= static_cast<std::uint64_t>(size)) {
        violation_ = Violation{std::string(field), hex(addr), inside_rule(buffer, size)};
        return;
    }
    const std::uint64_t end = addr + static_cast<std::uint64_t>(bytes);
    if (end <= static_cast<std::uint64_t>(size)) return;
    violation_ = Violation{std::string(field), "end " + hex(end), inside_rule(buffer, size)};
}

void Rules::index_walk(std::int64_t start_index, std::int64_t src_stride, std::int64_t last,
                       AddrMode mode) {
    require(mode == AddrMode::inc || start_index >= last * src_stride, "start_index",
            std::to_string(start_index),
            "must be at least " + std::to_string(last * src_stride) +
                ", (repeat - 1) * src_stride, to count down");
}

void Rules::require(bool holds, std::string_view field, std::string_view value,
                    std::string_view rule) {
    if (broken() || holds) return;
    violation_ = Violation{std::string(field), std::string(value), std::string(rule)};
}

void Rules::only_arch(int arch) {
    require(limits_.arch == arch, "op", "arch " + std::to_string(limits_.arch),
            "only arch " + std::to_string(arch) + " has this instruction");
}

void Rules::only_vector_core() {
    require(limits_.ub_bytes > 0, "op", "cube core", "only a vector core has this instruction");
}

void Rules::inside_slice(std::string_view field, int slice, std::uint64_t offset,
                         std::int64_t bytes) {
    const std::int64_t size = fb_slice_bytes(slice);
    const std::uint64_t end = offset + static_cast<std::uint64_t>(bytes);
    require(end <= static_cast<std::uint64_t>(size), field, "end " + std::to_string(end),
            "must lie inside slice " + std::to_string(slice) + " of FB (" + std::to_string(size) +
                " bytes)");
}

std::int64_t Rules::fb_slice_bytes(int slice) const {
    const std::array<std::int64_t, 4> bytes{limits_.fb_bytes, limits_.fb1_bytes, limits_.fb2_bytes,
                                            limits_.fb3_bytes};
    return bytes[static_cast<std::size_t>(slice)];
}

std::int64_t Rules::bytes_of(Buffer buffer) const {
    switch (buffer) {
    case Buffer::GM: return limits_.gm_bytes;
    case Buffer::L1: return limits_.l1_bytes;
    case Buffer::L0A: return limits_.l0a_bytes;
    case Buffer::L0B: return limits_.l0b_bytes;
    case Buffer::L0C: return limits_.l0c_bytes;
    case Buffer::BT: return limits_.bt_bytes;
    case Buffer::FB: return limits_.fb_bytes;
    case Buffer::UB: return std::max(limits_.ub_bytes, limits_.fixpipe_ub_bytes);
    case Buffer::L0B_IDX: return limits_.l0b_bytes / 4;
    }
    return 0;
}

} // namespace legality

namespace {

/// Finds the checks of each instruction.
struct Checker {
    const IsaLimits& limits;
    legality::Rules& rules;

    template <typename Op>
    void operator()(const Op& op) const {
        legality::check(op, rules);
    }
    void operator()(const ClearUnitFlags&) const {}
    void operator()(const SetCtrl& write) const { legality::check_ctrl(write, rules); }
    void operator()(const SetFlag& flag) const {
        legality::check_event(flag.src, flag.dst, flag.id, limits.event_ids, rules);
    }
    void operator()(const WaitFlag& flag) const {
        legality::check_event(flag.src, flag.dst, flag.id, limits.event_ids, rules);
    }
    void operator()(const PipeBarrier& barrier) const {
        legality::check_barrier(barrier.pipe, rules);
    }
};

} // namespace

std::optional<Violation> find_violation(const Operation& operation, const IsaLimits& limits) {
    legality::Rules rules(limits);
    std::visit(Checker{limits, rules}, operation);
    return rules.violation();
}

} // namespace aicore
