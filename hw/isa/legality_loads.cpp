// Legality of the loads of MTE1 that move whole fractals; load2d is among the moves.
#include "hw/isa/fractal_load_walks.h"
#include "hw/isa/legality_rules.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace aicore::legality {

void check_l0_load(Buffer dst, int elem_bits, bool has_4_bit, std::uint32_t src_addr,
                   std::uint32_t dst_addr, Rules& rules) {
    rules.require(dst == Buffer::L0A || dst == Buffer::L0B, "dst", to_string(dst),
                  "must be L0A or L0B");
    const bool is_width = elem_bits == 8 || elem_bits == 16 || elem_bits == 32;
    rules.require(is_width || (has_4_bit && elem_bits == 4), "elem_bits", std::to_string(elem_bits),
                  has_4_bit ? "must be 4, 8, 16 or 32" : "must be 8, 16 or 32");
    rules.aligned("src_addr", Buffer::L1, src_addr, kBlockBytes);
    rules.aligned("dst_addr", dst, dst_addr, kFractalBytes);
}

void check(const Load2dV2& load, Rules& rules) {
    constexpr std::int64_t kMinStride = -32768, kMaxStride = 32767;
    rules.only_arch(3510);
    check_l0_load(load.dst, load.elem_bits, true, load.src_addr, load.dst_addr, rules);
    rules.range("m_start", load.m_start, 0, kMaxU16);
    rules.range("k_start", load.k_start, 0, kMaxU16);
    rules.range("m_step", load.m_step, 0, 255);
    rules.range("k_step", load.k_step, 0, 255);
    rules.range("src_stride", load.src_stride, kMinStride, kMaxStride);
    rules.range("dst_stride", load.dst_stride, 0, kMaxU16);
    if (load.transpose) {
        const int m_unit = load.elem_bits == 32 ? 1 : square_fractals(load.elem_bits);
        rules.require(load.m_step % m_unit == 0, "m_step", std::to_string(load.m_step),
                      "must be a multiple of " + std::to_string(m_unit) + " to transpose " +
                          std::to_string(load.elem_bits) + "-bit elements");
        rules.require(load.elem_bits != 32 || load.k_step % 2 == 0, "k_step",
                      std::to_string(load.k_step),
                      "must be a multiple of 2 to transpose 32-bit elements");
    }
    if (rules.broken() || load.m_step == 0 || load.k_step == 0) return;

    const std::int64_t stride = load.src_stride;
    const std::int64_t start =
        std::int64_t{load.k_start} * std::abs(load.src_stride) + load.m_start;
    const std::int64_t far = start + (load.k_step - 1) * stride;
    const std::int64_t first = std::min(start, far);
    const std::int64_t last = std::max(start, far) + load.m_step - 1;
    const std::int64_t src = load.src_addr + first * kFractalBytes;
    rules.require(src >= 0, "src_stride", std::to_string(load.src_stride),
                  "leads below the start of L1");
    if (rules.broken()) return;
    rules.inside("src_addr", Buffer::L1, static_cast<std::uint64_t>(src),
                 (last - first + 1) * kFractalBytes);
    std::int64_t rows = load.m_step, columns = load.k_step;
    if (load.transpose) { // in fractals of the transposed window
        rows = ceil_div(load.k_step * (kBlockBytes * 8 / load.elem_bits), kFractalRows);
        columns = ceil_div(load.m_step * kFractalRows, kBlockBytes * 8 / load.elem_bits);
    }
    rules.inside("dst_addr", load.dst, load.dst_addr,
                 ((columns - 1) * load.dst_stride + rows) * kFractalBytes);
}

void check(const LoadTranspose& load, Rules& rules) {
    check_l0_load(load.dst, load.elem_bits, rules.arch() == 2201, load.src_addr, load.dst_addr,
                  rules);
    rules.require(load.elem_bits != 4 || load.dst == Buffer::L0B, "dst", to_string(load.dst),
                  "4-bit squares go to L0B only");
    rules.range("start_index", load.start_index, 0, kMaxU16);
    rules.range("repeat", load.repeat, 0, 255);
    rules.range("src_stride", load.src_stride, 0, kMaxU16);
    rules.range("dst_gap", load.dst_gap, 0, kMaxU16);
    rules.range("dst_frac_gap", load.dst_frac_gap, 0, kMaxU16);
    if (rules.broken() || load.repeat == 0) return;

    const std::int64_t last = load.repeat - 1;
    const int fractals = square_fractals(load.elem_bits);
    rules.index_walk(load.start_index, load.src_stride, last, load.addr_mode);
    if (rules.broken()) return;
    const auto [first_src, last_src] =
        std::minmax({load_transpose_src(load, 0), load_transpose_src(load, last)});
    rules.inside("src_addr", Buffer::L1, first_src,
                 static_cast<std::int64_t>(last_src - first_src) + fractals * kFractalBytes);
    rules.inside(
        "dst_addr", load.dst, load.dst_addr,
        static_cast<std::int64_t>(load_transpose_dst(load, last, fractals - 1) - load.dst_addr) +
            kFractalBytes);
}

void check(const LoadSparse& load, Rules& rules) {
    rules.only_arch(2201);
    rules.range("start_index", load.start_index, 0, kMaxU16);
    rules.range("repeat", load.repeat, 0, 255);
    rules.aligned("src_addr", Buffer::L1, load.src_addr, kBlockBytes);
    rules.aligned("index_addr", Buffer::L1, load.index_addr, kBlockBytes);
    rules.aligned("dst_addr", Buffer::L0B, load.dst_addr, kFractalBytes);
    if (rules.broken() || load.repeat == 0) return;

    const auto first = static_cast<std::uint64_t>(load.start_index);
    rules.inside("src_addr", Buffer::L1, load.src_addr + first * kFractalBytes,
                 std::int64_t{load.repeat} * kFractalBytes);
    rules.inside("index_addr", Buffer::L1, load.index_addr + first * kSparseIndexBytes,
                 std::int64_t{load.repeat} * kSparseIndexBytes);
    rules.inside("dst_addr", Buffer::L0B, load.dst_addr, std::int64_t{load.repeat} * kFractalBytes);
}

} // namespace aicore::legality
