#include "tests/bench/gemm_arithmetic.h"

#include "hw/isa/fractal_order.h"
#include "hw/numerics/block_mmad.h"
#include "hw/numerics/convert.h"
#include "tb/workload/gemm_source.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace aicore::bench {

namespace {

constexpr DataType kType = DataType::float16;
constexpr std::int64_t kLine = 64;
constexpr std::int64_t kFractalLines = kFractalBytes / kLine;
constexpr std::int64_t kBlockLines = kL0cFractalBytes / kLine;

std::int64_t fractals_of(std::int64_t elements) { return ceil_div(elements, kFractalRows); }

std::size_t panel_lines(int k_fractals) {
    return decoded_panel_bytes(kType, k_fractals) / static_cast<std::size_t>(kLine);
}

} // namespace

GemmArithmetic::GemmArithmetic(const tb::GemmPlan& plan, const std::vector<std::uint8_t>& a,
                               const std::vector<std::uint8_t>& b)
    : plan_(plan), k_fractals_(fractals_of(plan.spec.k)) {
    const tb::GemmSpec& spec = plan.spec;
    if (spec.dtype != kType || plan.b_transposed) throw std::invalid_argument("not a float16 plan");
    list_products();

    const auto lines = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    a_.resize(lines(fractals_of(spec.m) * k_fractals_ * kFractalLines));
    b_.resize(lines(fractals_of(spec.n) * k_fractals_ * kFractalLines));
    c_.resize(lines(plan.m_tiles() * plan.n_tiles() * fractals_of(plan.tile_m) *
                    fractals_of(plan.tile_n) * kBlockLines));
    std::size_t decoded_a = 0, decoded_b = 0;
    for (const Product& product : products_) {
        const std::size_t panel = panel_lines(product.shape.k1);
        decoded_a = std::max(decoded_a, static_cast<std::size_t>(product.shape.m1) * panel);
        decoded_b = std::max(decoded_b, static_cast<std::size_t>(product.shape.n1) * panel);
    }
    decoded_a_.resize(decoded_a);
    decoded_b_.resize(decoded_b);

    const auto put = [this](Lines& to, std::int64_t row, std::int64_t k, const std::uint8_t* from) {
        const auto place =
            static_cast<std::size_t>(row % kFractalRows * kFractalRows + k % kFractalRows) * 2;
        std::memcpy(to[fractal_line(row, k)].bytes + place, from, 2);
    };
    for (std::int64_t m = 0; m < spec.m; ++m)
        for (std::int64_t k = 0; k < spec.k; ++k) put(a_, m, k, a.data() + (m * spec.k + k) * 2);
    for (std::int64_t k = 0; k < spec.k; ++k)
        for (std::int64_t n = 0; n < spec.n; ++n) put(b_, n, k, b.data() + (k * spec.n + n) * 2);
}

void GemmArithmetic::list_products() {
    tb::GemmSource source(plan_);
    Instruction instruction;
    Product next;
    while (source.next(instruction)) {
        const auto* mmad = std::get_if<Mmad>(&instruction.operation);
        if (mmad == nullptr) continue;
        next.mmad = *mmad;
        next.shape = mmad_shape(*mmad);
        if (next.shape.gemv) throw std::invalid_argument("a matrix-vector product");
        products_.push_back(next);
        next.k0 += mmad->k;
        if (next.k0 < plan_.spec.k) continue;
        next.k0 = 0;
        next.n0 += mmad->n;
        if (next.n0 < plan_.spec.n) continue;
        next.n0 = 0;
        next.m0 += mmad->m;
    }
}

std::size_t GemmArithmetic::fractal_line(std::int64_t row, std::int64_t k) const {
    const std::int64_t fractal = row / kFractalRows * k_fractals_ + k / kFractalRows;
    return static_cast<std::size_t>(fractal * kFractalLines);
}

std::size_t GemmArithmetic::block_line(std::int64_t m, std::int64_t n) const {
    const std::int64_t tile = m / plan_.tile_m * plan_.n_tiles() + n / plan_.tile_n;
    const std::int64_t row = m % plan_.tile_m / kFractalRows;
    const std::int64_t column = n % plan_.tile_n / kFractalRows;
    const std::int64_t rows = fractals_of(plan_.tile_m);
    const std::int64_t block = (tile * fractals_of(plan_.tile_n) + column) * rows + row;
    return static_cast<std::size_t>(block * kBlockLines);
}

void GemmArithmetic::run() {
    for (const Product& product : products_) multiply(product);
}

void GemmArithmetic::multiply(const Product& product) {
    const auto& [m1, n1, k1, k1_stride, b_k1, gemv] = product.shape;
    const std::size_t panel = panel_lines(k1);
    for (int mi = 0; mi < m1; ++mi) {
        const std::size_t from =
            fractal_line(product.m0 + std::int64_t{mi} * kFractalRows, product.k0);
        decode_a(kType, a_[from].bytes, k1, decoded_a_[static_cast<std::size_t>(mi) * panel].bytes);
    }
    for (int ni = 0; ni < n1; ++ni) {
        const std::size_t from =
            fractal_line(product.n0 + std::int64_t{ni} * kFractalRows, product.k0);
        decode_b(kType, b_[from].bytes, k1, decoded_b_[static_cast<std::size_t>(ni) * panel].bytes);
    }
    for (int step = 0; step < m1 * n1; ++step) {
        const auto [mi, ni] = fractal_at(product.mmad.ctrl.mm_direction, m1, n1, step);
        const std::int64_t m = product.m0 + std::int64_t{mi} * kFractalRows;
        const std::int64_t n = product.n0 + std::int64_t{ni} * kFractalRows;
        const int rows = static_cast<int>(std::min<std::int64_t>(kFractalRows, plan_.spec.m - m));
        auto* block = reinterpret_cast<float*>(c_[block_line(m, n)].bytes);
        if (product.mmad.init == MmadInit::zero) std::fill_n(block, rows * kFractalRows, 0.0F);
        multiply_accumulate(kType, decoded_a_[static_cast<std::size_t>(mi) * panel].bytes,
                            decoded_b_[static_cast<std::size_t>(ni) * panel].bytes,
                            static_cast<int>(product.mmad.k), rows, block);
        finish_block(block, rows * kFractalRows, FloatOverflow::inf_nan);
    }
}

std::vector<std::uint8_t> GemmArithmetic::result() const {
    const tb::GemmSpec& spec = plan_.spec;
    std::vector<std::uint8_t> c(static_cast<std::size_t>(plan_.c.bytes));
    for (std::int64_t m = 0; m < spec.m; ++m)
        for (std::int64_t n = 0; n < spec.n; n += kFractalRows) {
            const std::int64_t columns = std::min<std::int64_t>(kFractalRows, spec.n - n);
            const std::size_t from = block_line(m, n) + static_cast<std::size_t>(m % kFractalRows);
            std::memcpy(c.data() + (m * spec.n + n) * 4, c_[from].bytes,
                        static_cast<std::size_t>(columns) * 4);
        }
    return c;
}

} // namespace aicore::bench
