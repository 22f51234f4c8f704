// Nothing may depend on which process of an edge runs first: with the modules constructed in any
// order, every cycle, every event and every byte are the same.
#include "tests/support/core_bench.h"
#include "tests/support/gemm_run.h"
#include "tests/support/instructions.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <sstream>

namespace aicore::test {
namespace {

constexpr unsigned kOrders = 12;

/// Everything that can be seen of the last run: cycles, the log, and what the buffers hold.
std::string everything(CoreBench& bench) {
    std::ostringstream out;
    out << "cycles " << bench.simulation().cycles() << '\n' << bench.log().text();
    const auto& memories = bench.platform().memories;
    for (const auto& [buffer, bytes] :
         {std::pair(Buffer::L1, memories.l1.size_bytes),
          std::pair(Buffer::L0A, memories.l0a.size_bytes),
          std::pair(Buffer::L0B, memories.l0b.size_bytes),
          std::pair(Buffer::L0C, memories.l0c.size_bytes),
          std::pair(Buffer::BT, memories.bt.size_bytes),
          std::pair(Buffer::FB, memories.fb.size_bytes), std::pair(Buffer::GM, Bytes(1 << 20))}) {
        const ByteVector data = bench.peek(buffer, 0, static_cast<std::size_t>(bytes.count()));
        out << to_string(buffer) << " holds "
            << std::hash<std::string_view>()(
                   {reinterpret_cast<const char*>(data.data()), data.size()})
            << '\n';
    }
    return out.str();
}

/// First lines in which two texts differ; empty when they are equal.
std::string difference(const std::string& left, const std::string& right) {
    std::istringstream a(left), b(right);
    std::string line_a, line_b;
    for (int number = 1;; ++number) {
        const bool more_a = static_cast<bool>(std::getline(a, line_a));
        const bool more_b = static_cast<bool>(std::getline(b, line_b));
        if (!more_a && !more_b) return {};
        if (more_a != more_b || line_a != line_b) {
            return "line " + std::to_string(number) + ": \"" + line_a + "\" and \"" + line_b + "\"";
        }
    }
}

class OrderIndependence : public SimTest {
protected:
    /// Runs `workload` with every order of construction, each in a process of its own.
    static void compare(const std::function<void(CoreBench&)>& workload) {
        const auto run = [&](unsigned order) {
            return run_in_child([&] {
                BenchOptions options;
                options.construction_order = order;
                CoreBench bench(options);
                workload(bench);
                return everything(bench);
            });
        };
        const std::string expected = run(0);
        EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 500);
        for (unsigned order = 1; order <= kOrders; ++order) {
            EXPECT_EQ(difference(run(order), expected), "") << "order " << order;
        }
    }
    static void compare_gemm(const tb::GemmSpec& spec) {
        compare([&spec](CoreBench& bench) {
            GemmRun gemm(spec, bench.platform());
            gemm.load(bench);
            bench.run(gemm.source());
            gemm.expect_result(bench);
        });
    }
};

/// Random instructions that race with one another wherever they can: what they compute is nonsense,
/// but the same nonsense each time.
ProgramList random_soup(unsigned seed) {
    std::mt19937 random(seed);
    const auto pick = [&random](int count) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(count));
    };
    const auto address = [&](int count, std::int64_t step) {
        return static_cast<std::uint32_t>(pick(count) * step);
    };
    ProgramList program;
    int flags = 0;
    constexpr std::array<Pipe, 5> kPipesInUse{Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3,
                                              Pipe::FIX};
    for (int i = 0; i < 300; ++i) {
        switch (pick(10)) {
        case 0:
            program.add(load_l1(32 * (1 + pick(80)), address(512, 40), address(16, 4096)));
            break;
        case 1: {
            Nd2Nz nd2nz;
            nd2nz.src_addr = address(512, 2);
            nd2nz.dst_addr = address(8, 8192);
            nd2nz.n_value = 1 + pick(40);
            nd2nz.d_value = 1 + pick(70);
            nd2nz.src_d_value = 80;
            nd2nz.dst_nz_c0_stride = 48;
            program.add(nd2nz);
            break;
        }
        case 2:
            program.add(
                store_l1(32 * (1 + pick(40)), address(16, 4096), (1 << 19) + address(64, 96)));
            break;
        case 3: {
            Load2d load =
                load_fractals(Buffer::L0A, 1 + pick(12), address(16, 4096), address(4, 2048));
            load.transpose = pick(2) == 0;
            program.add(load);
            break;
        }
        case 4:
            program.add(
                load_fractals(Buffer::L0B, 1 + pick(12), address(16, 4096), address(4, 2048)));
            break;
        case 5:
        case 6: {
            // Without unit flags: those have a protocol of their own.
            Mmad product = mmad(1 + pick(48), 1 + pick(48), 1 + pick(48),
                                pick(2) == 0 ? MmadInit::zero : MmadInit::l0c);
            product.c_addr = address(4, 4096);
            program.add(product);
            break;
        }
        case 7: {
            Fixpipe rows = store_rows(1 + pick(48), 1 + pick(48), (1 << 18) + address(32, 512));
            rows.src_addr = address(4, 4096);
            program.add(rows);
            break;
        }
        case 8: {
            Fixpipe fractals =
                store_l1_fractals(16 * (1 + pick(3)), 16 * (1 + pick(3)), address(16, 4096));
            fractals.src_addr = address(4, 4096);
            program.add(fractals);
            break;
        }
        default: {
            const Pipe src = kPipesInUse[static_cast<std::size_t>(pick(5))];
            const Pipe dst = kPipesInUse[static_cast<std::size_t>(pick(5))];
            if (src == dst) {
                program.add(PipeBarrier{src});
            } else if (flags < 8) { // each id once: a second set could come too early
                program.add(SetFlag{src, dst, flags});
                program.add(WaitFlag{src, dst, flags++});
            }
        }
        }
    }
    return program;
}

TEST_F(OrderIndependence, GemmWithUnitFlags) { compare_gemm(busy_gemm(true, true)); }
TEST_F(OrderIndependence, GemmWithEventFlags) { compare_gemm(busy_gemm(false, true)); }
TEST_F(OrderIndependence, GemmWithSingleBuffers) { compare_gemm(busy_gemm(true, false)); }

class RacingInstructions : public OrderIndependence,
                           public ::testing::WithParamInterface<unsigned> {};

TEST_P(RacingInstructions, ComputeTheSameNonsense) {
    compare([](CoreBench& bench) {
        ByteVector data(1 << 16);
        std::mt19937 random(7);
        for (auto& byte : data) byte = static_cast<std::uint8_t>(random() & 0x3f); // small numbers
        bench.poke(Buffer::GM, 0, data);
        bench.poke(Buffer::L1, 0, data);
        ProgramList program = random_soup(GetParam());
        bench.run(program);
        EXPECT_GT(bench.log().stalled("aic0.mte1", WaitReason::bank_conflict), Cycles(0));
        EXPECT_GT(bench.log().stalled("aic0.fixpipe", WaitReason::bank_conflict), Cycles(0));
    });
}

INSTANTIATE_TEST_SUITE_P(Seeds, RacingInstructions, ::testing::Range(1u, 7u));

} // namespace
} // namespace aicore::test
