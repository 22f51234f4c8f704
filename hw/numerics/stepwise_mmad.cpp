#include "hw/numerics/stepwise_mmad.h"

#include "hw/numerics/exact_sum.h"
#include "hw/numerics/operand_panel.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace aicore {
namespace {

/// The factors of one step of one output element; `count` of them are valid.
struct Step {
    const std::vector<float>& a;
    const std::vector<float>& b;
    std::size_t count;
};

float add_pairwise(const Step& step, float sum, std::vector<float>& tree) {
    tree.assign(step.a.size(), 0.0f);
    for (std::size_t i = 0; i < step.count; ++i) tree[i] = step.a[i] * step.b[i];
    for (std::size_t width = tree.size(); width > 1; width = (width + 1) / 2) {
        for (std::size_t i = 0; i < width / 2; ++i) tree[i] = tree[2 * i] + tree[2 * i + 1];
        if (width % 2 != 0) tree[width / 2] = tree[width - 1];
    }
    return sum + tree[0];
}

float add_exact(const Step& step, float sum, bool round_products) {
    ExactSum exact;
    for (std::size_t i = 0; i < step.count; ++i) exact.add_product(step.a[i], step.b[i]);
    if (round_products) return sum + exact.round();
    exact.add(sum);
    return exact.round();
}

} // namespace

void multiply_accumulate_stepwise(Summation summation, DataType type, const void* a, const void* b,
                                  int step, int k_valid, int rows, float* c) {
    if (is_integer(type) || size_of(type) > 4) {
        throw std::invalid_argument("no float operand of the cube has this type");
    }
    if (summation == Summation::sequential || step < 1) {
        throw std::invalid_argument("stepwise sums need a step, and are never sequential");
    }
    const int steps = steps_per_fractal(type); // K elements of a fractal
    const auto* const words_a = static_cast<const float*>(a);
    const auto* const words_b = static_cast<const float*>(b);
    std::vector<float> row(static_cast<std::size_t>(step)), column(row.size()), tree;
    for (int k0 = 0; k0 < k_valid; k0 += step) {
        const int count = std::min(step, k_valid - k0);
        for (int m = 0; m < rows; ++m) {
            for (int n = 0; n < kFractalRows; ++n) {
                for (int i = 0; i < count; ++i) {
                    const int fractal = (k0 + i) / steps, k = (k0 + i) % steps;
                    const auto at = static_cast<std::size_t>(i);
                    row[at] = words_a[(fractal * kFractalRows + m) * steps + k];
                    column[at] = words_b[(fractal * steps + k) * kFractalRows + n];
                }
                const Step factors{row, column, static_cast<std::size_t>(count)};
                float& sum = c[m * kFractalRows + n];
                sum = summation == Summation::pairwise
                          ? add_pairwise(factors, sum, tree)
                          : add_exact(factors, sum, summation == Summation::exact_then_add);
            }
        }
    }
}

} // namespace aicore
