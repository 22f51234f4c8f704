// Mmad of every type and mode on the simulated core: what lands in L0C, against loops over single
// elements of the operands' images.
#include "tb/workload/gemm_reference.h"
#include "tb/workload/reference_operand.h"
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace aicore::test {
namespace {

constexpr std::size_t kL0Bytes = 64 * 1024, kBtBytes = 1024, kTileBytes = 32 * 1024;

/// What lies in the buffers before an Mmad.
struct Images {
    ByteVector a, b, indices, bias, c;
};

/// Decodes an element of an image; chosen by type at run time.
double decoded(DataType type, const ByteVector& image, std::int64_t index) {
    switch (type) {
    case DataType::float16: return static_cast<double>(tb::operand<Eigen::half>(image, index, 0));
    case DataType::bfloat16:
        return static_cast<double>(tb::operand<Eigen::bfloat16>(image, index, 0));
    case DataType::float32: return static_cast<double>(tb::operand<float>(image, index, 0));
    case DataType::int8:
        return static_cast<std::int32_t>(tb::operand<std::int8_t>(image, index, 0));
    case DataType::int4: return static_cast<std::int32_t>(tb::operand<tb::Int4>(image, index, 0));
    case DataType::fp8_e4m3: return static_cast<double>(tb::operand<tb::E4m3>(image, index, 0));
    case DataType::fp8_e5m2: return static_cast<double>(tb::operand<tb::E5m2>(image, index, 0));
    default: return static_cast<double>(tb::operand<tb::Hif8>(image, index, 0));
    }
}

/// HF32 of a normal value: `bits` of its fraction, ties away from zero or to even, or cut off.
double to_hf32(double value, int bits, Rounding rounding) {
    int exponent = 0;
    const double scaled = std::ldexp(std::frexp(value, &exponent), bits + 1);
    const double kept = rounding == Rounding::nearest_even   ? std::nearbyint(scaled)
                        : rounding == Rounding::nearest_away ? std::round(scaled)
                                                             : std::trunc(scaled);
    return std::ldexp(kept, exponent - bits - 1);
}

/// How the bits of the operands are read and of the sums written.
struct Reading {
    bool nz = false; ///< L0A
    int hf32_bits = 0;
    Rounding hf32_rounding = Rounding::nearest_even;
    bool saturate = false;
};

class CubeTypes : public SimTest {
protected:
    static Images random_images(const Mmad& op, std::uint64_t seed) {
        Images images{ByteVector(kL0Bytes), ByteVector(kL0Bytes), ByteVector(kL0Bytes / 4),
                      ByteVector(kBtBytes), ByteVector(kTileBytes)};
        tb::fill_random(op.ab_type, seed, images.a);
        tb::fill_random(op.b_type.value_or(op.ab_type), seed + 1, images.b);
        tb::fill_random(DataType::uint8, seed + 2, images.indices);
        const DataType sums = is_integer(op.ab_type) ? DataType::int32 : DataType::float32;
        tb::fill_random(sums, seed + 3, images.bias);
        tb::fill_random(sums, seed + 4, images.c);
        return images;
    }

    /// Runs the Mmad after `ctrl` and gives L0C.
    static ByteVector run(CoreBench& bench, const Mmad& op, const SetCtrl& ctrl,
                          const Images& images) {
        bench.reset();
        bench.poke(Buffer::L0A, 0, images.a);
        bench.poke(Buffer::L0B, 0, images.b);
        bench.poke(Buffer::L0B_IDX, 0, images.indices);
        bench.poke(Buffer::BT, 0, images.bias);
        bench.poke(Buffer::L0C, 0, images.c);
        ProgramList program{ctrl, op};
        bench.run(program);
        return bench.peek(Buffer::L0C, 0, kTileBytes);
    }

    static double a_value(const Mmad& op, const Images& images, const Reading& reading,
                          std::int64_t m, std::int64_t k) {
        const std::int64_t c0 = c0_of(op.ab_type), m1 = ceil_div(op.m, 16);
        const std::int64_t k1 = op.k_direction_align ? ceil_div(op.k, 16) * 2 : ceil_div(op.k, c0);
        const std::int64_t fractal = reading.nz ? k / c0 * m1 + m / 16 : m / 16 * k1 + k / c0;
        const bool vector = op.m == 1 && !op.disable_gemv && !op.sparse;
        return decoded(op.ab_type, images.a, vector ? k : fractal * 16 * c0 + m % 16 * c0 + k % c0);
    }

    /// B of element (k, n); of a sparse B the sum of what its indices put there.
    static double b_value(const Mmad& op, const Images& images, std::int64_t k, std::int64_t n) {
        const DataType type = op.b_type.value_or(op.ab_type);
        const std::int64_t c0 = c0_of(type), n1 = ceil_div(op.n, 16);
        const auto place = [&](std::int64_t along_k) {
            return (along_k / c0 * n1 + n / 16) * 16 * c0 + n % 16 * c0 + along_k % c0;
        };
        if (!op.sparse) return decoded(type, images.b, place(k));
        double sum = 0;
        for (std::int64_t slot = 0; slot < 2; ++slot) {
            const std::int64_t at = place(k / 4 * 2 + slot);
            const int index = images.indices[static_cast<std::size_t>(at / 4)] >> (at % 4 * 2) & 3;
            if (index != 3 && index + slot == k % 4) sum += decoded(type, images.b, at);
        }
        return sum;
    }

    static ByteVector expected(const Mmad& op, const Images& images, const Reading& reading) {
        ByteVector c = images.c;
        const bool integer = is_integer(op.ab_type);
        const std::int64_t m1 = ceil_div(op.m, 16);
        for (std::int64_t m = 0; m < op.m; ++m) {
            for (std::int64_t n = 0; n < op.n; ++n) {
                const auto at = static_cast<std::size_t>((n / 16 * m1 * 256 + m * 16 + n % 16) * 4);
                std::int32_t word = 0;
                if (op.init == MmadInit::l0c) std::memcpy(&word, &c[at], 4);
                if (op.init == MmadInit::bias)
                    std::memcpy(&word, &images.bias[static_cast<std::size_t>(n * 4)], 4);
                float sum;
                std::memcpy(&sum, &word, 4);
                std::int64_t exact = word;
                for (std::int64_t k = 0; k < op.k; ++k) {
                    double a = a_value(op, images, reading, m, k);
                    double b = b_value(op, images, k, n);
                    if (reading.hf32_bits > 0) {
                        a = to_hf32(a, reading.hf32_bits, reading.hf32_rounding);
                        b = to_hf32(b, reading.hf32_bits, reading.hf32_rounding);
                    }
                    const auto product = static_cast<float>(a * b);
                    sum = sum + product;
                    exact += static_cast<std::int64_t>(a * b);
                }
                if (reading.saturate) {
                    exact =
                        std::clamp<std::int64_t>(exact, std::numeric_limits<std::int32_t>::min(),
                                                 std::numeric_limits<std::int32_t>::max());
                }
                word = static_cast<std::int32_t>(static_cast<std::uint32_t>(exact));
                std::memcpy(&c[at], integer ? static_cast<const void*>(&word) : &sum, 4);
            }
        }
        return c;
    }

    static void expect_mmad(CoreBench& bench, const Mmad& op, const Reading& reading = {},
                            const SetCtrl& ctrl = {}, std::uint64_t seed = 1) {
        const Images images = random_images(op, seed);
        EXPECT_EQ(run(bench, op, ctrl, images), expected(op, images, reading)) << disassemble(op);
    }

    static Mmad typed(DataType type, std::int64_t m, std::int64_t n, std::int64_t k,
                      MmadInit init = MmadInit::zero) {
        Mmad op = mmad(m, n, k, init);
        op.ab_type = type;
        return op;
    }

    static BenchOptions arch_3510() {
        BenchOptions options;
        options.overrides = {"arch=3510", "engines.cube.l0a_layout=Nz",
                             "numerics.hf32_fraction_bits=10"};
        return options;
    }
};

TEST_F(CubeTypes, EveryTypeOfArch2201) {
    CoreBench bench;
    for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float32,
                                DataType::int8, DataType::int4}) {
        for (const MmadInit init : {MmadInit::zero, MmadInit::l0c, MmadInit::bias}) {
            if (type == DataType::int4 && init == MmadInit::bias) continue;
            expect_mmad(bench, typed(type, 33, 50, 70, init));
            expect_mmad(bench, typed(type, 1, 50, 130, init)); // A is a vector
        }
    }
}

TEST_F(CubeTypes, KDirectionAlignSkipsAFractal) {
    CoreBench bench;
    Mmad op = typed(DataType::float32, 40, 20, 36);
    op.k_direction_align = true;
    expect_mmad(bench, op);
}

TEST_F(CubeTypes, Hf32RoundsTheOperands) {
    CoreBench bench;
    SetCtrl ctrl;
    ctrl.hf32 = true;
    const Mmad op = typed(DataType::float32, 20, 30, 50, MmadInit::bias);
    expect_mmad(bench, op, {false, 11, Rounding::nearest_even, false}, ctrl);
    ctrl.hf32_trans = true;
    expect_mmad(bench, op, {false, 11, Rounding::nearest_away, false}, ctrl);
    expect_mmad(bench, typed(DataType::float16, 20, 30, 50), {}, ctrl); // other types stay
}

TEST_F(CubeTypes, Hf32CutsOffWhereThePlatformSaysSo) {
    BenchOptions options;
    options.overrides = {"numerics.hf32_trans_rounding=trunc"};
    CoreBench bench(options);
    SetCtrl ctrl;
    ctrl.hf32 = ctrl.hf32_trans = true;
    expect_mmad(bench, typed(DataType::float32, 20, 30, 50), {false, 11, Rounding::trunc, false},
                ctrl);
}

// The panel of an operand is decoded anew when the mode changes and its bytes do not.
TEST_F(CubeTypes, Hf32SwitchesBetweenTwoMmads) {
    CoreBench bench;
    Mmad op = typed(DataType::float32, 16, 16, 8);
    const Images images = random_images(op, 5);
    SetCtrl on, off;
    on.hf32 = true;
    off.hf32 = false;
    bench.reset();
    bench.poke(Buffer::L0A, 0, images.a);
    bench.poke(Buffer::L0B, 0, images.b);
    Mmad second = op, third = op;
    second.c_addr = 1024;
    third.c_addr = 2048;
    ProgramList program{op, on, second, off, third};
    bench.run(program);
    const Reading rounded{false, 11, Rounding::nearest_even, false};
    const auto first_kb = [](ByteVector bytes) {
        bytes.resize(1024);
        return bytes;
    };
    EXPECT_EQ(bench.peek(Buffer::L0C, 0, 1024), first_kb(expected(op, images, {})));
    EXPECT_EQ(bench.peek(Buffer::L0C, 1024, 1024), first_kb(expected(op, images, rounded)));
    EXPECT_EQ(bench.peek(Buffer::L0C, 2048, 1024), bench.peek(Buffer::L0C, 0, 1024));
}

TEST_F(CubeTypes, SparseB) {
    CoreBench bench;
    for (const MmadInit init : {MmadInit::zero, MmadInit::l0c, MmadInit::bias}) {
        Mmad op = typed(DataType::int8, 33, 50, 150, init);
        op.sparse = true;
        expect_mmad(bench, op);
        op.m = 1; // no vector
        op.k = 61;
        op.b_addr = 0;
        expect_mmad(bench, op);
    }
}

TEST_F(CubeTypes, IntegersWrapOrSaturate) {
    CoreBench bench;
    SetCtrl saturate;
    saturate.integer_overflow = IntegerOverflow::saturate;
    for (const DataType type : {DataType::int8, DataType::int4}) {
        // Random accumulators lie all over int32, and some of them near its ends.
        const Mmad op = typed(type, 64, 64, 640, MmadInit::l0c);
        Images images = random_images(op, 9);
        for (std::size_t i = 0; i < 512; ++i) {
            const std::uint32_t near = i % 2 == 0 ? 0x7FFFFFF0u : 0x80000010u;
            std::memcpy(&images.c[i * 4], &near, 4);
        }
        const ByteVector wrapped = run(bench, op, {}, images);
        const ByteVector saturated = run(bench, op, saturate, images);
        EXPECT_EQ(wrapped, expected(op, images, {}));
        EXPECT_EQ(saturated, expected(op, images, {false, 0, Rounding::nearest_even, true}));
        EXPECT_NE(wrapped, saturated);
    }
}

TEST_F(CubeTypes, EveryTypeOfArch3510) {
    CoreBench bench(arch_3510());
    const Reading nz{true, 0, Rounding::nearest_even, false};
    SetCtrl hifloat8;
    hifloat8.hifloat8 = true;
    for (const DataType type :
         {DataType::float16, DataType::bfloat16, DataType::float32, DataType::int8,
          DataType::fp8_e4m3, DataType::fp8_e5m2, DataType::hifloat8}) {
        const SetCtrl ctrl = type == DataType::hifloat8 ? hifloat8 : SetCtrl{};
        expect_mmad(bench, typed(type, 40, 50, 70, MmadInit::bias), nz, ctrl);
        expect_mmad(bench, typed(type, 1, 50, 70), nz, ctrl);
        Mmad op = typed(type, 1, 50, 70);
        op.disable_gemv = true;
        expect_mmad(bench, op, nz, ctrl);
    }
    for (const auto& [a, b] : {std::pair(DataType::fp8_e4m3, DataType::fp8_e5m2),
                               std::pair(DataType::fp8_e5m2, DataType::fp8_e4m3)}) {
        Mmad op = typed(a, 40, 50, 70);
        op.b_type = b;
        expect_mmad(bench, op, nz);
    }
    SetCtrl hf32;
    hf32.hf32 = true;
    expect_mmad(bench, typed(DataType::float32, 40, 50, 70),
                {true, 10, Rounding::nearest_even, false}, hf32);
}

// A step of float32 adds 4 products, so that the readings of its order differ.
class CubeSummation : public CubeTypes {
protected:
    static float sum_of_2p24_and_three_ones(const std::string& summation) {
        const Mmad op = typed(DataType::float32, 1, 16, 4);
        Images images = random_images(op, 1);
        const float a[4] = {0x1p24f, 1.0f, 1.0f, 1.0f};
        std::memcpy(images.a.data(), a, sizeof a);
        const ByteVector ones = float32s(128, 1.0f);
        std::copy(ones.begin(), ones.end(), images.b.begin());
        BenchOptions options;
        options.overrides = {"engines.cube.summation=" + summation};
        CoreBench bench(options);
        float first = 0;
        std::memcpy(&first, run(bench, op, {}, images).data(), 4);
        return first;
    }
};

TEST_F(CubeSummation, Sequential) { EXPECT_EQ(sum_of_2p24_and_three_ones("sequential"), 0x1p24f); }
TEST_F(CubeSummation, Pairwise) { EXPECT_EQ(sum_of_2p24_and_three_ones("pairwise"), 0x1p24f + 2); }
TEST_F(CubeSummation, Exact) { EXPECT_EQ(sum_of_2p24_and_three_ones("exact"), 0x1p24f + 4); }
TEST_F(CubeSummation, ExactThenAdd) {
    EXPECT_EQ(sum_of_2p24_and_three_ones("exact_then_add"), 0x1p24f + 4);
}

} // namespace
} // namespace aicore::test
