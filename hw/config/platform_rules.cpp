#include "hw/config/platform_rules.h"

#include "hw/config/strict_yaml.h"
#include "hw/isa/burst_splitter.h"

#include <utility>
#include <vector>

namespace aicore {

namespace {

class RuleChecker {
public:
    explicit RuleChecker(const FieldOrigins& origins) : origins_(origins) {}

    template <typename T>
    void at_most(const T& low, const T& high) const {
        const Operand a = operand(low);
        const Operand b = operand(high);
        if (a.value <= b.value) return;
        if (b.origin->layer > a.origin->layer) fail(b, "at least " + describe(a));
        fail(a, "at most " + describe(b));
    }

    /// `whole` is a multiple of the product of the factors.
    template <typename T, typename... Factors>
    void multiple_of(const T& whole, const Factors&... factors) const {
        const Operand of = operand(whole);
        const std::vector<Operand> parts{operand(factors)...};
        std::int64_t product = 1;
        std::string names;
        const Operand* latest = &of;
        for (const Operand& part : parts) {
            product *= part.value;
            names += (names.empty() ? "" : " * ") + part.origin->path;
            if (part.origin->layer > latest->origin->layer) latest = &part;
        }
        if (of.value % product == 0) return;
        names += " (" + std::to_string(product) + ")";
        if (latest == &of) fail(of, "a multiple of " + names);
        fail(*latest, names + " to divide " + describe(of));
    }

    /// Any other rule about one member.
    template <typename T>
    void require(bool holds, const T& member, const std::string& expected) const {
        if (!holds) fail(operand(member), expected);
    }

private:
    struct Operand {
        std::int64_t value;
        const FieldOrigin* origin;
    };

    template <typename T>
    Operand operand(const T& member) const {
        return {count_of(member), &origins_.at(&member)};
    }

    static std::string describe(const Operand& operand) {
        return operand.origin->path + " (" + std::to_string(operand.value) + ")";
    }

    [[noreturn]] static void fail(const Operand& blamed, const std::string& expected) {
        throw InputError(blamed.origin->where + ": expected " + expected + ", found " +
                         std::to_string(blamed.value));
    }

    const FieldOrigins& origins_;
};

void check_memory(const RuleChecker& rules, const MemoryConfig& memory) {
    rules.multiple_of(memory.size_bytes, memory.alignment_bytes);
    rules.multiple_of(memory.reserved_bytes, memory.alignment_bytes);
    rules.at_most(memory.reserved_bytes, memory.size_bytes);
}

} // namespace

void check_platform_rules(const Platform& platform, const FieldOrigins& origins) {
    const RuleChecker rules(origins);
    const MemoriesConfig& m = platform.memories;
    for (const MemoryConfig* memory :
         {&m.gm, &m.l1, &m.l0a, &m.l0b, &m.l0c, &m.bt, &m.fb, &m.fb1, &m.fb2, &m.fb3, &m.ub}) {
        check_memory(rules, *memory);
    }
    const std::int64_t l2_lines = m.l2.size_bytes.count() / kGmLineBytes;
    rules.require(m.l2.size_bytes.count() % kGmLineBytes == 0 && l2_lines % m.l2.ways == 0,
                  m.l2.size_bytes, "a multiple of memories.l2.ways lines of 512 bytes");
    rules.require(kGmLineBytes % m.l2.sector_bytes.count() == 0, m.l2.sector_bytes,
                  "a divisor of the line of 512 bytes");
    if (m.hccs.is_there()) {
        rules.at_most(m.gm.size_bytes, m.hccs.peer_address);
        rules.require(m.hccs.peer_address.count() % kGmLineBytes == 0, m.hccs.peer_address,
                      "a multiple of the line of 512 bytes");
    }
    rules.multiple_of(m.l1.size_bytes, m.l1_banks.bank_groups, m.l1_banks.banks_per_group,
                      m.l1_banks.row_bytes);
    rules.multiple_of(m.ub.size_bytes, m.ub_banks.bank_groups, m.ub_banks.banks_per_group,
                      m.ub_banks.row_bytes);
    rules.multiple_of(m.l0c.size_bytes, m.l0c_banks.banks, m.l0c_banks.row_bytes);
    rules.require(m.ub_banks.row_bytes == Bytes(32), m.ub_banks.row_bytes,
                  "32, the block of the vector instructions");
    rules.require(!platform.links.reaches_ub() || platform.chip.vector_cores_per_ai_core == 0,
                  platform.chip.vector_cores_per_ai_core,
                  "0 on a platform with links.l0c_to_ub, whose unified buffers are memories");
    rules.at_most(platform.engines.cube.drain_cycles, platform.engines.cube.startup_cycles);
    const Cycles& write_drain = platform.engines.fixpipe.write_drain_cycles;
    rules.at_most(write_drain, platform.links.l0c_to_l1.latency_cycles);
    rules.at_most(write_drain, platform.links.l0c_to_gm.latency_cycles);
    if (platform.links.reaches_ub()) {
        rules.at_most(write_drain, platform.links.l0c_to_ub.latency_cycles);
        rules.at_most(write_drain, platform.links.l0c_to_ub_dual.latency_cycles);
        rules.at_most(platform.links.l0c_to_ub.bytes_per_cycle,
                      platform.links.l0c_to_ub_dual.bytes_per_cycle);
    }
}

} // namespace aicore
