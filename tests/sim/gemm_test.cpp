// Generated products on the simulated core, bit for bit against an independent reference.
#include "tests/support/core_bench.h"
#include "tests/support/gemm_run.h"

#include <random>
#include <sstream>

namespace aicore::test {
namespace {

std::string describe(const tb::GemmSpec& spec) {
    std::ostringstream out;
    out << to_string(spec.dtype) << "->" << to_string(spec.out_dtype) << " " << spec.m << "x"
        << spec.n << "x" << spec.k << (spec.double_buffer ? " double" : "")
        << (spec.unit_flag ? " unit_flag" : "") << (spec.bias ? " bias" : "")
        << (spec.hf32 ? " hf32" : "") << (spec.relu ? " relu" : "");
    return out.str();
}

class Gemm : public SimTest {
protected:
    /// Random products up to `largest` in each dimension, all in this process.
    static void run_random(const BenchOptions& options, unsigned seed, int products,
                           std::int64_t largest) {
        CoreBench bench(options);
        std::mt19937 random(seed);
        const auto pick = [&random](std::int64_t count) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(count));
        };
        constexpr DataType kTypes[]{DataType::float16, DataType::bfloat16, DataType::float32,
                                    DataType::int8, DataType::int4};
        constexpr DataType kOutTypes[]{DataType::float32, DataType::float16, DataType::bfloat16};
        for (int i = 0; i < products; ++i) {
            tb::GemmSpec spec;
            spec.m = 1 + pick(largest);
            spec.n = 1 + pick(largest);
            spec.k = 1 + pick(largest);
            spec.dtype = kTypes[i % 5];
            if (spec.dtype == DataType::int4) spec.k += spec.k % 2;
            spec.out_dtype = is_integer(spec.dtype) ? DataType::int32 : kOutTypes[pick(3)];
            spec.bias = spec.dtype != DataType::int4 && pick(2) == 0;
            spec.hf32 = spec.dtype == DataType::float32 && pick(2) == 0;
            spec.double_buffer = pick(3) != 0;
            spec.unit_flag = pick(2) == 0;
            spec.relu = pick(3) == 0;
            SCOPED_TRACE(describe(spec));
            GemmRun gemm(spec, bench.platform());
            gemm.load(bench);
            bench.run(gemm.source());
            gemm.expect_result(bench);
        }
    }
};

TEST_F(Gemm, SmallProductsOfEveryType) {
    BenchOptions options;
    options.observed = false;
    run_random(options, 1, 60, 150);
}

TEST_F(Gemm, ManyTilesInSmallBuffers) {
    BenchOptions options;
    options.observed = false;
    options.overrides = {"memories.l1.size_bytes=32768", "memories.l0a.size_bytes=4096",
                         "memories.l0b.size_bytes=8192", "memories.l0c.size_bytes=8192"};
    run_random(options, 2, 40, 120);
}

TEST_F(Gemm, SlowAndNarrowHardware) {
    BenchOptions options;
    options.observed = false;
    options.overrides = {"engines.cube.queue_depth=1",       "engines.mte1.queue_depth=1",
                         "engines.mte2.queue_depth=1",       "engines.fixpipe.queue_depth=1",
                         "engines.cube.in_flight=1",         "engines.mte1.in_flight=1",
                         "engines.mte2.in_flight=1",         "engines.fixpipe.in_flight=1",
                         "links.gm_to_l1.bytes_per_cycle=7", "links.l1_to_l0a.bytes_per_cycle=33",
                         "links.l0c_to_gm.bytes_per_cycle=5"};
    run_random(options, 3, 20, 100);
}

} // namespace
} // namespace aicore::test
