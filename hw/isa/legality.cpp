#include "hw/isa/legality.h"

#include "hw/isa/legality_rules.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace aicore {
namespace legality {

namespace {

std::string inside_rule(Buffer buffer, std::int64_t bytes) {
    return "must lie inside " + std::string(to_string(buffer)) + " (" + std::to_string(bytes) +
           " bytes)";
}

/// The address or the end of [addr, addr + bytes), whichever does not lie in the `size` bytes from
/// `begin` on; empty when both do.
std::string outside(std::uint64_t addr, std::int64_t bytes, std::uint64_t begin,
                    std::int64_t size) {
    const std::uint64_t range_end = begin + static_cast<std::uint64_t>(size);
    if (addr >= range_end) return hex(addr);
    const std::uint64_t end = addr + static_cast<std::uint64_t>(bytes);
    return end > range_end ? "end " + hex(end) : std::string();
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

/// Events that a vector core has: every ordered pair of its pipes, V_V too.
constexpr std::array<EventPair, 13> kVectorEvents{{
    {Pipe::S, Pipe::V},
    {Pipe::S, Pipe::MTE2},
    {Pipe::S, Pipe::MTE3},
    {Pipe::V, Pipe::S},
    {Pipe::V, Pipe::V},
    {Pipe::V, Pipe::MTE2},
    {Pipe::V, Pipe::MTE3},
    {Pipe::MTE2, Pipe::S},
    {Pipe::MTE2, Pipe::V},
    {Pipe::MTE2, Pipe::MTE3},
    {Pipe::MTE3, Pipe::S},
    {Pipe::MTE3, Pipe::V},
    {Pipe::MTE3, Pipe::MTE2},
}};

template <std::size_t N>
bool has_event(const std::array<EventPair, N>& events, Pipe src, Pipe dst) {
    return std::any_of(events.begin(), events.end(),
                       [&](const EventPair& pair) { return pair.src == src && pair.dst == dst; });
}

void check_event(Pipe src, Pipe dst, int id, int event_ids, Rules& rules) {
    const std::string name = std::string(to_string(src)) + "_" + std::string(to_string(dst));
    const bool is_cube = rules.core() == CoreKind::aic;
    rules.require(is_cube ? has_event(kCubeEvents, src, dst) : has_event(kVectorEvents, src, dst),
                  "src/dst", name,
                  is_cube ? "the cube core has no such event (HardEvent list)"
                          : "the vector core has no such event (HardEvent list)");
    rules.range("id", id, 0, event_ids - 1);
}

void check_ctrl(const SetCtrl& write, Rules& rules) {
    const bool has_fp8 = rules.arch() == 3510;
    rules.require(has_fp8 || !write.hifloat8, "hifloat8", "given",
                  "bit 45 of CTRL belongs to arch 3510");
    rules.require(has_fp8 || !write.fp8_nan, "fp8_nan", "given",
                  "bit 50 of CTRL belongs to arch 3510");
}

bool has_pipe(CoreKind core, Pipe pipe) {
    switch (pipe) {
    case Pipe::MTE2:
    case Pipe::MTE3: return true;
    case Pipe::V: return core == CoreKind::aiv;
    case Pipe::M:
    case Pipe::MTE1:
    case Pipe::FIX: return core == CoreKind::aic;
    default: return false;
    }
}

void check_cross_core(const CrossCoreSetFlag& flag, Rules& rules) {
    rules.require(has_pipe(rules.core(), flag.pipe), "pipe", to_string(flag.pipe),
                  "must be a pipe of the core that executes, not S or ALL");
    rules.range("mode", flag.mode, 0, 2);
    rules.require(flag.mode != 1 || rules.core() == CoreKind::aiv, "mode", "1",
                  "only vector cores have mode 1");
    rules.range("id", flag.id, 0, 255);
}

void check_barrier(Pipe pipe, Rules& rules) {
    rules.require(pipe != Pipe::S, "pipe", "S", "PIPE_S is not allowed in a pipe barrier");
    if (rules.core() == CoreKind::aic) {
        rules.require(pipe != Pipe::V, "pipe", "V", "the cube core has no pipe V");
    } else {
        rules.require(pipe == Pipe::V || pipe == Pipe::MTE2 || pipe == Pipe::MTE3 ||
                          pipe == Pipe::ALL,
                      "pipe", to_string(pipe), "the vector core has the pipes V, MTE2 and MTE3");
    }
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
    if (buffer == Buffer::GM && is_in_peer(addr)) {
        violation_ = Violation{std::string(field), hex(addr),
                               "lies in the peer's GM, which only copies of the DataCopy class "
                               "reach"};
        return;
    }
    const std::int64_t size = bytes_of(buffer);
    const std::string found = outside(addr, bytes, 0, size);
    if (!found.empty())
        violation_ = Violation{std::string(field), found, inside_rule(buffer, size)};
}

void Rules::inside_or_peer(std::string_view field, Buffer buffer, std::uint64_t addr,
                           std::int64_t bytes) {
    if (buffer != Buffer::GM || !is_in_peer(addr)) return inside(field, buffer, addr, bytes);
    if (broken()) return;
    const std::string found = outside(addr, bytes, limits_.peer_gm_address, limits_.peer_gm_bytes);
    if (found.empty()) return;
    violation_ =
        Violation{std::string(field), found,
                  "must lie inside the peer's GM (" + std::to_string(limits_.peer_gm_bytes) +
                      " bytes from " + hex(limits_.peer_gm_address) + ")"};
}

bool Rules::is_in_peer(std::uint64_t addr) const {
    return addr >= limits_.peer_gm_address &&
           addr - limits_.peer_gm_address < static_cast<std::uint64_t>(limits_.peer_gm_bytes);
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

void Rules::only_core(CoreKind core) {
    require(limits_.core == core, "op", limits_.core == CoreKind::aic ? "cube core" : "vector core",
            core == CoreKind::aic ? "only the cube core has this instruction"
                                  : "only vector cores have this instruction");
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
    case Buffer::UB: return limits_.ub_bytes;
    case Buffer::L0B_IDX: return limits_.l0b_bytes / 4;
    }
    return 0;
}

} // namespace legality

namespace {

template <typename Op>
constexpr bool belongs_to_vector_core(const Op&) {
    return std::is_same_v<Op, VectorOp> || std::is_same_v<Op, VectorGather> ||
           std::is_same_v<Op, GatherMask> || std::is_same_v<Op, Sort32> ||
           std::is_same_v<Op, MrgSort> || std::is_same_v<Op, NchwConv> ||
           std::is_same_v<Op, SetVectorMask> || std::is_same_v<Op, SetMaskMode> ||
           std::is_same_v<Op, SetDeqScale>;
}

/// Finds the checks of each instruction.
struct Checker {
    const IsaLimits& limits;
    legality::Rules& rules;

    /// Everything that has no line below belongs to the vector cores if it runs on their vector
    /// unit or sets its state, which its check says, else to the cube core.
    template <typename Op>
    void operator()(const Op& op) const {
        if (!belongs_to_vector_core(op)) rules.only_core(CoreKind::aic);
        legality::check(op, rules);
    }
    void operator()(const DataCopy& copy) const { legality::check(copy, rules); }
    void operator()(const DataCopyPad& copy) const {
        rules.only_core(CoreKind::aiv);
        legality::check(copy, rules);
    }
    void operator()(const CrossCoreSetFlag& flag) const { legality::check_cross_core(flag, rules); }
    void operator()(const CrossCoreWaitFlag& flag) const { rules.range("id", flag.id, 0, 255); }
    void operator()(const SetAtomic& set) const { legality::check(set, rules); }
    void operator()(const SyncAll& sync) const { legality::check(sync, rules); }
    void operator()(const SoftSyncAll& sync) const { legality::check(sync, rules); }
    void operator()(const ClearUnitFlags&) const { rules.only_core(CoreKind::aic); }
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
