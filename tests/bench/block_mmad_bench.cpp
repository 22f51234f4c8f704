// Speed of the cube's arithmetic and of the work around it, one core. MAC/s counts the
// multiply-accumulates of the valid rows; 16 columns are always computed.
#include "hw/numerics/block_mmad.h"
#include "hw/numerics/convert.h"
#include "hw/numerics/fractal.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <random>

namespace {

using namespace aicore;

constexpr int kK = 64;
constexpr int kBlocks = 8; // output blocks that take turns, as in a tile

struct Operands {
    explicit Operands(DataType type) : k_fractals(kK / c0_of(type)) {
        std::mt19937 random(1);
        const auto values = static_cast<std::size_t>(k_fractals * kFractalBytes / size_of(type));
        for (std::size_t i = 0; i < values; ++i) {
            const float value = std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
            const std::uint16_t half = type == DataType::float16
                                           ? f32_to_f16(value, FloatOverflow::inf_nan)
                                           : f32_to_bf16(value, FloatOverflow::inf_nan);
            const auto byte = static_cast<std::int8_t>(value * 127.0f);
            const void* const source = size_of(type) == 4   ? static_cast<const void*>(&value)
                                       : size_of(type) == 2 ? static_cast<const void*>(&half)
                                                            : static_cast<const void*>(&byte);
            const auto size = static_cast<std::size_t>(size_of(type));
            std::memcpy(raw + i * size, source, size);
        }
    }

    int k_fractals;
    alignas(64) std::uint8_t raw[8 * kFractalBytes] = {};
    alignas(64) std::uint8_t a[8 * kL0cFractalBytes] = {};
    alignas(64) std::uint8_t b[8 * kL0cFractalBytes] = {};
    alignas(64) std::uint8_t c[kBlocks][kL0cFractalBytes] = {};
};

void multiply(benchmark::State& state, DataType type) {
    Operands operands(type);
    decode_a(type, operands.raw, operands.k_fractals, operands.a);
    decode_b(type, operands.raw, operands.k_fractals, operands.b);
    const int rows = static_cast<int>(state.range(0));
    int block = 0;
    for (auto _ : state) {
        multiply_accumulate(type, operands.a, operands.b, kK, rows, operands.c[block]);
        block = (block + 1) % kBlocks;
        benchmark::ClobberMemory();
    }
    const double macs = static_cast<double>(state.iterations()) * 16.0 * rows * kK;
    state.counters["MAC/s"] = benchmark::Counter(macs, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(multiply, float16, DataType::float16)->Arg(16)->Arg(7)->Arg(1);
BENCHMARK_CAPTURE(multiply, bfloat16, DataType::bfloat16)->Arg(16)->Arg(7)->Arg(1);
BENCHMARK_CAPTURE(multiply, float32, DataType::float32)->Arg(16)->Arg(7)->Arg(1);
BENCHMARK_CAPTURE(multiply, int8, DataType::int8)->Arg(16)->Arg(7)->Arg(1);

void decode(benchmark::State& state, DataType type) {
    Operands operands(type);
    for (auto _ : state) {
        decode_a(type, operands.raw, operands.k_fractals, operands.a);
        decode_b(type, operands.raw, operands.k_fractals, operands.b);
        benchmark::ClobberMemory();
    }
}
BENCHMARK_CAPTURE(decode, float16, DataType::float16);
BENCHMARK_CAPTURE(decode, bfloat16, DataType::bfloat16);
BENCHMARK_CAPTURE(decode, float32, DataType::float32);
BENCHMARK_CAPTURE(decode, int8, DataType::int8);

void finish(benchmark::State& state, FloatOverflow overflow) {
    alignas(64) float words[256] = {};
    for (auto _ : state) {
        finish_block(words, 256, overflow);
        benchmark::ClobberMemory();
    }
}
BENCHMARK_CAPTURE(finish, inf_nan, FloatOverflow::inf_nan);
BENCHMARK_CAPTURE(finish, saturate, FloatOverflow::saturate);

void convert_fractal(benchmark::State& state) {
    alignas(64) float words[256] = {};
    alignas(64) std::uint16_t halves[256] = {};
    for (auto _ : state) {
        convert_f32_to_f16(words, 256, FloatOverflow::saturate, halves);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(convert_fractal);

void transpose_fractal(benchmark::State& state) {
    Operands operands(DataType::float16);
    for (auto _ : state) {
        transpose_fractal_b16(operands.raw, operands.a);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(transpose_fractal);

} // namespace
