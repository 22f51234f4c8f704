#include "hw/numerics/block_mmad.h"

#include "hw/numerics/simd_setup.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hw/numerics/block_mmad.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aicore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kColumns = 16;

using FloatWords = hn::CappedTag<float, kColumns>;
using IntWords = hn::RebindToSigned<FloatWords>;
using Floats = hn::Vec<FloatWords>;
using Ints = hn::Vec<IntWords>;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(FloatWords()));
// Accumulators must fit the register file (32 registers with AVX-512, 16 before) and be enough to
// hide the latency of the additions.
constexpr int kVectors = std::min(kColumns / kLanes, 4);
constexpr int kPassRows = kLanes == 16 ? 16 : kLanes == 8 ? 6 : 3;

// The arithmetic of one step along K; operand_panel.h describes the words.

// The product of two float16 or 8-bit values is exact in float32, so fusing changes nothing.
template <DataType kType>
struct ExactStep {
    using D = FloatWords;
    static constexpr int kSteps = steps_per_fractal(kType);
    static constexpr int kElements = 1;
    static HWY_INLINE Floats add(Floats sum, Floats a, Floats b) {
#if HWY_NATIVE_FMA
        return hn::MulAdd(a, b, sum);
#else
        return hn::Add(sum, hn::Mul(a, b));
#endif
    }
};

// Products of the other types are rounded before they are added. The library writes Add and Mul as
// plain operators: only -ffp-contract=off, which every target of this project has, keeps them
// apart.
template <DataType kType>
struct RoundedStep {
    using D = FloatWords;
    static constexpr int kSteps = steps_per_fractal(kType);
    static constexpr int kElements = 1;
    static HWY_INLINE Floats add(Floats sum, Floats a, Floats b) {
        return hn::Add(sum, hn::Mul(a, b));
    }
};

template <DataType kType>
struct IntegerStep {
    using D = IntWords;
    static constexpr int kSteps = steps_per_fractal(kType);
    static constexpr int kElements = 2;
    static HWY_INLINE Ints add(Ints sum, Ints a, Ints b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
        const hn::Repartition<std::int16_t, IntWords> d16;
        Ints unused = hn::Zero(IntWords());
        return hn::ReorderWidenMulAccumulate(IntWords(), hn::BitCast(d16, a), hn::BitCast(d16, b),
                                             sum, unused);
#else
        // Elsewhere the library may add other lanes than the two halves of a word.
        const auto even = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)),
                                  hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
        const auto odd = hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b));
        return hn::Add(sum, hn::Add(even, odd));
#endif
    }
};

template <class Step>
using WordOf = hn::TFromD<typename Step::D>;

// A word may have been stored as two int16: read it as bytes.
template <class Step>
HWY_INLINE WordOf<Step> load_word(const std::uint8_t* bytes) {
    WordOf<Step> word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The first of the two integers of a word alone, for the last element of an odd K.
HWY_INLINE std::int32_t load_first_half(const std::uint8_t* bytes) {
    std::uint16_t half;
    std::memcpy(&half, bytes, sizeof half);
    return half;
}

/// `kRows` rows of C stay in registers while K passes by.
template <class Step, int kRows>
void accumulate_rows(const void* a, const void* b, int k_valid, void* c) {
    using D = typename Step::D;
    using V = hn::Vec<D>;
    using Word = WordOf<Step>;
    const D d;
    constexpr int kSteps = Step::kSteps;
    for (int column = 0; column < kColumns; column += kLanes * kVectors) {
        auto* const out = static_cast<Word*>(c) + column;
        V sum[kRows][kVectors];
        for (int r = 0; r < kRows; ++r) {
            for (int v = 0; v < kVectors; ++v) {
                sum[r][v] = hn::LoadU(d, out + r * kColumns + v * kLanes);
            }
        }
        const auto* words_a = static_cast<const std::uint8_t*>(a);
        const auto* line_b = static_cast<const Word*>(b) + column;
        int left = k_valid / Step::kElements;
        for (;;) {
            const int here = std::min(left, kSteps);
            for (int s = 0; s < here; ++s) {
                V line[kVectors];
                for (int v = 0; v < kVectors; ++v) line[v] = hn::LoadU(d, line_b + v * kLanes);
                for (int r = 0; r < kRows; ++r) {
                    const V factor = hn::Set(d, load_word<Step>(words_a + 4 * (r * kSteps + s)));
                    for (int v = 0; v < kVectors; ++v) {
                        sum[r][v] = Step::add(sum[r][v], factor, line[v]);
                    }
                }
                line_b += kColumns;
            }
            left -= here;
            if (left == 0) break;
            words_a += 4 * kFractalRows * kSteps;
        }
        if constexpr (Step::kElements == 2) {
            if (k_valid % 2 != 0) {
                const int last = k_valid / 2;
                const auto* const word_a =
                    static_cast<const std::uint8_t*>(a) +
                    4 * (last / kSteps * kFractalRows * kSteps + last % kSteps);
                for (int r = 0; r < kRows; ++r) {
                    const V factor = hn::Set(d, load_first_half(word_a + 4 * r * kSteps));
                    for (int v = 0; v < kVectors; ++v) {
                        const V line = hn::LoadU(d, line_b + v * kLanes);
                        sum[r][v] = Step::add(sum[r][v], factor, line);
                    }
                }
            }
        }
        for (int r = 0; r < kRows; ++r) {
            for (int v = 0; v < kVectors; ++v) {
                hn::StoreU(sum[r][v], d, out + r * kColumns + v * kLanes);
            }
        }
    }
}

template <class Step, int... kIndices>
HWY_INLINE void accumulate_block(const void* a, const void* b, int k_valid, int rows, void* c,
                                 std::integer_sequence<int, kIndices...>) {
    using Kernel = void (*)(const void*, const void*, int, void*);
    static constexpr Kernel kKernels[] = {&accumulate_rows<Step, kIndices + 1>...};
    for (int row = 0; row < rows; row += kPassRows) {
        const Kernel kernel = kKernels[std::min(rows - row, kPassRows) - 1];
        kernel(static_cast<const std::uint8_t*>(a) + 4 * row * Step::kSteps, b, k_valid,
               static_cast<std::uint8_t*>(c) + 4 * row * kColumns);
    }
}

void accumulate(DataType type, const void* a, const void* b, int k_valid, int rows, void* c) {
    constexpr std::make_integer_sequence<int, kPassRows> kPasses;
    switch (type) {
    case DataType::float16:
        accumulate_block<ExactStep<DataType::float16>>(a, b, k_valid, rows, c, kPasses);
        return;
    case DataType::bfloat16:
        accumulate_block<RoundedStep<DataType::bfloat16>>(a, b, k_valid, rows, c, kPasses);
        return;
    case DataType::float32:
        accumulate_block<RoundedStep<DataType::float32>>(a, b, k_valid, rows, c, kPasses);
        return;
    case DataType::int8:
        accumulate_block<IntegerStep<DataType::int8>>(a, b, k_valid, rows, c, kPasses);
        return;
    case DataType::int4:
        accumulate_block<IntegerStep<DataType::int4>>(a, b, k_valid, rows, c, kPasses);
        return;
    case DataType::fp8_e4m3:
    case DataType::fp8_e5m2:
    case DataType::hifloat8:
        accumulate_block<ExactStep<DataType::fp8_e4m3>>(a, b, k_valid, rows, c, kPasses);
        return;
    default: break;
    }
    throw std::invalid_argument("no operand of the cube has this type");
}

} // namespace HWY_NAMESPACE
} // namespace aicore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aicore {

HWY_EXPORT(accumulate);

void multiply_accumulate(DataType type, const void* a, const void* b, int k_valid, int rows,
                         void* c) {
    HWY_DYNAMIC_DISPATCH(accumulate)(type, a, b, k_valid, rows, c);
}

} // namespace aicore
#endif
