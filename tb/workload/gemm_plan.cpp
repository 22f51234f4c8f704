#include "tb/workload/gemm_plan.h"

#include "hw/config/strict_yaml.h"

#include <algorithm>
#include <string>

namespace aicore::tb {
namespace {

constexpr std::int64_t kPreferredTileM = 128;
constexpr std::int64_t kPreferredTileN = 256;
constexpr std::int64_t kWideTileM = 256;  // when n is at most half of kPreferredTileN
constexpr std::int64_t kMaxTile = 4080;   // Mmad fields end at 4095; a whole number of fractals
constexpr std::int64_t kGmRowBytes = 512; // row piece of an nd2nz, one line of L2
constexpr std::int64_t kMaxNd2NzColumns = 65535;
constexpr std::int64_t kMaxFixpipePitch = 4294967295; // dst_stride is a 32-bit register field
constexpr std::int64_t kGmAlignment = 512;

std::string text(std::int64_t value) { return std::to_string(value); }

[[noreturn]] void reject(const std::string& message) { throw InputError("gemm: " + message); }

std::int64_t round_down(std::int64_t value, std::int64_t multiple) {
    return value / multiple * multiple;
}

class Planner {
public:
    Planner(const GemmSpec& spec, const Platform& platform)
        : spec_(spec), memories_(platform.memories), arch_(platform.arch),
          bits_(bits_of(spec.dtype)) {
        check_spec();
        c0_ = c0_of(spec.dtype);
        slots_ = spec.double_buffer ? 2 : 1;
        plan_.spec = spec;
        plan_.b_transposed = bits_ != 16;
        plan_.l0a_layout = platform.engines.cube.l0a_layout;
        plan_.has_dst_gap = arch_ != 3510;
        l1_slot_ = spec.double_buffer ? l1_usable() - l1_pong() : l1_usable();
        l0a_slot_ = slot_bytes(memories_.l0a, kFractalBytes);
        l0b_slot_ = slot_bytes(memories_.l0b, kFractalBytes);
        l0c_bytes_ = memories_.l0c.usable().count();
    }

    GemmPlan run() {
        choose_m_and_n();
        choose_k();
        check_tile();
        choose_l1_chunks();
        place_on_chip();
        place_in_gm();
        return plan_;
    }

private:
    void check_spec() const {
        const auto positive = [](const char* name, std::int64_t value) {
            if (value < 1)
                reject(std::string(name) + " is " + text(value) + ", must be at least 1");
        };
        positive("m", spec_.m);
        positive("n", spec_.n);
        positive("k", spec_.k);
        check_types();
        check_out_type();
        if (spec_.n > kMaxFixpipePitch)
            reject("n is " + text(spec_.n) + ", the row pitch of a Fixpipe ends at " +
                   text(kMaxFixpipePitch));
        check_tile_field("tile_m", spec_.tile_m, "m", spec_.m, kFractalRows);
        check_tile_field("tile_n", spec_.tile_n, "n", spec_.n, kFractalRows);
        check_tile_field("tile_k", spec_.tile_k, "k", spec_.k, c0_of(spec_.dtype));
    }

    void check_out_type() const {
        const bool integer = is_integer(spec_.dtype);
        if (spec_.quant != QuantPreMode::none) return check_quant();
        const bool out_ok = integer ? spec_.out_dtype == DataType::int32
                                    : spec_.out_dtype == DataType::float32 ||
                                          spec_.out_dtype == DataType::float16 ||
                                          spec_.out_dtype == DataType::bfloat16;
        if (!out_ok)
            reject("out_dtype of " + std::string(to_string(spec_.dtype)) + " inputs must be " +
                   (integer ? "int32" : "float32, float16 or bfloat16") + ", not " +
                   std::string(to_string(spec_.out_dtype)));
    }

    void check_quant() const {
        const DataType sums = is_integer(spec_.dtype) ? DataType::int32 : DataType::float32;
        const std::string mode(to_string(spec_.quant));
        if (!is_available(spec_.quant, arch_))
            reject("quantisation " + mode + " does not exist on arch " + std::to_string(arch_));
        if (!accepts_source(spec_.quant, sums))
            reject("quantisation " + mode + " does not take " + std::string(to_string(sums)) +
                   " sums of " + std::string(to_string(spec_.dtype)) + " inputs");
    }

    void check_types() const {
        const DataType a = spec_.dtype, b = spec_.b_dtype.value_or(a);
        if (!is_mmad_pair(arch_, a, a))
            reject("dtype " + std::string(to_string(a)) + " is not a type of the cube's inputs (" +
                   mmad_types_text(arch_) + ")");
        if (!is_mmad_pair(arch_, a, b))
            reject("the cube does not multiply " + std::string(to_string(a)) + " by " +
                   std::string(to_string(b)));
        if (spec_.hf32 && a != DataType::float32) reject("hf32 goes with float32 inputs only");
        if (spec_.bias && !allows_bias(a)) reject("a product of int4 takes no bias");
        if (a == DataType::int4 && spec_.k % 2 != 0)
            reject("k is " + text(spec_.k) + ", must be even for int4");
    }

    static void check_tile_field(const std::string& name, std::optional<std::int64_t> tile,
                                 const std::string& dimension, std::int64_t extent,
                                 std::int64_t multiple) {
        if (!tile) return;
        if (*tile < 1) reject(name + " is " + text(*tile) + ", must be at least 1");
        if (*tile < extent && *tile % multiple != 0)
            reject(name + " is " + text(*tile) + ", must be a multiple of " + text(multiple) +
                   " or cover " + dimension + " = " + text(extent));
        if (std::min(*tile, extent) > kMaxTile)
            reject(name + " is " + text(*tile) + ", one Mmad takes at most " + text(kMaxTile));
    }

    std::int64_t bias_bytes() const { return spec_.bias ? memories_.bt.usable().count() : 0; }
    bool has_quant_table() const {
        return info(spec_.quant).parameter == QuantParameterKind::vector;
    }
    std::int64_t quant_bytes() const {
        return has_quant_table() ? memories_.fb.usable().count() : 0;
    }
    std::int64_t l1_usable() const {
        return round_down(memories_.l1.usable().count() - bias_bytes() - quant_bytes(),
                          kBlockBytes);
    }
    std::int64_t l1_pong() const {
        return round_down(memories_.l1.size_bytes.count() / 2, kFractalBytes);
    }

    std::int64_t slot_bytes(const MemoryConfig& memory, std::int64_t alignment) const {
        return round_down(memory.usable().count() / slots_, alignment);
    }

    /// Bytes of `outer` rows (of A) or columns (of B) with `k` elements each, in whole fractals.
    std::int64_t operand_bytes(std::int64_t outer, std::int64_t k) const {
        return round_up(outer, kFractalRows) * round_up(k, c0_) * bits_ / 8;
    }
    std::int64_t l0c_tile_bytes() const {
        return round_up(plan_.tile_m, kFractalRows) * round_up(plan_.tile_n, kFractalRows) * 4;
    }
    bool l1_holds(std::int64_t ka, std::int64_t kb) const {
        return operand_bytes(plan_.tile_m, ka) + operand_bytes(plan_.tile_n, kb) <= l1_slot_;
    }

    static std::int64_t halve(std::int64_t tile) {
        return round_up(ceil_div(tile, 2), kFractalRows);
    }

    void choose_m_and_n() {
        std::int64_t& m = plan_.tile_m;
        std::int64_t& n = plan_.tile_n;
        const std::int64_t k = std::min(spec_.k, spec_.tile_k.value_or(c0_));
        n = std::min(spec_.n, spec_.tile_n.value_or(kPreferredTileN));
        m = std::min(spec_.m, spec_.tile_m.value_or(n <= kPreferredTileN / 2 ? kWideTileM
                                                                             : kPreferredTileM));
        const auto can_shrink_m = [&] { return !spec_.tile_m && m > kFractalRows; };
        const auto can_shrink_n = [&] { return !spec_.tile_n && n > kFractalRows; };
        while (operand_bytes(m, k) > l0a_slot_ && can_shrink_m()) m = halve(m);
        while (operand_bytes(n, k) > l0b_slot_ && can_shrink_n()) n = halve(n);
        while (l0c_tile_bytes() > l0c_bytes_ || !l1_holds(k, k)) {
            if (can_shrink_n() && (n >= m || !can_shrink_m()))
                n = halve(n);
            else if (can_shrink_m())
                m = halve(m);
            else
                break; // check_tile names the buffer
        }
    }

    void choose_k() {
        if (spec_.tile_k) {
            plan_.tile_k = std::min(spec_.k, *spec_.tile_k);
            return;
        }
        const auto fits = [&](std::int64_t k) {
            return k <= kMaxTile && operand_bytes(plan_.tile_m, k) <= l0a_slot_ &&
                   operand_bytes(plan_.tile_n, k) <= l0b_slot_ && l1_holds(k, k);
        };
        std::int64_t k = c0_;
        while (k < spec_.k && fits(std::min(2 * k, spec_.k))) k *= 2;
        plan_.tile_k = std::min(k, spec_.k);
    }

    void check_tile() const {
        const std::string tile =
            "tile " + text(plan_.tile_m) + " x " + text(plan_.tile_n) + " x " + text(plan_.tile_k);
        const std::string slot = slots_ == 2 ? " in each of two slots, and a slot" : ", and it";
        const auto check = [&](const char* buffer, std::int64_t bytes, std::int64_t capacity,
                               const std::string& share) {
            if (bytes > capacity)
                reject(tile + " needs " + text(bytes) + " bytes of " + buffer + share + " has " +
                       text(capacity));
        };
        check("L0A", operand_bytes(plan_.tile_m, plan_.tile_k), l0a_slot_, slot);
        check("L0B", operand_bytes(plan_.tile_n, plan_.tile_k), l0b_slot_, slot);
        check("L0C", l0c_tile_bytes(), l0c_bytes_, ", and it");
        check("L1",
              operand_bytes(plan_.tile_m, plan_.tile_k) + operand_bytes(plan_.tile_n, plan_.tile_k),
              l1_slot_, slot);
        if (has_quant_table())
            check("the Fixpipe buffer", round_up(plan_.tile_n, kFractalRows) * 8, quant_bytes(),
                  ", and it");
        if (spec_.bias)
            check("the bias table", round_up(plan_.tile_n, kFractalRows) * 4, bias_bytes(),
                  ", and it");
    }

    void choose_l1_chunks() {
        const std::int64_t step = plan_.tile_k;
        const std::int64_t row = std::max(step, round_down(kGmRowBytes * 8 / bits_, step));
        std::int64_t chunk = std::min(row, spec_.k);
        // Rows of B [k,n] run along n, so a shorter chunk costs them nothing but instructions.
        const std::int64_t shortest_b =
            plan_.b_transposed ? chunk : std::max(step, round_down(chunk / 2, step));
        if (plan_.n_tiles() > 1 && spec_.k <= kMaxNd2NzColumns) {
            for (std::int64_t kb = chunk; kb >= shortest_b; kb = next_shorter(kb, step)) {
                if (!l1_holds(spec_.k, kb)) continue;
                plan_.a_resident = true;
                plan_.l1_ka = spec_.k;
                plan_.l1_kb = kb;
                return;
            }
        }
        while (!l1_holds(chunk, chunk)) chunk = next_shorter(chunk, step);
        plan_.l1_ka = plan_.l1_kb = chunk;
    }

    static std::int64_t next_shorter(std::int64_t chunk, std::int64_t step) {
        return round_down(chunk - 1, step);
    }

    void place_on_chip() {
        const auto at = [&](std::int64_t ping, std::int64_t pong) {
            BufferSlots slots;
            slots.count = slots_;
            slots.address = {static_cast<std::uint32_t>(ping), static_cast<std::uint32_t>(pong)};
            return slots;
        };
        const std::int64_t b_offset = operand_bytes(plan_.tile_m, plan_.l1_ka);
        plan_.l1_a = at(0, l1_pong());
        plan_.l1_b = at(b_offset, l1_pong() + b_offset);
        plan_.l0a = at(0, l0a_slot_);
        plan_.l0b = at(0, l0b_slot_);
        const std::int64_t l0c_pong = round_down(l0c_bytes_ / 2, kL0cFractalBytes);
        plan_.l0c = at(0, l0c_pong);
        if (l0c_tile_bytes() > l0c_pong) plan_.l0c.count = 1;
        plan_.l1_bias = static_cast<std::uint32_t>(l1_usable());
        plan_.l1_quant = static_cast<std::uint32_t>(l1_usable() + bias_bytes());
    }

    void place_in_gm() {
        const std::int64_t capacity = memories_.gm.usable().count();
        std::int64_t next = 0;
        const auto place = [&](const char* name, std::int64_t rows, std::int64_t columns,
                               int bits) {
            const std::int64_t left = capacity - next;
            if (left <= 0 || columns > left * 8 / bits / rows)
                reject(std::string(name) + " of " + text(rows) + " x " + text(columns) +
                       " elements of " + text(bits) + " bits does not fit in GM, " +
                       text(std::max<std::int64_t>(left, 0)) + " of " + text(capacity) +
                       " bytes are left");
            const GmTensor tensor{static_cast<std::uint64_t>(next), rows * columns * bits / 8};
            next = round_up(next + tensor.bytes, kGmAlignment);
            return tensor;
        };
        plan_.a = place("A", spec_.m, spec_.k, bits_);
        plan_.b = place("B", spec_.k, spec_.n, bits_);
        if (spec_.bias) plan_.bias = place("the bias", 1, spec_.n, 32);
        if (has_quant_table())
            plan_.quant = place("the quantisation table", 1, round_up(spec_.n, kFractalRows), 64);
        plan_.c = place("C", spec_.m, spec_.n, bits_of(spec_.out_dtype));
    }

    const GemmSpec& spec_;
    const MemoriesConfig& memories_;
    int arch_;
    int bits_; ///< of an element of A and B
    std::int64_t c0_ = 0;
    int slots_ = 1;
    std::int64_t l1_slot_ = 0, l0a_slot_ = 0, l0b_slot_ = 0, l0c_bytes_ = 0;
    GemmPlan plan_;
};

} // namespace

GemmPlan plan_gemm(const GemmSpec& spec, const Platform& platform) {
    return Planner(spec, platform).run();
}

std::vector<GemmPlan> split_rows(const GemmPlan& plan, int cores) {
    const std::int64_t rows = ceil_div(ceil_div(plan.spec.m, kFractalRows), cores) * kFractalRows;
    std::vector<GemmPlan> parts;
    for (std::int64_t first = 0; first < plan.spec.m; first += rows) {
        GemmPlan part = plan;
        part.spec.m = std::min(rows, plan.spec.m - first);
        part.a.address += static_cast<std::uint64_t>(first * plan.a.bytes / plan.spec.m);
        part.c.address += static_cast<std::uint64_t>(first * plan.c.bytes / plan.spec.m);
        parts.push_back(part);
    }
    return parts;
}

} // namespace aicore::tb
