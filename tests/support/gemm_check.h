// Judges a generated product without the model: its program is executed element by element in
// program order, checked instruction by instruction for legality, proved free of races and, where
// asked, run in random orders.
#pragma once

#include "hw/isa/legality.h"
#include "tb/workload/gemm_reference.h"
#include "tb/workload/gemm_source.h"
#include "tests/support/race_checker.h"
#include "tests/support/random_scheduler.h"
#include "tests/support/untimed_machine.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace aicore::test {

using tb::CompareResult;
using tb::GemmPlan;
using tb::GemmSource;
using tb::GemmSpec;
using tb::GmTensor;

inline constexpr std::int64_t kGuardBytes = 256; // behind C

inline std::size_t bytes_of(const MemoryConfig& memory) {
    return static_cast<std::size_t>(memory.usable().count());
}

inline IsaLimits limits_of(const Platform& platform, std::int64_t gm_bytes) {
    IsaLimits limits;
    limits.gm_bytes = gm_bytes;
    limits.l1_bytes = platform.memories.l1.usable().count();
    limits.l0a_bytes = platform.memories.l0a.usable().count();
    limits.l0b_bytes = platform.memories.l0b.usable().count();
    limits.l0c_bytes = platform.memories.l0c.usable().count();
    limits.bt_bytes = platform.memories.bt.usable().count();
    limits.arch = platform.arch;
    limits.l0a_layout = platform.engines.cube.l0a_layout;
    limits.event_ids = 6; // 6 and 7 are left to the framework
    return limits;
}

inline std::string describe(const GemmSpec& spec, const GemmPlan& plan) {
    std::ostringstream out;
    out << to_string(spec.dtype) << "->" << to_string(spec.out_dtype) << " " << spec.m << "x"
        << spec.n << "x" << spec.k << " tile " << plan.tile_m << "x" << plan.tile_n << "x"
        << plan.tile_k << " l1 " << plan.l1_ka << "," << plan.l1_kb
        << (plan.a_resident ? " resident" : "") << (spec.double_buffer ? " double" : " single")
        << (spec.unit_flag ? " unit_flag" : "") << (spec.bias ? " bias" : "")
        << (spec.hf32 ? " hf32" : "") << (spec.relu ? " relu" : "");
    return out.str();
}

/// A planned product with its inputs in the memory of a machine, and what must come out.
class Workload {
public:
    Workload(const GemmSpec& spec, const Platform& platform)
        : platform_(platform), plan_(tb::plan_gemm(spec, platform)),
          gm_bytes_(static_cast<std::int64_t>(plan_.c.address) + plan_.c.bytes + kGuardBytes),
          a_(static_cast<std::size_t>(plan_.a.bytes)), b_(static_cast<std::size_t>(plan_.b.bytes)) {
        tb::fill_random(spec.dtype, 11, a_);
        tb::fill_random(spec.b_dtype.value_or(spec.dtype), 22, b_);
        bias_.resize(static_cast<std::size_t>(plan_.bias.bytes));
        tb::fill_random(sum_type_of(spec.dtype), 33, bias_);
        tb::ReferenceGemm gemm;
        gemm.m = spec.m;
        gemm.n = spec.n;
        gemm.k = spec.k;
        gemm.dtype = spec.dtype;
        gemm.b_transposed = plan_.b_transposed;
        gemm.relu = spec.relu;
        gemm.out_dtype = spec.out_dtype;
        gemm.b_dtype = spec.b_dtype;
        gemm.hf32_fraction_bits = spec.hf32 ? 11 : 0;
        expected_ = tb::reference_gemm(gemm, a_, b_, 1, bias_);
    }

    const GemmPlan& plan() const { return plan_; }
    IsaLimits limits() const { return limits_of(platform_, gm_bytes_); }

    UntimedMachine machine() const {
        const MemoriesConfig& memories = platform_.memories;
        UntimedMachine machine(static_cast<std::size_t>(gm_bytes_), bytes_of(memories.l1),
                               bytes_of(memories.l0a), bytes_of(memories.l0b),
                               bytes_of(memories.l0c));
        std::copy(a_.begin(), a_.end(), machine.gm.begin() + at(plan_.a));
        std::copy(b_.begin(), b_.end(), machine.gm.begin() + at(plan_.b));
        std::copy(bias_.begin(), bias_.end(), machine.gm.begin() + at(plan_.bias));
        machine.l0a_is_nz = plan_.l0a_layout == L0aLayout::Nz;
        return machine;
    }

    /// C has the right bits, and each of its bytes and no other was written once.
    void expect_result(const UntimedMachine& machine) const {
        const auto begin = machine.gm.begin() + at(plan_.c);
        const std::vector<std::uint8_t> actual(begin, begin + plan_.c.bytes);
        const CompareResult result = tb::compare_elements(plan_.spec.out_dtype, actual, expected_);
        EXPECT_EQ(result.mismatches, 0) << "first at " << result.first_mismatch;
        std::vector<std::uint8_t> once(machine.gm_writes.size(), 0);
        std::fill_n(once.begin() + at(plan_.c), plan_.c.bytes, std::uint8_t{1});
        EXPECT_EQ(machine.gm_writes, once);
    }

private:
    static std::ptrdiff_t at(const GmTensor& tensor) {
        return static_cast<std::ptrdiff_t>(tensor.address);
    }

    Platform platform_;
    GemmPlan plan_;
    std::int64_t gm_bytes_;
    std::vector<std::uint8_t> a_, b_, bias_, expected_;
};

inline void check_product(const GemmSpec& spec, const Platform& platform, int random_orders = 0) {
    const Workload work(spec, platform);
    SCOPED_TRACE(describe(spec, work.plan()));
    const IsaLimits limits = work.limits();
    GemmSource source(work.plan());
    UntimedMachine machine = work.machine();
    RaceChecker races;
    std::uint64_t mmads = 0;
    Instruction instruction;
    CtrlState ctrl;
    while (source.next(instruction)) {
        if (const auto* write = std::get_if<SetCtrl>(&instruction.operation))
            ctrl = apply(*write, ctrl);
        stamp_ctrl(instruction.operation, ctrl);
        const auto violation = find_violation(instruction.operation, limits);
        ASSERT_FALSE(violation) << violation->field << " is " << violation->value << ", "
                                << violation->rule;
        if (std::holds_alternative<Mmad>(instruction.operation)) ++mmads;
        machine.execute(instruction.operation);
        races.feed(instruction.operation);
    }
    races.finish();
    EXPECT_EQ(races.errors(), std::vector<std::string>{});
    EXPECT_EQ(mmads, source.total_mmads());
    work.expect_result(machine);

    for (int order = 0; order < random_orders; ++order) {
        source.rewind();
        UntimedMachine shuffled = work.machine();
        const std::size_t depth = order % 2 == 0 ? 16 : 1;
        RandomScheduler scheduler(depth, static_cast<std::uint64_t>(order));
        const auto execute = [&](const Operation& operation) { shuffled.execute(operation); };
        EXPECT_EQ(scheduler.run(source, execute), "");
        work.expect_result(shuffled);
    }
}

} // namespace aicore::test
