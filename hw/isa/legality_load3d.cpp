// Legality of the im2col load.
#include "hw/isa/legality_rules.h"
#include "hw/isa/load3d_walk.h"

#include <algorithm>
#include <string>

namespace aicore::legality {
namespace {

std::string with_bits(int elem_bits) {
    return " of " + std::to_string(elem_bits) + "-bit elements";
}

/// The vendor's lists of channel sizes: whole C0 groups and a rest that fills 4, 8 or 16 bytes, but
/// has 4 channels at least.
bool is_channel_size(std::int64_t channels, int elem_bits) {
    const std::int64_t rest_bits = channels * elem_bits % (kBlockBytes * 8);
    if (rest_bits == 0) return true;
    return rest_bits >= 4 * elem_bits && (rest_bits == 32 || rest_bits == 64 || rest_bits == 128);
}

std::string channel_rule(int elem_bits) {
    switch (elem_bits) {
    case 4: return "must be a multiple of 64 plus 0, 8, 16 or 32";
    case 8: return "must be a multiple of 32 plus 0, 4, 8 or 16";
    case 16: return "must be a multiple of 16 plus 0, 4 or 8";
    default: return "must be a multiple of 8 plus 0 or 4";
    }
}

void check_fields(const Load3d& load, Rules& rules) {
    constexpr std::int64_t kMaxSide = 32767;
    rules.range("l1_h", load.l1_h, 0, kMaxSide);
    rules.range("l1_w", load.l1_w, 0, kMaxSide);
    rules.range("channel_size", load.channel_size, 0, kMaxU16);
    rules.range("k_extension", load.k_extension, 0, kMaxU16);
    rules.range("m_extension", load.m_extension, 0, kMaxU16);
    rules.range("k_start", load.k_start, 0, kMaxU16);
    rules.range("m_start", load.m_start, 0, kMaxSide);
    rules.range("stride_w", load.stride_w, 1, 63);
    rules.range("stride_h", load.stride_h, 1, 63);
    rules.range("filter_w", load.filter_w, 0, 255);
    rules.range("filter_h", load.filter_h, 0, 255);
    rules.range("dilation_w", load.dilation_w, 1, 255);
    rules.range("dilation_h", load.dilation_h, 1, 255);
    rules.range("pad_left", load.pad_left, 0, 255);
    rules.range("pad_right", load.pad_right, 0, 255);
    rules.range("pad_top", load.pad_top, 0, 255);
    rules.range("pad_bottom", load.pad_bottom, 0, 255);
}

void check_types(const Load3d& load, Rules& rules) {
    const bool is_2201 = rules.arch() == 2201;
    const int bits = load.elem_bits;
    check_l0_load(load.dst, bits, is_2201, load.src_addr, load.dst_addr, rules);
    if (is_2201) {
        rules.require(load.dst != Buffer::L0B || bits >= 16, "dst", "L0B" + with_bits(bits),
                      "only 16-bit and 32-bit elements go to L0B");
        rules.require(load.dst != Buffer::L0A || !load.transpose || bits >= 16, "transpose",
                      "true" + with_bits(bits),
                      "only 16-bit and 32-bit elements can be transposed");
        rules.require(load.dst_stride == 0, "dst_stride", std::to_string(load.dst_stride),
                      "must be 0: arch 2201 has no such field");
    } else {
        rules.range("dst_stride", load.dst_stride, 1, kMaxU16);
    }
    if (bits < 32) rules.range("pad_value", load.pad_value, 0, (std::int64_t{1} << bits) - 1);
}

/// `start` and `extension` in a matrix of `size`. The extension is a multiple of `unit` except at
/// the end of the matrix, where it may reach to the end of a fractal.
void check_window(const char* start_name, std::int64_t start, const char* extension_name,
                  std::int64_t extension, std::int64_t size, std::int64_t fractal,
                  std::int64_t unit, Rules& rules) {
    rules.require(start < size, start_name, std::to_string(start),
                  "must be below " + std::to_string(size) + ", the size of the im2col matrix");
    const std::int64_t room = round_up(size - start, fractal);
    rules.require(extension <= room, extension_name, std::to_string(extension),
                  "must be at most " + std::to_string(room) + ", the rest of the im2col matrix");
    rules.require(extension % unit == 0 || start + extension >= size, extension_name,
                  std::to_string(extension),
                  "must be a multiple of " + std::to_string(unit) +
                      " or reach the end of the im2col matrix");
}

void check_l1_range(const Load3d& load, Rules& rules) {
    std::uint64_t first = UINT64_MAX, end = 0;
    Load3dWalk walk(load);
    LoadStep step;
    while (walk.next(step)) {
        for (int i = 0; i < step.piece_count; ++i) {
            const LoadStep::Piece& piece = step.pieces[static_cast<std::size_t>(i)];
            if (piece.source != LoadStep::Source::l1) continue;
            first = std::min<std::uint64_t>(first, piece.src);
            end = std::max<std::uint64_t>(end, std::uint64_t{piece.src} + piece.bytes);
        }
    }
    if (end > first) {
        rules.inside("src_addr", Buffer::L1, first, static_cast<std::int64_t>(end - first));
    }
}

} // namespace

void check(const Load3d& load, Rules& rules) {
    check_fields(load, rules);
    check_types(load, rules);
    if (rules.broken()) return;
    const Load3dShape shape = load3d_shape(load);
    if (shape.is_nop) return;

    rules.require(is_channel_size(load.channel_size, load.elem_bits), "channel_size",
                  std::to_string(load.channel_size), channel_rule(load.elem_bits));
    rules.require(shape.out_h > 0, "filter_h", std::to_string(shape.filter_h),
                  "the filter must fit into the padded feature map");
    rules.require(shape.out_w > 0, "filter_w", std::to_string(shape.filter_w),
                  "the filter must fit into the padded feature map");
    rules.require(load.k_start % shape.c0 == 0, "k_start", std::to_string(load.k_start),
                  "must be a multiple of " + std::to_string(shape.c0));
    if (rules.broken()) return;
    check_window("k_start", load.k_start, "k_extension", load.k_extension, shape.k, shape.c0,
                 shape.c0, rules);
    const bool any_m = load.elem_bits == 32; // the vendor states no multiple for 32-bit elements
    check_window("m_start", load.m_start, "m_extension", load.m_extension, shape.m, kFractalRows,
                 any_m ? 1 : kFractalRows, rules);
    if (rules.broken()) return;

    rules.inside("dst_addr", load.dst, load.dst_addr,
                 (shape.fractal_index(load, shape.rows - 1, shape.columns - 1) + 1) *
                     kFractalBytes);
    if (!rules.broken()) check_l1_range(load, rules);
}

} // namespace aicore::legality
