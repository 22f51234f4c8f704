#include "tb/workload/gemm_reference.h"

#include "hw/numerics/element.h"
#include "tb/program/random_word.h"
#include "tb/workload/reference_operand.h"
#include "tb/workload/reference_quant.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <type_traits>

// The sums of different columns are independent, so that wider vectors give the same bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define AICORE_VECTOR_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define AICORE_VECTOR_CLONES
#endif

namespace aicore::tb {
namespace {

constexpr std::int64_t kBlockN = 512; // columns: a row of sums stays in the first-level cache
constexpr std::int64_t kBlockK = 256; // with kBlockN: half a megabyte of B, second-level cache

template <typename T>
void put(std::vector<std::uint8_t>& bytes, std::int64_t index, T value) {
    std::memcpy(bytes.data() + static_cast<std::size_t>(index) * sizeof(T), &value, sizeof(T));
}

// sums[j] += a[0] * b[0][j] + ... in this order, `b` rows apart by `pitch`.
AICORE_VECTOR_CLONES
void accumulate(const float* a, const float* b, std::int64_t pitch, std::int64_t rows,
                std::int64_t columns, float* __restrict__ sums) {
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const float a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3];
        const float *b0 = b + i * pitch, *b1 = b0 + pitch, *b2 = b1 + pitch, *b3 = b2 + pitch;
        for (std::int64_t j = 0; j < columns; ++j) {
            float sum = sums[j] + a0 * b0[j];
            sum += a1 * b1[j];
            sum += a2 * b2[j];
            sums[j] = sum + a3 * b3[j];
        }
    }
    for (; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) sums[j] += a[i] * b[i * pitch + j];
}

AICORE_VECTOR_CLONES
void accumulate(const std::uint32_t* a, const std::uint32_t* b, std::int64_t pitch,
                std::int64_t rows, std::int64_t columns, std::uint32_t* __restrict__ sums) {
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const std::uint32_t a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3];
        const std::uint32_t *b0 = b + i * pitch, *b1 = b0 + pitch, *b2 = b1 + pitch,
                            *b3 = b2 + pitch;
        for (std::int64_t j = 0; j < columns; ++j)
            sums[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
    for (; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) sums[j] += a[i] * b[i * pitch + j];
}

/// Rows [first_row, last_row) of the sums.
template <typename A, typename B, typename Sum>
void multiply_rows(const ReferenceGemm& gemm, const std::vector<std::uint8_t>& a,
                   const std::vector<std::uint8_t>& b, std::int64_t first_row,
                   std::int64_t last_row, std::vector<Sum>& sums) {
    std::vector<Sum> b_block(static_cast<std::size_t>(kBlockK * kBlockN));
    std::vector<Sum> a_row(static_cast<std::size_t>(kBlockK));
    for (std::int64_t n0 = 0; n0 < gemm.n; n0 += kBlockN) {
        const std::int64_t n = std::min(kBlockN, gemm.n - n0);
        for (std::int64_t k0 = 0; k0 < gemm.k; k0 += kBlockK) {
            const std::int64_t k = std::min(kBlockK, gemm.k - k0);
            for (std::int64_t i = 0; i < k; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    const std::int64_t index =
                        gemm.b_transposed ? (n0 + j) * gemm.k + k0 + i : (k0 + i) * gemm.n + n0 + j;
                    b_block[static_cast<std::size_t>(i * kBlockN + j)] =
                        operand<B>(b, index, gemm.hf32_fraction_bits);
                }
            for (std::int64_t row = first_row; row < last_row; ++row) {
                for (std::int64_t i = 0; i < k; ++i)
                    a_row[static_cast<std::size_t>(i)] =
                        operand<A>(a, row * gemm.k + k0 + i, gemm.hf32_fraction_bits);
                accumulate(a_row.data(), b_block.data(), kBlockN, k, n,
                           sums.data() + row * gemm.n + n0);
            }
        }
    }
}

template <typename A, typename B>
std::vector<SumOf<A>> multiply(const ReferenceGemm& gemm, const std::vector<std::uint8_t>& a,
                               const std::vector<std::uint8_t>& b, int threads,
                               const std::vector<std::uint8_t>& bias) {
    std::vector<SumOf<A>> sums(static_cast<std::size_t>(gemm.m * gemm.n));
    if (!bias.empty()) {
        for (std::int64_t i = 0; i < gemm.m; ++i)
            std::memcpy(sums.data() + i * gemm.n, bias.data(), bias.size());
    }
    const std::int64_t parts = std::clamp<std::int64_t>(threads, 1, gemm.m);
    const auto work = [&](std::int64_t part) {
        multiply_rows<A, B>(gemm, a, b, gemm.m * part / parts, gemm.m * (part + 1) / parts, sums);
    };
    std::vector<std::thread> others;
    for (std::int64_t part = 1; part < parts; ++part) others.emplace_back(work, part);
    work(0);
    for (std::thread& other : others) other.join();
    return sums;
}

template <typename Out>
std::vector<std::uint8_t> finish(const std::vector<float>& sums, bool relu) {
    std::vector<std::uint8_t> out(sums.size() * sizeof(Out));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const float value = relu && sums[i] <= 0 ? 0.0F : sums[i]; // -0 becomes +0
        put(out, static_cast<std::int64_t>(i), static_cast<Out>(value));
    }
    return out;
}

std::vector<std::uint8_t> finish(const std::vector<std::uint32_t>& sums, bool relu) {
    std::vector<std::uint8_t> out(sums.size() * sizeof(std::int32_t));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const bool negative = (sums[i] >> 31) != 0;
        put(out, static_cast<std::int64_t>(i), relu && negative ? 0U : sums[i]);
    }
    return out;
}

std::vector<float> as_floats(const std::vector<float>& sums) { return sums; }

std::vector<float> as_floats(const std::vector<std::uint32_t>& sums) {
    std::vector<float> floats;
    for (const std::uint32_t sum : sums)
        floats.push_back(static_cast<float>(static_cast<std::int32_t>(sum)));
    return floats;
}

template <typename A, typename B = A>
std::vector<std::uint8_t> run(const ReferenceGemm& gemm, const std::vector<std::uint8_t>& a,
                              const std::vector<std::uint8_t>& b, int threads,
                              const std::vector<std::uint8_t>& bias) {
    const auto sums = multiply<A, B>(gemm, a, b, threads, bias);
    if (!gemm.quant.empty())
        return quantise_sums(as_floats(sums), gemm.n, gemm.quant, gemm.relu, gemm.out_dtype);
    if constexpr (std::is_same_v<SumOf<A>, std::uint32_t>) {
        if (gemm.out_dtype == DataType::int32) return finish(sums, gemm.relu);
    } else {
        switch (gemm.out_dtype) {
        case DataType::float32: return finish<float>(sums, gemm.relu);
        case DataType::float16: return finish<Eigen::half>(sums, gemm.relu);
        case DataType::bfloat16: return finish<Eigen::bfloat16>(sums, gemm.relu);
        default: break;
        }
    }
    throw std::invalid_argument("reference gemm: out_dtype does not go with dtype");
}

bool same_bits(std::size_t bits, const std::vector<std::uint8_t>& x,
               const std::vector<std::uint8_t>& y, std::size_t index) {
    const std::size_t at = index * bits / 8;
    if (bits >= 8) return std::memcmp(x.data() + at, y.data() + at, bits / 8) == 0;
    const int nibble = index % 2 == 0 ? 0x0F : 0xF0;
    return ((x[at] ^ y[at]) & nibble) == 0;
}

} // namespace

std::vector<std::uint8_t> reference_gemm(const ReferenceGemm& gemm,
                                         const std::vector<std::uint8_t>& a,
                                         const std::vector<std::uint8_t>& b, int threads,
                                         const std::vector<std::uint8_t>& bias) {
    const DataType b_dtype = gemm.b_dtype.value_or(gemm.dtype);
    const auto bytes = [](std::int64_t rows, std::int64_t columns, DataType type) {
        return static_cast<std::size_t>((rows * columns * bits_of(type) + 7) / 8);
    };
    if (gemm.m < 1 || gemm.n < 1 || gemm.k < 1 || a.size() != bytes(gemm.m, gemm.k, gemm.dtype) ||
        b.size() != bytes(gemm.k, gemm.n, b_dtype))
        throw std::invalid_argument("reference gemm: sizes of the inputs don't match m, n and k");
    if (!bias.empty() && bias.size() != static_cast<std::size_t>(gemm.n) * sizeof(float))
        throw std::invalid_argument("reference gemm: size of the bias doesn't match n");
    if (gemm.hf32_fraction_bits < 0 || gemm.hf32_fraction_bits > 22 ||
        (gemm.hf32_fraction_bits > 0 && gemm.dtype != DataType::float32))
        throw std::invalid_argument("reference gemm: HF32 keeps 1..22 fraction bits of float32");
    if (gemm.dtype == DataType::fp8_e4m3 && b_dtype == DataType::fp8_e5m2)
        return run<E4m3, E5m2>(gemm, a, b, threads, bias);
    if (gemm.dtype == DataType::fp8_e5m2 && b_dtype == DataType::fp8_e4m3)
        return run<E5m2, E4m3>(gemm, a, b, threads, bias);
    if (b_dtype != gemm.dtype)
        throw std::invalid_argument("reference gemm: A and B have different types");
    switch (gemm.dtype) {
    case DataType::float16: return run<Eigen::half>(gemm, a, b, threads, bias);
    case DataType::bfloat16: return run<Eigen::bfloat16>(gemm, a, b, threads, bias);
    case DataType::float32: return run<float>(gemm, a, b, threads, bias);
    case DataType::int8: return run<std::int8_t>(gemm, a, b, threads, bias);
    case DataType::int4: return run<Int4>(gemm, a, b, threads, bias);
    case DataType::fp8_e4m3: return run<E4m3>(gemm, a, b, threads, bias);
    case DataType::fp8_e5m2: return run<E5m2>(gemm, a, b, threads, bias);
    case DataType::hifloat8: return run<Hif8>(gemm, a, b, threads, bias);
    default: break;
    }
    throw std::invalid_argument("reference gemm: A has no type of an input");
}

CompareResult compare_elements(DataType type, const std::vector<std::uint8_t>& actual,
                               const std::vector<std::uint8_t>& expected) {
    const auto bits = static_cast<std::size_t>(bits_of(type));
    if (actual.size() != expected.size() || actual.size() * 8 % bits != 0)
        throw std::invalid_argument("compare: sizes differ or are no whole number of elements");
    CompareResult result;
    result.checked = static_cast<std::int64_t>(actual.size() * 8 / bits);
    for (std::int64_t i = 0; i < result.checked; ++i) {
        if (same_bits(bits, actual, expected, static_cast<std::size_t>(i))) continue;
        const double x = element_value(type, actual.data(), i);
        const double y = element_value(type, expected.data(), i);
        if (std::isnan(x) && std::isnan(y)) continue;
        if (result.mismatches++ == 0) result.first_mismatch = i;
        const double error = std::fabs(x - y);
        result.max_abs_error =
            std::max(result.max_abs_error,
                     std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    }
    return result;
}

void fill_random(DataType type, std::uint64_t seed, std::vector<std::uint8_t>& bytes) {
    const auto count = static_cast<std::int64_t>(bytes.size()) * 8 / bits_of(type);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t word = random_word(seed, static_cast<std::uint64_t>(i));
        const float unit = static_cast<float>(word >> 40) * 0x1p-23F - 1.0F;
        switch (type) {
        case DataType::float16: put(bytes, i, static_cast<Eigen::half>(unit)); break;
        case DataType::bfloat16: put(bytes, i, static_cast<Eigen::bfloat16>(unit)); break;
        case DataType::float32: put(bytes, i, unit); break;
        case DataType::int8:
        case DataType::uint8: put(bytes, i, static_cast<std::uint8_t>(word >> 56)); break;
        case DataType::int16:
        case DataType::uint16: put(bytes, i, static_cast<std::uint16_t>(word >> 48)); break;
        case DataType::int32:
        case DataType::uint32: put(bytes, i, static_cast<std::uint32_t>(word >> 32)); break;
        case DataType::int64: put(bytes, i, word); break;
        case DataType::int4: // of 16 values
            store_element(type, static_cast<double>(word >> 60) - 8, bytes.data(), i);
            break;
        case DataType::fp8_e4m3:
        case DataType::fp8_e5m2:
        case DataType::hifloat8:
            store_element(type, static_cast<double>(unit), bytes.data(), i);
            break;
        }
    }
}

} // namespace aicore::tb
