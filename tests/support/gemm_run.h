// A generated product on a simulated core: its inputs, its program, and the judgement of its
// result.
#pragma once

#include "tb/workload/gemm_reference.h"
#include "tb/workload/gemm_source.h"
#include "tests/support/core_bench.h"

#include <string>

namespace aicore::test {

class GemmRun {
public:
    GemmRun(const tb::GemmSpec& spec, const Platform& platform)
        : plan_(tb::plan_gemm(spec, platform)), source_(plan_),
          a_(static_cast<std::size_t>(plan_.a.bytes)), b_(static_cast<std::size_t>(plan_.b.bytes)) {
        tb::fill_random(spec.dtype, 1, a_);
        tb::fill_random(spec.b_dtype.value_or(spec.dtype), 2, b_);
        bias_.resize(static_cast<std::size_t>(plan_.bias.bytes));
        tb::fill_random(sum_type_of(spec.dtype), 3, bias_);
        tb::ReferenceGemm gemm;
        gemm.m = spec.m;
        gemm.n = spec.n;
        gemm.k = spec.k;
        gemm.dtype = spec.dtype;
        gemm.b_transposed = plan_.b_transposed;
        gemm.relu = spec.relu;
        gemm.out_dtype = spec.out_dtype;
        gemm.b_dtype = spec.b_dtype;
        gemm.hf32_fraction_bits = spec.hf32 ? platform.numerics.hf32_fraction_bits : 0;
        expected_ = tb::reference_gemm(gemm, a_, b_, 1, bias_);
    }

    InstructionSource& source() { return source_; }

    /// Puts A and B into global memory and a pattern where C will be and behind it.
    void load(GlobalMemory& gm) const {
        gm.load(plan_.a.address, a_.data(), a_.size());
        gm.load(plan_.b.address, b_.data(), b_.size());
        const ByteVector pattern(result_bytes() + kGuardBytes, kPattern);
        gm.load(plan_.c.address, pattern.data(), pattern.size());
        gm.load(plan_.bias.address, bias_.data(), bias_.size());
    }
    void load(CoreBench& bench) const { load(bench.simulation().chip().gm()); }
    ByteVector result(CoreBench& bench) const {
        return bench.peek(Buffer::GM, plan_.c.address, result_bytes());
    }
    /// C has the right bits, and nothing is written behind it.
    void expect_result(CoreBench& bench) const {
        const auto compared = tb::compare_elements(plan_.spec.out_dtype, result(bench), expected_);
        EXPECT_EQ(compared.mismatches, 0)
            << "of " << compared.checked << ", first " << compared.first_mismatch;
        EXPECT_EQ(bench.peek(Buffer::GM, plan_.c.address + result_bytes(), kGuardBytes),
                  ByteVector(kGuardBytes, kPattern));
    }

private:
    static constexpr std::size_t kGuardBytes = 256;
    static constexpr std::uint8_t kPattern = 0x5a;

    std::size_t result_bytes() const { return static_cast<std::size_t>(plan_.c.bytes); }

    tb::GemmPlan plan_;
    tb::GemmSource source_;
    ByteVector a_, b_, bias_, expected_;
};

/// 128 x 160 outputs in four tiles and several K steps: every pipe is busy at the same time.
inline tb::GemmSpec busy_gemm(bool unit_flag, bool double_buffer) {
    tb::GemmSpec spec;
    spec.m = 128;
    spec.n = 160;
    spec.k = 200;
    spec.tile_m = 64;
    spec.tile_n = 80;
    spec.tile_k = 32;
    spec.unit_flag = unit_flag;
    spec.double_buffer = double_buffer;
    return spec;
}

} // namespace aicore::test
